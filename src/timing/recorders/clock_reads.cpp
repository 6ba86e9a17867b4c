// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/recorders/clock_reads.h"

#include <algorithm>
#include <span>

#include "program/roles.h"

namespace forewarp::timing {
namespace {

bool reads_clock(const Kernel& kernel, const Instruction& instruction) {
  const auto operands = kernel.operands_of(instruction);
  return std::any_of(operands.begin(), operands.end(), [](const Operand& operand) {
    return operand.kind == OperandKind::special_register &&
           operand.index == static_cast<std::uint16_t>(SpecialRegister::clock_lo);
  });
}

bool touches(std::span<const RegisterRange> ranges, std::uint16_t number) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const RegisterRange& range) {
    return range.file == RegisterFile::general && range.first <= number &&
           number < range.first + range.count;
  });
}

}  // namespace

ClockReader::ClockReader(const Kernel& kernel, std::size_t most_warps)
    : kernel_(&kernel), most_warps_(most_warps) {
  for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
    const Instruction& instruction = kernel.instructions[i];
    if (!reads_clock(kernel, instruction)) continue;
    const Roles roles = roles_of(kernel, instruction);
    if (roles.write_count == 0) continue;
    into_.resize(kernel.instructions.size(), no_register);
    into_[i] = roles.written().front().first;
  }
}

void ClockReader::note(Ticks at, std::uint32_t block, std::uint32_t warp,
                       std::uint32_t instruction) {
  const bool reads = into_[instruction] != no_register;
  if (held_ == 0 && !reads) return;
  auto seen = warps_.find({block, warp});
  if (seen != warps_.end()) use(seen->second, at, instruction);
  if (!reads) return;
  if (seen == warps_.end()) {
    if (warps_.size() >= most_warps_) return;
    seen = warps_.emplace(std::pair(block, warp), Readings{}).first;
  }
  read(seen->second, at, instruction);
}

void ClockReader::use(Readings& warp, Ticks at, std::uint32_t instruction) {
  if (warp.holds == no_register) return;
  const Roles roles = roles_of(*kernel_, kernel_->instructions[instruction]);
  if (!touches(roles.read(), warp.holds)) return;
  warp.last.used = at;
  if (warp.count == 1) warp.first.used = at;
  warp.holds = no_register;
  --held_;
}

void ClockReader::read(Readings& warp, Ticks at, std::uint32_t instruction) {
  warp.last = {at, at};
  if (warp.count++ == 0) warp.first = warp.last;
  if (warp.holds == no_register) ++held_;
  warp.holds = into_[instruction];
}

std::vector<ClockedWarp> ClockReader::finish() const {
  std::vector<ClockedWarp> clocked;
  for (const auto& [place, warp] : warps_) {
    if (warp.count < 2) continue;
    clocked.push_back({place.first, place.second, cycles_of(warp.last.used - warp.first.used),
                       cycles_of(warp.last.read - warp.first.read)});
  }
  return clocked;
}

}  // namespace forewarp::timing
