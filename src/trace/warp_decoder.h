// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "base/expected.h"
#include "trace/bytes/byte_reader.h"
#include "trace/trace_event.h"
#include "trace/warp_records.h"

namespace forewarp::trace {

/// Reads the records of one warp. Refuses records that no encoder writes.
class WarpDecoder {
 public:
  /// Begins a warp: the next `size` bytes of `bytes` are its records, of `instructions` executed
  /// ones, in a kernel of `kernel_instructions`.
  void start(ByteReader& bytes, std::uint64_t size, std::uint64_t instructions,
             std::uint32_t kernel_instructions);

  /// Reads the next instruction; false when the warp was read to its end.
  Expected<bool> next(TraceEvent& event);

 private:
  struct Record {
    trace_record::Kind kind = trace_record::run;
    std::uint64_t value = 0;
  };
  [[nodiscard]] bool at_end() const { return bytes_->taken() >= end_; }
  Expected<bool> next_record();
  Expected<void> begin_instruction(TraceEvent& event);
  Expected<void> step(TraceEvent& event, LaneMask lanes);
  Expected<void> read_access(TraceEvent& event);
  Expected<void> read_form(const TraceEvent& event, AccessForm& form);
  Expected<LaneMask> lanes(LaneMask usual, LaneMask allowed);

  ByteReader* bytes_ = nullptr;
  std::uint64_t end_ = 0;  ///< of the records, in bytes taken
  std::uint64_t left_ = 0;
  std::uint32_t count_ = 0;  ///< instructions of the kernel
  std::uint32_t next_ = 0;
  LaneMask active_ = all_lanes;
  std::uint64_t run_ = 0;  ///< instructions of the current run that are left
  bool have_record_ = false;
  Record record_;
  std::map<std::pair<std::uint32_t, std::uint8_t>, AccessForm> forms_;
};

}  // namespace forewarp::trace
