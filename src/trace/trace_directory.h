// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/expected.h"
#include "trace/trace_header.h"

namespace forewarp::trace {

/// The folder that a trace is written to. Until keep() is called it counts as unfinished: then its
/// files are removed again, and the folder too where it was made for them.
class TraceDirectory {
 public:
  /// Makes the folder or takes one that is empty or holds an earlier trace, which is removed; then
  /// trace.json says that the trace is not complete. Fails where anything else lies in it.
  static Expected<TraceDirectory> prepare(const std::filesystem::path& folder,
                                          const TraceHeader& header);
  TraceDirectory(TraceDirectory&& other) noexcept;
  TraceDirectory(const TraceDirectory&) = delete;
  TraceDirectory& operator=(const TraceDirectory&) = delete;
  TraceDirectory& operator=(TraceDirectory&&) = delete;
  ~TraceDirectory();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Writes trace.json anew, for a trace that is complete. Returns the bytes of all its files.
  Expected<std::uint64_t> keep(const TraceHeader& header);

 private:
  TraceDirectory() = default;

  std::filesystem::path path_;
  std::vector<std::string> files_;  ///< with trace.json; empty: nothing to remove
  bool made_ = false;
};

}  // namespace forewarp::trace
