// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/simulation_result.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace forewarp::timing {
namespace {

/// Causes of the simulation that have another name among the stalls of all models.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> stall_keys{
    {{"issue", "issued"},
     {"math", "dependence"},
     {"shared", "memory_shared"},
     {"l1", "memory_l1"},
     {"l2", "memory_l2"},
     {"memory", "memory_dram"},
     {"pipe", "bandwidth_pipes"},
     {"queue", "bandwidth_memory_queue"},
     {"registers", "bandwidth_registers"}}};

std::string stall_key(std::string_view cause) {
  const auto found = std::ranges::find(stall_keys, cause, &decltype(stall_keys)::value_type::first);
  return std::string(found == stall_keys.end() ? cause : found->second);
}

std::vector<std::pair<std::string, double>> named(const SimulatedDetail::Shares& shares) {
  std::vector<std::pair<std::string, double>> list;
  for (const auto& [name, share] : shares) {
    if (share > 0) list.emplace_back(name, share);
  }
  return list;
}

void add_instructions(const SimulatedDetail& detail, const Kernel& kernel, SimulationFacts& facts) {
  for (const SimulatedDetail::Instruction& seen : detail.instructions) {
    facts.instructions.push_back(
        {kernel.instructions[seen.index].address, seen.issues, named(seen.stalls)});
  }
}

void add_timeline(const SimulatedDetail& detail, const Kernel& kernel, SimulationFacts& facts) {
  for (const SimulatedDetail::Issue& issue : detail.timeline) {
    auto cause = std::ranges::find(facts.causes, issue.waited);
    if (cause == facts.causes.end()) {
      cause = facts.causes.insert(cause, std::string(issue.waited));
    }
    facts.timeline.push_back({issue.cycle, static_cast<double>(issue.scheduler),
                              static_cast<double>(issue.block), static_cast<double>(issue.warp),
                              static_cast<double>(kernel.instructions[issue.instruction].address),
                              static_cast<double>(cause - facts.causes.begin())});
  }
}

}  // namespace

SimulationFacts simulation_facts(const SimulatedTime& time, const Kernel& kernel, bool lists) {
  const SimulatedDetail& detail = time.detail;
  SimulationFacts facts;
  facts.cycles = time.cycles;
  facts.followed_cycles = detail.cycles;
  facts.ipc = detail.ipc;
  facts.issue_cycles = detail.issue_cycles;
  facts.schedulers = detail.schedulers;
  facts.stack = named(time.schedulers);
  const SimulatedDetail::Occupancy& seen = detail.occupancy;
  facts.occupancy = {seen.mean_warps, seen.most_warps, seen.deviation,
                     seen.below_half, seen.imbalance,  {}};
  const SimulatedDetail::Ends& ends = detail.ends;
  facts.blocks = {
      static_cast<double>(ends.blocks), ends.first, ends.q25, ends.median, ends.q75, ends.last};
  facts.simulated_instructions = time.issued;
  facts.of_instructions = time.of;
  facts.error = time.error;
  if (!lists) return facts;
  for (const auto& [at, warps] : seen.points) facts.occupancy.points.push_back({at, warps});
  add_instructions(detail, kernel, facts);
  add_timeline(detail, kernel, facts);
  return facts;
}

void add_clocks_and_warning(const SimulatedTime& time, Result& result) {
  for (const ClockedWarp& warp : time.clocked) {
    result.clocks.push_back({warp.block, warp.warp, warp.used, warp.read});
  }
  if (!time.warning.empty()) result.findings.push_back({"policy", time.warning});
}

std::map<std::string, double> simulated_stalls(const SimulatedTime& time) {
  std::map<std::string, double> stalls;
  for (const auto& [cause, share] : time.schedulers) {
    if (share > 0) stalls[stall_key(cause)] += share;
  }
  return stalls;
}

}  // namespace forewarp::timing
