// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/memory_looks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "base/normal.h"
#include "memory/begun_blocks.h"
#include "memory/buffer_footprint.h"
#include "memory/carve_out.h"
#include "memory/device_traffic.h"
#include "memory/earlier_blocks.h"
#include "memory/hot_slices.h"
#include "memory/random_places.h"
#include "memory/replayed_windows.h"
#include "memory/request_counts.h"
#include "memory/shares.h"
#include "memory/unique_bytes.h"

namespace forewarp::memory {
namespace {

/// Probability that at least one of `lines` is late, if each is with probability `late`.
double any_late(double late, double lines) {
  return 1 - std::pow(1 - std::clamp(late, 0.0, 1.0), std::max(1.0, lines));
}

class ProfileBuilder {
 public:
  ProfileBuilder(const AccessStreams& streams, const SamplePlan& plan, const Gpu& gpu,
                 const MemoryOptions& options)
      : streams_(streams),
        plan_(plan),
        gpu_(gpu),
        options_(options),
        synthesis_(streams),
        geometry_(streams, gpu),
        traffic_(streams, synthesis_, geometry_) {
    count();
  }

  MemoryProfile look(std::uint64_t most_replayed, bool warm) {
    options_.most_replayed = most_replayed;
    options_.warm = warm;
    profile_ = counted_;
    if (grid_.pieces > 0) replay();
    return std::move(profile_);
  }

 private:
  /// What does not depend on the caches.
  void count() {
    grid_ = traffic_.grid(plan_, profile_.sectors_error);
    profile_.page_bytes = gpu_.page_bytes;
    profile_.l1_bytes = l1_beside(gpu_, std::max(1U, options_.blocks_per_sm),
                                  options_.shared_per_block, options_.carveout_percent);
    profile_.l2_bytes = gpu_.l2.bytes * std::min(1.0, (gpu_.l2.miss_from + gpu_.l2.miss_to) / 2);
    count_requests(streams_, traffic_, grid_, profile_);
    note_sampling();
    const double lines = lines_of_requests(profile_);
    profile_.hottest_turns = hot_turns(streams_, plan_, lines, geometry_, gpu_);
    const auto shares = busiest_shares(streams_, synthesis_, options_, lines, geometry_, gpu_);
    for (auto& [index, memory] : profile_.instructions) memory.busiest_share = shares[index];
    counted_ = std::move(profile_);
  }
  void note_sampling();
  void replay();
  [[nodiscard]] double l2_miss_to() const;
  [[nodiscard]] RampCache::Ramp l2_ramp() const { return {gpu_.l2.miss_from, l2_miss_to()}; }
  [[nodiscard]] double gone() const;
  [[nodiscard]] std::uint32_t warps_per_sm() const;
  [[nodiscard]] CacheRoute route_of(std::uint32_t index, const InstructionMemory& memory) const;
  [[nodiscard]] WeightedCounts unreached(std::uint32_t index, const InstructionMemory& memory,
                                         const Replayed& replayed) const;
  [[nodiscard]] WeightedCounts shares(std::uint32_t index, const InstructionMemory& memory,
                                      const Replayed& replayed) const;
  void fill_caches(const Replayed& replayed);
  [[nodiscard]] Touched grown(const Touched& touched, double lines, const ReplayPlan& plan,
                              const Replayed& replayed);
  void fill_unique(const ReplayPlan& plan, const Replayed& replayed);
  void fill_device(const ReplayPlan& plan, const Replayed& replayed);
  void settle_misses(double share, const Replayed& replayed);
  void fill_errors(const Replayed& replayed);

  const AccessStreams& streams_;
  const SamplePlan& plan_;
  const Gpu& gpu_;
  MemoryOptions options_;
  BlockSynthesis synthesis_;
  AccessGeometry geometry_;
  TrafficSum traffic_;
  BlockTraffic grid_;
  MemoryProfile counted_, profile_;
  /// What all blocks touch, where their addresses say so; asked for once.
  std::optional<std::optional<UniqueBytes>> exact_;
  Touched grown_;                             ///< what all blocks touch, where windows show it
  std::optional<double> written_in_the_end_;  ///< share of what windows wrote first in global
                                              ///< memory; unset: by `gone`
};

void ProfileBuilder::note_sampling() {
  if (streams_.skipped_blocks > 0) {
    profile_.notes.push_back("accesses of " + std::to_string(streams_.blocks.size()) + " of " +
                             std::to_string(streams_.blocks.size() + streams_.skipped_blocks) +
                             " executed blocks were recorded");
  }
  const bool cut = std::any_of(streams_.blocks.begin(), streams_.blocks.end(),
                               [](const BlockStream& block) { return block.recorded_share < 1; });
  if (cut) profile_.notes.emplace_back("the beginning of each warp's accesses was recorded");
  if (synthesis_.complete() && synthesis_.guessed()) {
    profile_.notes.emplace_back(
        "some blocks that were not executed are taken to access memory as their neighbours do");
  }
}

void ProfileBuilder::replay() {
  if (gpu_.l2.bytes <= 0 && profile_.l1_bytes <= 0) {  // no caches: every transaction is moved
    const double reads = profile_.global_load_sectors + profile_.local_load_sectors;
    const double writes = profile_.global_store_sectors + profile_.local_store_sectors;
    profile_.dram_read_bytes = (reads + profile_.atomic_sectors) * gpu_.sector_bytes;
    profile_.dram_write_bytes = (writes + profile_.atomic_sectors) * gpu_.sector_bytes;
    return;
  }
  const double blocks = number(plan_.size());
  // Blocks that ran to their end may differ in length: blocks count as begun only if they fall
  // short of the mean.
  const double whole = ordered_requests(profile_) / blocks;
  std::size_t most_of_warp = std::numeric_limits<std::size_t>::max();
  double begun = begun_share(streams_, most_of_warp, whole);
  if (begun < 1) {
    most_of_warp = beginning(streams_);
    begun = begun_share(streams_, most_of_warp, whole);
  }
  ReplayPlan plan = plan_replay(streams_, synthesis_, gpu_, options_, profile_.l1_bytes,
                                begun * ratio(grid_.pieces, blocks));
  plan.machine.begun = begun;
  if (begun < 1) plan.machine.most_of_warp = most_of_warp;
  plan.machine.caches.l2_miss_to = l2_miss_to();
  plan.machine.caches.warps = warps_per_sm();
  if (!plan.sees_all() && plan.machine.begun >= 1 && !exact_)
    exact_ = unique_bytes(streams_, synthesis_, gpu_);
  plan.machine.buffers_known = !plan.sees_all() && plan.machine.begun >= 1 && *exact_;
  // Where data or a hash decide addresses, and not all of them are known, blocks come back at
  // random to what all of them share.
  const bool at_random = !synthesis_.complete() && !plan.sees_all() &&
                         (streams_.follow_data || places_look_random(streams_));
  plan.machine.first_uses = at_random;
  Replayed replayed = replay_windows({streams_, synthesis_, geometry_, gpu_}, plan, options_.warm);
  profile_.notes.insert(profile_.notes.end(), plan.notes.begin(), plan.notes.end());
  profile_.replayed_share = std::min(1.0, ratio(replayed.blocks, blocks)) *
                            plan.machine.access_share / std::exp2(plan.machine.caches.sample_bits);
  profile_.reached = plan.machine.access_share;
  fill_unique(plan, replayed);
  written_in_the_end_.reset();
  if (at_random) {
    const WindowedGrid grid{streams_.buffers, grown_.by_buffer, blocks, plan.begin(),
                            std::exp2(plan.machine.caches.sample_bits)};
    written_in_the_end_ = find_after_earlier_blocks(replayed, grid, l2_ramp(), gone(), gpu_);
  }
  fill_caches(replayed);
  fill_device(plan, replayed);
  fill_errors(replayed);
}

/// The footprint, in sizes of L2, from which all accesses miss, by the mix of reads and writes.
double ProfileBuilder::l2_miss_to() const {
  if (gpu_.l2.miss_to_mixed <= 0) return gpu_.l2.miss_to;
  const double reads = profile_.global_load_sectors, writes = profile_.global_store_sectors;
  const double mixed = ratio(2 * std::min(reads, writes), reads + writes);
  return gpu_.l2.miss_to + mixed * (gpu_.l2.miss_to_mixed - gpu_.l2.miss_to);
}

/// Share of the footprint that L2 has lost when all of it was touched.
double ProfileBuilder::gone() const {
  const double footprint = profile_.unique_bytes + profile_.local_bytes;
  return gpu_.l2.bytes > 0 ? RampCache::lost_after(footprint / gpu_.l2.bytes, l2_ramp()) : 1;
}

/// Resident warps per SM if the grid is spread evenly.
std::uint32_t ProfileBuilder::warps_per_sm() const {
  const std::uint32_t per_block =
      streams_.blocks.empty() ? 1 : std::max(1U, streams_.blocks.front().warp_count);
  const double blocks = std::ceil(ratio(number(volume(streams_.grid)), std::max(1U, gpu_.sms)));
  const double resident = std::min(blocks, number(std::max(1U, options_.blocks_per_sm)));
  return per_block * static_cast<std::uint32_t>(std::max(1.0, resident));
}

CacheRoute ProfileBuilder::route_of(std::uint32_t index, const InstructionMemory& memory) const {
  AccessShape shape;
  shape.space = memory.space;
  shape.kind = memory.kind;
  return cache_route(shape, streams_.hints[index], gpu_);
}

/// Sectors that are all in L1, or else in L2.
WeightedCounts found_in(bool l1) {
  WeightedCounts kept;
  kept.sectors = kept.lines = 1;
  kept.lines_past_l1 = l1 ? 0 : 1;
  (l1 ? kept.l1_hits : kept.l2) = 1;
  kept.l2_hits = kept.l2;
  return kept;
}

/// What no replayed block reached. In local memory it is like others of its kind, as the same words
/// are written and read again and again; a load finds at least in L2 what was stored.
WeightedCounts ProfileBuilder::unreached(std::uint32_t index, const InstructionMemory& memory,
                                         const Replayed& replayed) const {
  const bool local = memory.space == MemorySpace::local;
  if (local) {
    WeightedCounts seen;
    for (const auto& [other, its] : profile_.instructions) {
      if (its.space == MemorySpace::local && its.kind == memory.kind)
        seen.add(replayed.instructions[other]);
    }
    if (seen.sectors > 0) return seen;
  }
  if (memory.kind == AccessKind::store)
    return written_once(streams_, index, memory.lanes, memory.sectors, gpu_);
  return local ? found_in(false) : replayed.all;
}

/// What happened to an instruction's sectors, as shares of any number of them.
WeightedCounts ProfileBuilder::shares(std::uint32_t index, const InstructionMemory& memory,
                                      const Replayed& replayed) const {
  const WeightedCounts& counts = replayed.instructions[index];
  if (counts.sectors > 0) return counts;
  if (!replayed.ran[index]) return unreached(index, memory, replayed);
  // It ran, but none of its lines is in the sample: it has few lines, so they stay in the caches.
  const CacheRoute route = route_of(index, memory);
  return found_in(route.action == CacheRoute::Action::load &&
                  route.first != CacheRoute::First::none);
}

/// Applies the shares of the replayed sectors to all sectors.
void ProfileBuilder::fill_caches(const Replayed& replayed) {
  double cached_loads = 0, l1_hits = 0, l2_hits = 0, l2_reads = 0;
  for (auto& [index, memory] : profile_.instructions) {
    if (memory.sectors <= 0) continue;
    const WeightedCounts counts = shares(index, memory, replayed);
    memory.l1_hit_sectors = memory.sectors * ratio(counts.l1_hits, counts.sectors);
    memory.l2_sectors = memory.sectors * ratio(counts.l2, counts.sectors);
    memory.l2_hit_sectors = memory.l2_sectors * ratio(counts.l2_hits, counts.l2);
    const double lines = ratio(memory.lines, memory.requests);
    memory.waits_for_l2 = any_late(ratio(counts.lines_past_l1, counts.lines), lines);
    memory.waits_for_memory = any_late(ratio(counts.lines_past_l2, counts.lines), lines);
    const bool loads = memory.kind == AccessKind::load || memory.kind == AccessKind::copy_to_shared;
    if (loads && route_of(index, memory).first != CacheRoute::First::none) {
      cached_loads += memory.sectors;
      l1_hits += memory.l1_hit_sectors;
    }
    if (loads) {
      l2_reads += memory.l2_sectors;
      l2_hits += memory.l2_hit_sectors;
    }
    if (memory.kind == AccessKind::store) profile_.l2_write_sectors += memory.l2_sectors;
  }
  profile_.l2_read_sectors = l2_reads;
  profile_.l1_hit_rate = ratio(l1_hits, cached_loads);
  profile_.l2_hit_rate = ratio(l2_hits, l2_reads);
}

/// Extrapolates the growth from the first requests to all of them: blocks may have none.
Touched ProfileBuilder::grown(const Touched& touched, double lines, const ReplayPlan& plan,
                              const Replayed& replayed) {
  const Touched first = touched_by(replayed.touched_first, lines, streams_.buffers, gpu_);
  const double begun = plan.begin();
  std::vector<double> times =
      growth_of(first, ratio(replayed.first_requests, replayed.requests), touched,
                begun * ratio(ordered_requests(profile_), replayed.requests));
  for (double& its : times) its /= begun;
  profile_.notes.emplace_back("unique bytes are extrapolated from the windows");
  return grown_in_buffers(streams_.buffers, touched.by_buffer, times, gpu_);
}

void ProfileBuilder::fill_unique(const ReplayPlan& plan, const Replayed& replayed) {
  profile_.local_bytes = replayed.local_bytes;
  const double lines = std::exp2(plan.machine.caches.sample_bits);
  UniqueBytes unique;
  if (plan.machine.buffers_known) {
    unique = **exact_;
  } else {
    const Touched touched = touched_by(replayed.touched, lines, streams_.buffers, gpu_);
    grown_ = plan.sees_all() ? touched : grown(touched, lines, plan, replayed);
    unique = grown_.unique;
  }
  profile_.unique_read_bytes = unique.read;
  profile_.unique_written_bytes = unique.written;
  profile_.unique_bytes = unique.any;
  profile_.pages = unique.pages;
}

void ProfileBuilder::fill_device(const ReplayPlan& plan, const Replayed& replayed) {
  DeviceTraffic usual, filled;  // filled: by stores that mostly write parts of sectors
  double local_dirtied = 0;
  for (const auto& [index, memory] : profile_.instructions) {
    const WeightedCounts counts = shares(index, memory, replayed);
    const bool loads = memory.kind == AccessKind::load || memory.kind == AccessKind::copy_to_shared;
    const bool completes = counts.read_joined > counts.read_places;  // what others began
    const bool parts = gpu_.l2.part_share > 0 && memory.kind == AccessKind::store &&
                       (completes || 2 * counts.fetched > counts.dirtied);
    (parts ? filled : usual).add(counts, memory.sectors, !loads);
    if (memory.space == MemorySpace::local)
      local_dirtied += memory.sectors * ratio(counts.dirtied, counts.sectors);
  }
  DeviceTraffic all = usual;
  all.add(filled);
  const double gone = this->gone();
  double left = gone;  // of what is dirtied
  if (written_in_the_end_) {
    const double elsewhere = all.dirtied - local_dirtied;
    left = ratio(local_dirtied * gone + elsewhere * *written_in_the_end_, all.dirtied);
  }
  double written = 1, refilled = 1;  // of places
  double reads = usual.fetched * gpu_.sector_bytes, fills = filled.fetched * gpu_.sector_bytes;
  double dirtied = all.dirtied;
  if (!plan.sees_all()) {
    // A window that did not fill L2 cannot tell a first use from a reuse of what an earlier block
    // left. If addresses depend on data, or blocks only began, later blocks find there whatever L2
    // keeps of the footprint.
    const double lost = synthesis_.complete() && plan.begin() >= 1 ? 0 : gone;
    const double unsure = (1 - lost) * usual.fetched * ratio(replayed.unsure, replayed.all.fetched);
    const double sure = (usual.fetched - unsure) * gpu_.sector_bytes;
    const double least = std::min(reads, profile_.unique_read_bytes);
    reads = gone <= 0 ? least : std::max(sure, least);
    // Windows start with an empty L2; a previous launch leaves what fits of its footprint.
    if (options_.warm) reads -= least * (1 - gone);
    written = written_share(gpu_.l2.dirty_share, usual, left, profile_, gpu_);
    refilled = written_share(gpu_.l2.part_share, filled, left, profile_, gpu_);
    double kept = usual.dirtied * (1 - left);
    if (gpu_.l2.dirty_share > 0)
      kept = std::min(kept, usual.dirtied * (1 - lines_of_sectors(usual, gpu_) * written));
    dirtied = usual.dirtied - kept + filled.dirtied * refilled;
    settle_misses(ratio(reads, usual.fetched * gpu_.sector_bytes), replayed);
  } else if (!options_.warm) {
    dirtied = std::max(0.0, dirtied - replayed.left_dirty * (1 - gone));
    written = refilled = ratio(dirtied, all.dirtied);
  }
  fills *= refilled;
  profile_.dram_read_bytes = reads + fills;
  profile_.dram_write_bytes = dirtied * gpu_.sector_bytes;
  const double of_reads = ratio(reads, usual.fetched * gpu_.sector_bytes);
  profile_.dram_read_places =
      std::max(0.0, usual.read_places * of_reads + filled.read_places * refilled);
  profile_.dram_write_places =
      std::max(0.0, usual.write_places * written + filled.write_places * refilled);
}

/// Raises the hits in L2 so that only `share` of what the windows fetched is fetched.
void ProfileBuilder::settle_misses(double share, const Replayed& replayed) {
  if (share >= 1) return;
  double l2_reads = 0, l2_hits = 0;
  for (auto& [index, memory] : profile_.instructions) {
    if (memory.sectors <= 0 || memory.kind == AccessKind::store) continue;
    const WeightedCounts counts = shares(index, memory, replayed);
    const double missed = memory.l2_sectors - memory.l2_hit_sectors;
    memory.l2_hit_sectors = memory.l2_sectors - missed * share;
    memory.waits_for_memory = any_late(share * ratio(counts.lines_past_l2, counts.lines),
                                       ratio(memory.lines, memory.requests));
    if (memory.kind != AccessKind::load && memory.kind != AccessKind::copy_to_shared) continue;
    l2_reads += memory.l2_sectors;
    l2_hits += memory.l2_hit_sectors;
  }
  profile_.l2_hit_rate = ratio(l2_hits, l2_reads);
}

void ProfileBuilder::fill_errors(const Replayed& replayed) {
  const auto difference = [&](auto value) {
    return std::abs(value(replayed.halves[0]) - value(replayed.halves[1])) / 2;
  };
  if (profile_.replayed_share >= 1) return;
  const double l1 = difference([](const WeightedCounts& c) { return ratio(c.l1_hits, c.sectors); });
  const double l2 = difference([](const WeightedCounts& c) { return ratio(c.l2_hits, c.l2); });
  const double per_sector =
      difference([](const WeightedCounts& c) { return ratio(c.fetched, c.sectors); });
  profile_.hit_error = two_sigma * std::max(l1, l2);
  const double mean = ratio(replayed.all.fetched, replayed.all.sectors);
  profile_.dram_error = two_sigma * ratio(per_sector, mean);
  // Windows that differ show a larger error: each represents blocks that were not replayed.
  double spread = 0;
  for (const double window : replayed.fetched)
    spread += (window - mean) * (window - mean) / number(replayed.fetched.size());
  const double windows = number(std::max<std::size_t>(2, replayed.fetched.size())) - 1;
  profile_.dram_error =
      std::max(profile_.dram_error, two_sigma * ratio(std::sqrt(spread / windows), mean));
}

}  // namespace

MemoryProfile profile_memory(const AccessStreams& streams, const SamplePlan& plan, const Gpu& gpu,
                             const MemoryOptions& options) {
  return ProfileBuilder(streams, plan, gpu, options).look(options.most_replayed, options.warm);
}

MemoryLook memory_looks(const AccessStreams& streams, const SamplePlan& plan, const Gpu& gpu,
                        const MemoryOptions& options) {
  auto builder = std::make_shared<ProfileBuilder>(streams, plan, gpu, options);
  return [builder](std::uint64_t lines, bool warm) { return builder->look(lines, warm); };
}

}  // namespace forewarp::memory
