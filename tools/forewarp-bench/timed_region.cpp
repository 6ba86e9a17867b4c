// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timed_region.h"

#include <algorithm>
#include <string_view>

#include "analysis/control_flow.h"
#include "analysis/dominators.h"
#include "analysis/loops.h"
#include "base/text.h"
#include "program/opcode.h"

namespace forewarp::cli {
namespace {

std::string_view mnemonic(const Instruction& instruction) {
  return opcode_info(instruction.opcode).mnemonic;
}

bool reads_clock(const Kernel& kernel, const Instruction& instruction) {
  return std::ranges::any_of(kernel.operands_of(instruction), [](const Operand& operand) {
    return operand.kind == OperandKind::special_register &&
           operand.index == static_cast<std::uint16_t>(SpecialRegister::clock_lo);
  });
}

/// Some of 6.0 and 6.2 read the clock once more before each reading and discard it.
bool discards_clock(const Kernel& kernel, const Instruction& instruction) {
  const auto operands = kernel.operands_of(instruction);
  return reads_clock(kernel, instruction) && !operands.empty() &&
         operands.front().is_zero_register();
}

bool any_of(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool in_local_memory(const Instruction& instruction) {
  return instruction.instruction_class == InstructionClass::load_local ||
         instruction.instruction_class == InstructionClass::store_local;
}

/// What a region holds.
struct RegionCounts {
  std::uint32_t measured = 0, beside = 0, spills = 0, others = 0;
  [[nodiscard]] std::uint32_t all() const { return measured + beside + spills + others; }
};

RegionCounts counts(const Kernel& kernel, const TimedRegion& region,
                    const TestExpectation& expect) {
  RegionCounts found;
  for (std::uint32_t i = region.first; i < region.second; ++i) {
    const Instruction& instruction = kernel.instructions[i];
    if (instruction.dead() || instruction.instruction_class == InstructionClass::no_operation ||
        discards_clock(kernel, instruction)) {
      continue;
    }
    const std::string_view name = mnemonic(instruction);
    if (any_of(expect.opcodes, name)) {
      ++found.measured;
    } else if (any_of(expect.beside, name)) {
      ++found.beside;
    } else if (in_local_memory(instruction)) {
      ++found.spills;
    } else {
      ++found.others;
    }
  }
  return found;
}

std::vector<TimedRegion> windows(const Kernel& kernel) {
  std::vector<std::uint32_t> readings;
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
    const Instruction& instruction = kernel.instructions[i];
    if (reads_clock(kernel, instruction) && !discards_clock(kernel, instruction)) {
      readings.push_back(i);
    }
  }
  std::vector<TimedRegion> regions;
  for (std::size_t i = 1; i < readings.size(); i += 2) {
    regions.emplace_back(readings[i - 1] + 1, readings[i]);
  }
  return regions;
}

std::vector<TimedRegion> measured_loop(const Kernel& kernel, const TestExpectation& expect) {
  const analysis::ControlFlow flow(kernel);
  const analysis::Dominators dominators(flow, analysis::Dominators::Direction::forward);
  const analysis::Loops loops(kernel, flow, dominators);
  std::vector<TimedRegion> best;
  std::uint32_t most = 0;
  for (const analysis::Loop& loop : loops.all()) {  // outer before inner
    const TimedRegion region{static_cast<std::uint32_t>(kernel.index_at(loop.begin)),
                             static_cast<std::uint32_t>(kernel.index_at(loop.end))};
    const std::uint32_t measured = counts(kernel, region, expect).measured;
    if (!best.empty() && measured < most) continue;
    most = measured;
    best = {region};
  }
  return best;
}

std::string place_of(const Kernel& kernel, const BenchTest& test) {
  return test.file + ": " + kernel.name + " for sm_" + std::to_string(kernel.sm);
}

Expected<void> check_region(const Kernel& kernel, const BenchTest& test, const TimedRegion& region,
                            const std::pair<std::uint32_t, std::uint32_t>& wanted) {
  const TestExpectation& expect = test.expect;
  const RegionCounts found = counts(kernel, region, expect);
  const std::string where = test.window ? " between two readings of the clock" : " in its loop";
  const auto refused = [&](const std::string& what, const std::string& expected) {
    return Diagnostic{place_of(kernel, test), what + where, expected,
                      "test '" + test.id + "' would measure something else"};
  };
  if (!expect.opcodes.empty() &&
      (found.measured < wanted.first || found.measured > wanted.second)) {
    return refused(std::to_string(found.measured) + " of " + join(expect.opcodes, " or "),
                   std::to_string(wanted.second));
  }
  if (found.spills > expect.spills) {
    return refused(std::to_string(found.spills) + " accesses of local memory",
                   "at most " + std::to_string(expect.spills));
  }
  if (expect.window && found.all() != *expect.window) {
    return refused(std::to_string(found.all()) + " instructions", std::to_string(*expect.window));
  }
  if (expect.others && found.others > *expect.others) {
    return refused(std::to_string(found.others) + " instructions beside the measured ones",
                   "at most " + std::to_string(*expect.others));
  }
  return {};
}

}  // namespace

std::vector<TimedRegion> timed_regions(const Kernel& kernel, const BenchTest& test) {
  return test.window ? windows(kernel) : measured_loop(kernel, test.expect);
}

Expected<void> check_code(const Kernel& kernel, const BenchTest& test, bool measured) {
  const bool in_loop = !test.window && !test.expect.opcodes.empty();
  if (!in_loop && !test.window) return {};
  const auto regions = timed_regions(kernel, test);
  if (regions.empty()) {
    return Diagnostic{place_of(kernel, test),
                      test.window ? "reads no pair of clocks" : "has no loop",
                      test.window ? "two readings" : "one that repeats the measured instructions",
                      "test '" + test.id + "' would measure something else"};
  }
  constexpr std::pair<std::uint32_t, std::uint32_t> none{0, 0};
  for (const TimedRegion& region : regions) {
    const auto fine = check_region(kernel, test, region, measured ? test.expect.count : none);
    if (!fine) return fine;
  }
  return {};
}

}  // namespace forewarp::cli
