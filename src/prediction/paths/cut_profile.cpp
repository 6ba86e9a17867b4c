// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/paths/cut_profile.h"

#include <algorithm>
#include <numeric>

#include "binding/access_space.h"
#include "execution/state/lanes.h"

namespace forewarp::prediction {
namespace {

/// Sectors by kind of access and destination.
struct Sectors {
  double loaded = 0, stored = 0, atomic = 0, reads = 0, writes = 0, missed = 0, shared = 0;
};

Sectors sectors_of(const MemoryProfile& memory, const Kernel& kernel) {
  Sectors sum;
  for (const auto& [i, access] : memory.instructions) {
    const bool store = is_store_class(kernel.instructions[i].instruction_class);
    const bool atomic = access.kind == AccessKind::atomic || access.kind == AccessKind::reduction;
    (atomic ? sum.atomic : store ? sum.stored : sum.loaded) += access.sectors;
    (store ? sum.writes : sum.reads) += access.l2_sectors;
    if (!store) sum.missed += access.l2_sectors - access.l2_hit_sectors;
    sum.shared += access.wavefronts;
  }
  return sum;
}

double ratio(double after, double before) {
  return before > 0 ? after / before : 1;
}

void scale(InstructionMemory& access, double factor) {
  for (double* count :
       {&access.requests, &access.lanes, &access.sectors, &access.lines, &access.transactions,
        &access.wavefronts, &access.tag_passes, &access.l1_hit_sectors, &access.l2_sectors,
        &access.l2_hit_sectors, &access.stage_cycles, &access.atomic_turns, &access.slice_visits}) {
    *count *= factor;
  }
}

}  // namespace

std::vector<double> cut_factors(const PathProfile& paths, const std::vector<double>& foreseen,
                                double warps) {
  std::vector<double> factors(foreseen.size(), 0);
  for (std::size_t i = 0; i < foreseen.size(); ++i) {
    const double ran = paths.instructions[i].warps;
    if (ran > 0) factors[i] = foreseen[i] * warps / ran;
  }
  return factors;
}

PathProfile completed_paths(PathProfile paths, const std::vector<double>& factors,
                            const std::vector<double>& foreseen, double warps) {
  paths.warp_instructions = paths.thread_instructions = 0;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    InstructionCount& count = paths.instructions[i];
    if (count.warps > 0) {
      count.active *= factors[i];
      count.lanes *= factors[i];
    } else {
      count.active = count.lanes = foreseen[i] * warps * lane_count;
    }
    count.warps = foreseen[i] * warps;
    paths.warp_instructions += count.warps;
    paths.thread_instructions += count.lanes;
    const auto branch = paths.branches.find(static_cast<std::uint32_t>(i));
    if (branch == paths.branches.end()) continue;
    BranchCount& ways = branch->second;
    for (double* part : {&ways.executed, &ways.active, &ways.taken, &ways.divergent}) {
      *part *= factors[i];
    }
  }
  paths.loops.clear();
  paths.groups.clear();
  return paths;
}

MemoryProfile completed_memory(MemoryProfile memory, const std::vector<double>& factors,
                               const Kernel& kernel) {
  const Sectors before = sectors_of(memory, kernel);
  for (auto& [i, access] : memory.instructions) scale(access, factors[i]);
  const Sectors after = sectors_of(memory, kernel);
  const double loads = ratio(after.loaded, before.loaded);
  const double stores = ratio(after.stored, before.stored);
  memory.global_load_requests *= loads;
  memory.global_load_sectors *= loads;
  memory.local_load_sectors *= loads;
  memory.global_store_sectors *= stores;
  memory.local_store_sectors *= stores;
  memory.atomic_sectors *= ratio(after.atomic, before.atomic);
  memory.shared_requests *= ratio(after.shared, before.shared);
  memory.shared_wavefronts *= ratio(after.shared, before.shared);
  memory.l2_read_sectors *= ratio(after.reads, before.reads);
  memory.l2_write_sectors *= ratio(after.writes, before.writes);
  memory.dram_read_bytes *= ratio(after.missed, before.missed);
  memory.dram_write_bytes *= ratio(after.writes, before.writes);
  memory.dram_read_places *= ratio(after.missed, before.missed);
  memory.dram_write_places *= ratio(after.writes, before.writes);
  memory.notes.emplace_back("traffic of loops that were cut grows with their passes");
  return memory;
}

double executed_share(const PathProfile& paths, const std::vector<double>& foreseen,
                      double warps_per_block) {
  const double all = std::accumulate(foreseen.begin(), foreseen.end(), 0.0) *
                     std::max(1.0, warps_per_block) *
                     std::max(1.0, static_cast<double>(paths.executed_blocks));
  return all > 0 ? std::min(1.0, static_cast<double>(paths.executed_instructions) / all) : 1;
}

}  // namespace forewarp::prediction
