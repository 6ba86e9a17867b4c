// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/replay_plan.h"

#include <algorithm>
#include <cmath>

#include "program/launch.h"

namespace forewarp::memory {
namespace {

constexpr double enumerated_per_replayed = 6;  // most lines looked at per line simulated
constexpr std::uint64_t most_windows = 3;
constexpr double fewest_l1_lines = 16, fewest_l2_lines = 2048;  // in a sample of the sets

/// Sample bits with which `lines` fit into the budget, limited by the caches' sizes.
std::uint32_t sample_bits_for(double lines, const ReplayMachine& machine, const Gpu& gpu,
                              double budget) {
  const auto enough = [&](double bytes, double fewest, std::uint32_t bits) {
    return bytes <= 0 || bytes / gpu.line_bytes / std::exp2(bits) >= fewest;
  };
  std::uint32_t bits = 0;
  while (lines / std::exp2(bits) > budget &&
         enough(machine.caches.l1_bytes, fewest_l1_lines, bits + 1) &&
         enough(machine.caches.l2_bytes, fewest_l2_lines, bits + 1)) {
    ++bits;
  }
  return bits;
}

/// SMs that a grid can reach, as blocks are distributed to SMs in turn.
std::uint32_t reached_sms(double sms, std::uint64_t blocks) {
  return static_cast<std::uint32_t>(std::clamp(static_cast<double>(blocks), 1.0, sms));
}

/// Runs of consecutive recorded blocks, at least half as long as the longest: windows that were
/// executed for this purpose.
std::vector<std::pair<std::uint64_t, std::uint64_t>> recorded_runs(const AccessStreams& streams) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> runs;
  for (const BlockStream& block : streams.blocks) {
    if (!runs.empty() && runs.back().second == block.block) {
      ++runs.back().second;
    } else {
      runs.emplace_back(block.block, block.block + 1);
    }
  }
  std::uint64_t longest = 0;
  for (const auto& [first, last] : runs) longest = std::max(longest, last - first);
  std::erase_if(runs, [&](const auto& run) { return 2 * (run.second - run.first) < longest; });
  return runs;
}

class Planner {
 public:
  Planner(const AccessStreams& streams, const Gpu& gpu, const MemoryOptions& options, double pieces,
          ReplayPlan& plan)
      : streams_(streams),
        gpu_(gpu),
        blocks_(volume(streams.grid)),
        pieces_(std::max(1.0, pieces)),
        budget_(static_cast<double>(std::max<std::uint64_t>(1, options.most_replayed))),
        resident_(std::uint64_t{gpu.sms} * std::max(1U, options.blocks_per_sm)),
        plan_(plan) {}

  [[nodiscard]] double affordable() const { return enumerated_per_replayed * budget_ / pieces_; }

  void whole() {
    plan_.whole = true;
    plan_.windows.push_back({0, 0, blocks_, {}, static_cast<double>(blocks_)});
    set_sample(static_cast<double>(blocks_));
  }

  /// Plans windows of a grid in which every block is known.
  void windows() {
    const auto most = static_cast<std::uint64_t>(affordable());
    if (most < 2 * resident_) return one_wave(most);
    const std::uint64_t count = std::clamp<std::uint64_t>(most / (2 * resident_), 1, most_windows);
    const std::uint64_t size = std::min(blocks_, most / count / resident_ * resident_);
    for (std::uint64_t i = 0; i < count; ++i) {
      // Starts where a residency begins if all blocks take equally long.
      const std::uint64_t even = (blocks_ - size) / std::max<std::uint64_t>(1, count - 1) * i;
      const std::uint64_t first = even / resident_ * resident_;
      add(first, first + size);
    }
    set_sample(static_cast<double>(size * count));
    plan_.notes.push_back("caches saw " + std::to_string(count) + " windows of " +
                          std::to_string(size) + " consecutive blocks");
  }

  /// Plans runs of executed blocks, on as few SMs as they fill twice.
  void runs() {
    auto runs = recorded_runs(streams_);
    const std::uint64_t longest = runs.front().second - runs.front().first;
    if (longest < 2 && runs.size() > 1) return scattered();
    const auto most =
        static_cast<std::uint64_t>(std::max(1.0, affordable() / static_cast<double>(runs.size())));
    const std::uint64_t size = std::min(longest, most);
    if (size < 2 * resident_)
      shrink(static_cast<double>(size) / static_cast<double>(2 * resident_));
    for (const auto& [first, last] : runs) add(first, std::min(last, first + size));
    set_sample(static_cast<double>(size * runs.size()));
    plan_.notes.push_back("addresses follow from data: caches saw " + std::to_string(runs.size()) +
                          " windows of " + std::to_string(size) + " executed blocks");
  }

 private:
  /// If less than two residencies fit the budget: one residency, and of each warp as much as fits.
  void one_wave(std::uint64_t most) {
    const std::uint64_t size = std::min(blocks_, std::max(most, resident_));
    plan_.machine.access_share = std::min(1.0, affordable() / static_cast<double>(size));
    add(0, size);
    set_sample(static_cast<double>(size) * plan_.machine.access_share);
    plan_.notes.push_back("caches saw the first " + std::to_string(size) + " blocks" +
                          (plan_.machine.access_share < 1 ? ", the beginning of each" : ""));
  }

  void scattered() {
    ReplayWindow window;
    for (const BlockStream& block : streams_.blocks) window.order.push_back(block.block);
    const auto most = static_cast<std::size_t>(std::max(1.0, affordable()));
    if (window.order.size() > most) window.order.resize(most);
    window.stands_for = static_cast<double>(blocks_);
    shrink(static_cast<double>(window.order.size()) / static_cast<double>(2 * resident_));
    set_sample(static_cast<double>(window.order.size()));
    plan_.windows.push_back(std::move(window));
    plan_.notes.emplace_back(
        "addresses follow from data and no consecutive blocks were executed: hits between blocks "
        "are not seen");
  }

  /// Models a part of the GPU: fewer SMs, with all of L2. Where addresses cannot be foreseen,
  /// blocks come back to what all of them draw from, however many run side by side.
  void shrink(double share) {
    const double sms = std::max(1.0, std::floor(share * gpu_.sms));
    if (sms >= gpu_.sms) return;
    plan_.machine.caches.sms = reached_sms(sms, blocks_);
    plan_.machine.caches.sms_share = sms / gpu_.sms;
    resident_ = static_cast<std::uint64_t>(sms) * plan_.machine.blocks_per_sm;
  }

  /// A first window at the grid's beginning represents itself; the others share the rest.
  void add(std::uint64_t first, std::uint64_t last) {
    const std::uint64_t warm = first == 0 ? 0 : std::min(resident_, (last - first) / 2);
    plan_.windows.push_back({first, first + warm, last, {}, 0});
    const bool begins = plan_.windows.front().first == 0;
    const double own = begins ? static_cast<double>(plan_.windows.front().last) : 0;
    const double others = static_cast<double>(plan_.windows.size()) - (begins ? 1 : 0);
    for (ReplayWindow& window : plan_.windows)
      window.stands_for = (static_cast<double>(blocks_) - own) / std::max(1.0, others);
    if (begins) plan_.windows.front().stands_for = others > 0 ? own : static_cast<double>(blocks_);
  }

  void set_sample(double blocks) {
    plan_.machine.caches.sample_bits =
        sample_bits_for(blocks * pieces_, plan_.machine, gpu_, budget_);
  }

  const AccessStreams& streams_;
  const Gpu& gpu_;
  std::uint64_t blocks_;
  double pieces_, budget_;
  std::uint64_t resident_;
  ReplayPlan& plan_;
};

}  // namespace

ReplayPlan plan_replay(const AccessStreams& streams, const BlockSynthesis& synthesis,
                       const Gpu& gpu, const MemoryOptions& options, double l1_bytes,
                       double pieces) {
  ReplayPlan plan;
  plan.machine.blocks_per_sm = std::max(1U, options.blocks_per_sm);
  plan.machine.caches.sms = reached_sms(std::max(1U, gpu.sms), volume(streams.grid));
  plan.machine.caches.l1_bytes = l1_bytes;
  plan.machine.caches.read_only_bytes = gpu.l1.read_only_bytes;
  plan.machine.caches.l2_bytes = gpu.l2.bytes;
  plan.machine.caches.local =
      std::any_of(streams.shapes.begin(), streams.shapes.end(),
                  [](const AccessShape& shape) { return shape.space == MemorySpace::local; });
  Planner planner(streams, gpu, options, pieces, plan);
  const auto blocks = static_cast<double>(volume(streams.grid));
  const bool known = synthesis.complete();
  if (known && blocks <= planner.affordable()) {
    planner.whole();
  } else if (known) {
    planner.windows();
  } else if (!streams.blocks.empty()) {
    planner.runs();
  }
  return plan;
}

}  // namespace forewarp::memory
