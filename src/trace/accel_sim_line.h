// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "program/kernel.h"
#include "trace/trace_event.h"

namespace forewarp::trace {

/// Lines of Accel-Sim's traces, as its parser reads version 3 of them:
///   PC MASK N [REGISTER] OPCODE N [REGISTERS ..] WIDTH [MODE ADDRESSES ..]
/// with at most one destination and four sources. Modes: 1 first address and stride (lanes without
/// a gap), 2 first address and the distance of each further lane from the one before.
class AccelSimLines {
 public:
  static constexpr std::uint64_t shared_base = 0x0100'0000;  ///< generic addresses of its header
  static constexpr std::uint64_t local_base = 0x02ff'b000;

  explicit AccelSimLines(const Kernel& kernel);
  void append(std::string& out, const TraceEvent& event) const;

 private:
  enum class Memory : std::uint8_t { none, direct, generic };
  struct Line {
    std::string pc;         ///< "00d0 "
    std::string registers;  ///< "1 R5 FADD 2 R0 R5 "
    Memory memory = Memory::none;
    std::uint32_t bytes = 0;
  };
  void append_memory(std::string& out, const Line& line, const TraceEvent& event) const;

  std::vector<Line> lines_;  ///< by instruction
};

}  // namespace forewarp::trace
