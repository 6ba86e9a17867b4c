// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/paths/executed_counts.h"

#include <algorithm>
#include <cmath>

#include "binding/access_space.h"
#include "binding/l2_parts.h"
#include "hardware/place_facts.h"

namespace forewarp::prediction {
namespace {

constexpr double same_counts = 0.02;  // share of all instructions by which edge blocks may differ

}  // namespace

ExecutedCounts executed_counts(const PathProfile& paths, double warps) {
  ExecutedCounts counts;
  for (const InstructionCount& count : paths.instructions) {
    counts.executions.push_back(count.warps / warps);
    counts.lanes.push_back(count.warps > 0 ? count.lanes / count.warps : 0);
  }
  counts.jumps.resize(counts.executions.size());
  for (const auto& [index, branch] : paths.branches) {
    if (branch.active > 0) counts.jumps[index] = branch.taken / branch.active;
  }
  return counts;
}

bool counts_agree(const Kernel& kernel, const std::vector<double>& foreseen,
                  const ExecutedCounts& counts) {
  double apart = 0, all = 0, accesses_apart = 0, accesses = 0;
  for (std::size_t i = 0; i < foreseen.size(); ++i) {
    const double difference = std::fabs(foreseen[i] - counts.executions[i]);
    apart += difference;
    all += counts.executions[i];
    if (access_space(kernel.instructions[i].instruction_class) != AccessSpace::global) continue;
    accesses_apart += difference;
    accesses += counts.executions[i];
  }
  return apart <= same_counts * all && accesses_apart <= same_counts * accesses;
}

namespace {

/// Sectors that an instruction makes L2 fetch: misses, and what stores to a part of a sector leave
/// to be filled.
double fetched_sectors(const Instruction& instruction, const InstructionMemory& access,
                       const Gpu& gpu) {
  if (access.kind != AccessKind::store) return access.l2_sectors - access.l2_hit_sectors;
  const double written = access.lanes * std::max(1U, access_bytes(instruction));
  const bool whole = written >= access.sectors * gpu.sector_bytes;
  return whole ? 0 : access.l2_sectors;
}

/// Sectors that it leaves to be written to device memory some time.
double written_sectors(const InstructionMemory& access) {
  const bool writes = access.kind == AccessKind::store || access.kind == AccessKind::atomic ||
                      access.kind == AccessKind::reduction;
  return writes ? access.l2_sectors : 0;
}

}  // namespace

void apply_memory(const Kernel& kernel, const PathProfile& paths, const MemoryProfile& memory,
                  const Gpu& gpu, AccessPatterns& patterns) {
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const InstructionCount& count = paths.instructions[i];
    if (!moves_data(access_space(kernel.instructions[i].instruction_class))) continue;
    if (count.warps <= 0 || count.lanes > 0) continue;
    AccessPattern& none = patterns.at(i);  // its guard never held: it issues, but requests nothing
    none = {};
    none.known = true;
    none.requests = none.passes = 0;
  }
  const double far_hits = far_share(memory.unique_bytes, gpu);
  double missed = 0, stored = 0;  // sectors among which the bytes of device memory are divided
  for (const auto& [i, access] : memory.instructions) {
    missed += fetched_sectors(kernel.instructions[i], access, gpu);
    stored += written_sectors(access);
  }
  for (const auto& [i, access] : memory.instructions) {
    const double times = paths.instructions[i].warps;
    if (times <= 0) continue;
    const bool store = is_store_class(kernel.instructions[i].instruction_class);
    AccessPattern& pattern = patterns.at(i);
    pattern.known = true;
    pattern.bytes_per_lane = std::max(1U, access_bytes(kernel.instructions[i]));
    pattern.requests = access.requests / times;
    pattern.lanes = access.lanes / times;
    pattern.sectors = access.sectors / times;
    pattern.lines = access.lines / times;
    pattern.passes = access.wavefronts / times;
    pattern.turns = access.atomic_turns / times;
    pattern.busiest_slice = memory.hottest_turns;
    pattern.visits = access.slice_visits / times;
    pattern.distant = access.requests > 0 ? access.distant_requests / access.requests : 0;
    pattern.distant_bytes = access.distant_bytes / times;
    pattern.busiest_sectors = access.busiest_share;
    pattern.stage = access.stage_cycles / times;
    pattern.l2_sectors = access.l2_sectors / times;
    if (!store) {
      pattern.l1_hits = access.l1_hit_rate();
      pattern.l2_hits = access.l2_hit_rate();
      pattern.far_hits = far_hits;
      pattern.waits_for_l2 = access.waits_for_l2;
      pattern.waits_for_memory = std::min(access.waits_for_memory, access.waits_for_l2);
    }
    const auto part = [&](double bytes, double mine, double all) {
      return all > 0 ? bytes * mine / all / times : 0;
    };
    pattern.device_bytes =
        part(memory.dram_read_bytes, fetched_sectors(kernel.instructions[i], access, gpu), missed) +
        part(memory.dram_write_bytes, written_sectors(access), stored);
    pattern.device_places =
        part(memory.dram_read_places, fetched_sectors(kernel.instructions[i], access, gpu),
             missed) +
        written_place(gpu) * part(memory.dram_write_places, written_sectors(access), stored);
  }
}

}  // namespace forewarp::prediction
