// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/expected.h"
#include "trace/trace_header.h"

namespace forewarp::trace {

/// The folder that a trace is written to. Unless keep() was called, the destructor removes its
/// files, and also the folder if it was made for them.
class TraceDirectory {
 public:
  /// Makes the folder, or takes an empty one or one with an earlier trace, which is removed; then
  /// writes a trace.json that marks the trace as incomplete. Fails if the folder has other files.
  static Expected<TraceDirectory> prepare(const std::filesystem::path& folder,
                                          const TraceHeader& header);
  TraceDirectory(TraceDirectory&& other) noexcept;
  TraceDirectory(const TraceDirectory&) = delete;
  TraceDirectory& operator=(const TraceDirectory&) = delete;
  TraceDirectory& operator=(TraceDirectory&&) = delete;
  ~TraceDirectory();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Writes the final trace.json of a complete trace. Returns the size of all its files, bytes.
  Expected<std::uint64_t> keep(const TraceHeader& header);

 private:
  TraceDirectory() = default;

  std::filesystem::path path_;
  std::vector<std::string> files_;  ///< with trace.json; empty: nothing to remove
  bool made_ = false;
};

}  // namespace forewarp::trace
