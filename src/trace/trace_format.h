// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "program/kernel.h"
#include "trace/bytes/packed_bytes.h"
#include "trace/trace_header.h"

namespace forewarp::trace {

/// A block that has ended: the records of its warps.
struct RecordedBlock {
  struct Warp {
    std::uint64_t instructions = 0;
    const PackedBytes* records = nullptr;
  };
  std::uint64_t linear = 0;
  std::vector<Warp> warps;  ///< by number in the block
};

/// Writes the blocks of one launch, one after the other.
class TraceWriter {
 public:
  virtual ~TraceWriter() = default;
  Expected<void> add(const RecordedBlock& block) { return do_add(block); }
  /// Ends the trace; call it after the last block.
  Expected<void> finish() { return do_finish(); }

 private:
  virtual Expected<void> do_add(const RecordedBlock& block) = 0;
  virtual Expected<void> do_finish() = 0;
};

/// The launch for a writer; what it refers to must outlive the writer.
struct TraceSubject {
  const Kernel* kernel = nullptr;
  const TraceHeader* header = nullptr;
};

/// A trace format. trace.json is written with every format.
class TraceFormat {
 public:
  virtual ~TraceFormat() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::string_view sentence() const = 0;
  /// Names of the files beside trace.json.
  [[nodiscard]] virtual std::vector<std::string> files() const = 0;
  /// What the user should know of these files: a sentence each.
  [[nodiscard]] virtual std::vector<std::string> notes(const TraceHeader& /*header*/) const {
    return {};
  }
  /// Begins the format's files in an existing folder.
  [[nodiscard]] virtual Expected<std::unique_ptr<TraceWriter>> open(
      const std::filesystem::path& folder, const TraceSubject& subject) const = 0;
};

}  // namespace forewarp::trace
