// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "trace/bytes/packed_bytes.h"
#include "trace/trace_event.h"
#include "trace/warp_records.h"

namespace forewarp::trace {

/// Turns the instructions of one warp into records. One object may encode warp after warp.
class WarpEncoder {
 public:
  /// Begins a warp of a kernel that has so many instructions.
  void start(std::size_t kernel_instructions);
  void executed(std::uint32_t instruction, LaneMask active, LaneMask lanes) {
    ++instructions_;
    accesses_ = 0;
    last_ = instruction;
    lanes_ = lanes;
    if (instruction == next_ && active == active_ && lanes == active) {
      ++next_;
      ++run_;
      return;
    }
    executed_elsewhere(instruction, active);
  }
  void accessed(const MemoryAccess& access);
  /// Ends the warp: records() are complete.
  void finish();

  [[nodiscard]] const PackedBytes& records() const { return records_; }
  [[nodiscard]] std::uint64_t instructions() const { return instructions_; }

 private:
  void executed_elsewhere(std::uint32_t instruction, LaneMask active);
  void end_run();
  void record(trace_record::Kind kind, std::uint64_t value);
  void record_lanes(trace_record::Kind kind, LaneMask lanes, LaneMask usual);
  void record_access(const AccessForm& form);

  PackedBytes records_;
  std::uint64_t instructions_ = 0;
  std::uint32_t next_ = 0;  ///< the instruction that follows the last one
  LaneMask active_ = all_lanes;
  std::uint64_t run_ = 0;  ///< instructions of the run not yet written as a record
  std::uint32_t last_ = 0;
  LaneMask lanes_ = 0;                ///< of the last instruction
  std::uint8_t accesses_ = 0;         ///< of the last instruction so far
  std::vector<std::uint32_t> place_;  ///< by instruction and access: place in forms_, from 1
  std::vector<AccessForm> forms_;     ///< the last form of each access
};

}  // namespace forewarp::trace
