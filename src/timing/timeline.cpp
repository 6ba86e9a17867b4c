// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/timeline.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/text.h"
#include "program/roles.h"

namespace forewarp {
namespace {

constexpr std::size_t most_clock_events = std::size_t{1} << 18U;

bool reads_clock(const Kernel& kernel, const Instruction& instruction) {
  const auto operands = kernel.operands_of(instruction);
  return std::any_of(operands.begin(), operands.end(), [](const Operand& operand) {
    return operand.kind == OperandKind::special_register &&
           operand.index == static_cast<std::uint16_t>(SpecialRegister::clock_lo);
  });
}

/// The readings of one warp.
struct Readings {
  struct One {
    Ticks read = 0, used = 0;
  };
  std::vector<One> all;
  std::uint16_t holds = no_register;  ///< the last reading, while nobody has used it
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

std::size_t events_wanted(const Kernel& kernel, std::size_t shown) {
  const bool clocks =
      std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                  [&](const Instruction& instruction) { return reads_clock(kernel, instruction); });
  return clocks ? std::max(shown, most_clock_events) : shown;
}

void add_timeline(const Kernel& kernel, const Recorder& recorder, std::size_t shown,
                  SimulatedTime& time) {
  std::vector<IssueEvent> events = recorder.events;
  std::stable_sort(events.begin(), events.end(),
                   [](const IssueEvent& a, const IssueEvent& b) { return a.at < b.at; });
  ClockReader clocks(kernel);
  for (const IssueEvent& event : events) {
    clocks.add(event);
    if (time.timeline.size() >= shown) continue;
    time.timeline.push_back(
        {cycles_of(event.at), event.scheduler, event.block, event.warp, event.instruction});
  }
  const bool whole = recorder.events.size() < recorder.most_events;
  if (whole) time.clocked = clocks.finish();
}

std::string rate_warning(const PolicyChoice& policy, const Gpu& gpu, const LatencyRules& rules) {
  if (policy.policy != Policy::variable_rate || rules.use_control_words) return {};
  const double own = policy.rate * gpu.issue_interval;
  if (own >= rules.ilp) return {};
  return "one of every " + std::to_string(policy.rate) + " slots, " + significant(own) +
         " cycles apart, is more than a warp can use: its instructions follow each other after " +
         significant(rules.ilp) + " cycles";
}

}  // namespace forewarp
