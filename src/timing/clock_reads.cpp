// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/clock_reads.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

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

/// The clock readings of one warp.
struct Readings {
  struct One {
    Ticks read = 0, used = 0;
  };
  std::vector<One> all;
  std::uint16_t holds = no_register;  ///< register of the last reading, until it is used
};

class ClockReader {
 public:
  explicit ClockReader(const Kernel& kernel) : kernel_(kernel) {}

  void add(const IssueEvent& event) {
    const Instruction& instruction = kernel_.instructions[event.instruction];
    Readings& warp = warps_[{event.block, event.warp}];
    const Roles roles = roles_of(kernel_, instruction);
    if (warp.holds != no_register && touches(roles.read(), warp.holds)) {
      warp.all.back().used = event.at;
      warp.holds = no_register;
    }
    if (!reads_clock(kernel_, instruction) || roles.write_count == 0) return;
    warp.all.push_back({event.at, event.at});
    warp.holds = roles.written().front().first;
  }

  [[nodiscard]] std::vector<ClockedWarp> finish() const {
    std::vector<ClockedWarp> clocked;
    for (const auto& [place, warp] : warps_) {
      if (warp.all.size() < 2) continue;
      const Readings::One& first = warp.all.front();
      const Readings::One& last = warp.all.back();
      clocked.push_back({place.first, place.second, cycles_of(last.used - first.used),
                         cycles_of(last.read - first.read)});
    }
    return clocked;
  }

 private:
  static bool touches(std::span<const RegisterRange> ranges, std::uint16_t number) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const RegisterRange& range) {
      return range.file == RegisterFile::general && range.first <= number &&
             number < range.first + range.count;
    });
  }

  const Kernel& kernel_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Readings> warps_;
};

}  // namespace

void add_clocks(const Kernel& kernel, const Recorder& recorder, SimulatedTime& time) {
  if (recorder.events.size() >= recorder.most_events) return;
  std::vector<IssueEvent> events = recorder.events;
  std::stable_sort(events.begin(), events.end(),
                   [](const IssueEvent& a, const IssueEvent& b) { return a.at < b.at; });
  ClockReader clocks(kernel);
  for (const IssueEvent& event : events) clocks.add(event);
  time.clocked = clocks.finish();
}

}  // namespace forewarp::timing
