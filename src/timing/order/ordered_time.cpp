// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/order/ordered_time.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "binding/atomic_rates.h"
#include "binding/bind_timing.h"
#include "binding/issue_rules.h"
#include "execution/grid/grid_runner.h"
#include "execution/order/order_points.h"
#include "execution/order/ordered_blocks.h"

namespace forewarp::timing {
namespace {

/// When lanes wrote words that blocks share: locks that they free, counts, turns.
class Writes {
 public:
  void add(const MemoryAccess& access, double at) {
    ++times_;
    last_ = std::max(last_, at);
    for (unsigned i = 0; i < lane_count; ++i) {
      if (has_lane(access.lanes, i)) add(access.address[i]);
    }
    if (lanes_ > 2 * marks_.back().lanes) marks_.push_back({lanes_, last_});
  }
  [[nodiscard]] double lanes() const { return static_cast<double>(lanes_); }
  /// Cycles that each took of the later half to three quarters; 0: too few were made.
  [[nodiscard]] double pace() const {
    if (times_ < enough) return 0;
    auto half = std::find_if(marks_.rbegin(), marks_.rend(),
                             [&](const Mark& mark) { return mark.lanes <= lanes_ / 2; });
    return (last_ - half->at) / static_cast<double>(lanes_ - half->lanes);
  }
  /// Of the word that was written most often so far.
  [[nodiscard]] double most() const { return static_cast<double>(most_); }
  /// Cycles from one of its later writes to the next; 0: too few were made.
  [[nodiscard]] double pace_of_most() const { return pace_of_most_; }

 private:
  static constexpr std::uint64_t enough = 32;
  struct Mark {
    std::uint64_t lanes = 0;
    double at = 0;
  };
  struct Count {
    double at = 0;
    std::uint64_t lanes = 0;
    Mark before, mark;  ///< when it had a quarter to a half of these, and a half or more
  };

  void add(std::uint64_t word) {
    ++lanes_;
    Count& count = of_word_.at(word);
    count.at = last_;
    ++count.lanes;
    if (count.lanes > most_) {
      constexpr std::uint64_t few = 12;
      most_ = count.lanes;
      const auto since = static_cast<double>(count.lanes - count.before.lanes);
      pace_of_most_ = most_ < few ? 0 : (last_ - count.before.at) / since;
    }
    if (count.lanes >= 2 * count.mark.lanes) {
      count.before = count.mark;
      count.mark = {count.lanes, last_};
    }
  }

  std::uint64_t times_ = 0, lanes_ = 0, most_ = 0;
  double last_ = 0, pace_of_most_ = 0;
  std::vector<Mark> marks_{{}};  ///< each at twice as many as the one before
  execution::WordTable<Count> of_word_;
};

/// Time on one GPU, in SM cycles, for blocks that run side by side.
class GpuClock {
 public:
  struct WarpTime {
    IssueState<double> issue;
    double at = 0;       ///< issue of the last instruction
    double answer = -1;  ///< cycles until its result is there; negative: as bound
    double held = 0;     ///< cycles for which it holds the warp back
  };

  GpuClock(const OrderedLaunch& launch, const Gpu& gpu, const BoundTiming& timing)
      : launch_(launch),
        gpu_(gpu),
        timing_(timing),
        rules_(rules_of(timing)),
        rates_(atomic_rates(gpu)),
        memory_(memory_latencies(gpu, launch.clock).global),
        shared_writes_(execution::shared_writes(launch.program)) {}

  void begin(WarpTime& warp, double at) const {
    warp = WarpTime{};
    warp.issue.ready.resize(timing_.slots.size());
    warp.issue.next.at = warp.at = at;
  }
  [[nodiscard]] double next(const WarpTime& warp, std::uint32_t i) const {
    if (i >= timing_.instructions.size()) return warp.issue.next.at;
    return earliest_issue(warp.issue, timing_.instructions[i], slots_of(i), rules_).at;
  }
  void issue(WarpTime& warp, std::uint32_t, double at) const {
    warp.at = at;
    warp.answer = -1;
    warp.held = 0;
  }
  void settle(WarpTime& warp, std::uint32_t i, bool jumps) const {
    const BoundInstruction& bound = timing_.instructions[i];
    const double latency = warp.answer >= 0 ? warp.answer : bound.latency;
    set_results(warp.issue, bound, slots_of(i), {warp.at, {}}, {warp.at + latency, {}},
                {warp.at + std::min(latency, bound.read_release), {}}, rules_);
    follow_on(warp.issue, bound, jumps, {warp.at, {}}, rules_);
    if (bound.is_barrier) let_go(warp.issue, {warp.at + bound.barrier_latency, {}});
    if (warp.held > 0) let_go(warp.issue, {warp.at + warp.held, {}});
  }
  /// When the warp could go on after what it has settled.
  [[nodiscard]] double follows(const WarpTime& warp) const { return warp.issue.next.at; }
  void sleep(WarpTime& warp, double nanoseconds) const {
    warp.held = std::max(rule("sleep"), nanoseconds * launch_.clock.value() * 1e-3);
  }
  void release(WarpTime& warp, double at) const { let_go(warp.issue, {at, {}}); }

  void accessed(WarpTime& warp, const MemoryAccess& access, const AccessingBlock& block,
                bool shared_word, double queued) {
    if (shared_writes_[access.instruction]) writes_.add(access, warp.at);
    const double fixed = timing_.instructions[access.instruction].latency;
    switch (access.kind) {
      case AccessKind::atomic:
        warp.answer = queued + word_latency(access, block.place) + rule("atomic_return");
        break;
      case AccessKind::load:
        warp.answer =
            shared_word ? word_latency(access, block.place) : load_latency(access, block.number);
        break;
      case AccessKind::copy_to_shared:
        warp.answer = load_latency(access, block.number);
        break;
      case AccessKind::store:
      case AccessKind::reduction:
        touch(access, block.number);
        break;
      case AccessKind::fetch:
        warp.answer = fixed;
        break;
    }
  }
  /// A slice of L2 is busy with the lanes on one word.
  [[nodiscard]] double word_time(const MemoryAccess& access) const {
    std::uint32_t lanes = 0;
    std::uint64_t first = ~std::uint64_t{0};
    for (unsigned i = 0; i < lane_count; ++i) {
      if (!has_lane(access.lanes, i)) continue;
      if (first == ~std::uint64_t{0}) first = access.address[i];
      if (access.address[i] == first) ++lanes;
    }
    const double lane = rates_.lane_of(launch_.program.kernel->instructions[access.instruction]);
    return std::max(rates_.visit, lanes * lane);
  }
  [[nodiscard]] const Writes& writes() const { return writes_; }
  /// Lines of accesses beyond the first of each: finding who touched one takes time, too.
  [[nodiscard]] std::uint64_t lines() const { return lines_; }
  /// A slice of L2 is busy with a poll as with any visit.
  [[nodiscard]] double poll_time() const { return rates_.visit; }
  [[nodiscard]] double launch_interval() const { return gpu_.block_launch_interval; }
  [[nodiscard]] double turnaround() const { return gpu_.block_turnaround; }
  [[nodiscard]] std::uint64_t cycles(double at) const { return static_cast<std::uint64_t>(at); }
  [[nodiscard]] std::uint64_t nanoseconds(double at) const {
    return static_cast<std::uint64_t>(at / launch_.clock.value() * 1e3);
  }

 private:
  [[nodiscard]] double rule(std::string_view name) const {
    const auto found = timing_.rules->latency.find(name);
    return found == timing_.rules->latency.end() ? 0 : found->second;
  }
  [[nodiscard]] IssueSlots slots_of(std::uint32_t i) const {
    return {timing_.instructions[i].reads, timing_.instructions[i].writes, {}};
  }
  /// L2 where the word is: half of the words are in the part that is far from an SM.
  [[nodiscard]] double word_latency(const MemoryAccess& access, std::size_t place) const {
    if (!(gpu_.l2.latency_far > gpu_.l2.latency)) return gpu_.l2.latency;
    std::uint64_t line = first_address(access) / line_bytes();
    line ^= line >> 3 ^ line >> 7 ^ line >> 12;
    return ((line ^ place) & 1U) != 0 ? gpu_.l2.latency_far : gpu_.l2.latency;
  }
  [[nodiscard]] static std::uint64_t first_address(const MemoryAccess& access) {
    for (unsigned i = 0; i < lane_count; ++i) {
      if (has_lane(access.lanes, i)) return access.address[i];
    }
    return 0;
  }
  [[nodiscard]] std::uint64_t line_bytes() const {
    return static_cast<std::uint64_t>(std::max(1.0, gpu_.line_bytes));
  }
  /// The farthest of an access's lines: device memory at their first touch, else L2, or L1 if the
  /// same block touched them last.
  double load_latency(const MemoryAccess& access, std::uint64_t block) {
    double longest = gpu_.l1.latency;
    each_line(access, [&](std::uint64_t line) {
      const auto [found, fresh] = touched_.try_emplace(line, block);
      if (fresh) {
        longest = std::max(longest, memory_);
      } else if (found->second != block || !gpu_.l1.caches_global) {
        longest = std::max(longest, gpu_.l2.latency);
      }
      found->second = block;
    });
    return longest;
  }
  void touch(const MemoryAccess& access, std::uint64_t block) {
    each_line(access, [&](std::uint64_t line) { touched_.try_emplace(line, block); });
  }
  template <class F>
  void each_line(const MemoryAccess& access, F f) {
    std::uint64_t last = ~std::uint64_t{0};
    for (unsigned i = 0; i < lane_count; ++i) {
      if (!has_lane(access.lanes, i)) continue;
      const std::uint64_t line = access.address[i] / line_bytes();
      if (line == last) continue;
      f(line);
      if (last != ~std::uint64_t{0}) ++lines_;
      last = line;
    }
  }

  const OrderedLaunch& launch_;
  const Gpu& gpu_;
  const BoundTiming& timing_;
  WarpRules<double> rules_;
  AtomicRates rates_;
  double memory_;
  std::vector<bool> shared_writes_;  ///< by instruction
  Writes writes_;
  std::uint64_t lines_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> touched_;  ///< line -> block that came last
};

/// What was seen of a launch, or of its beginning.
struct Followed {
  OrderRecord record;
  std::uint64_t instructions = 0;
  Writes writes;
};

Expected<Followed> follow(const OrderedLaunch& launch, const Gpu& gpu, const BoundTiming& timing,
                          std::uint64_t resident, std::uint64_t most_instructions) {
  const LaunchImage image(launch.program, launch.input);
  const auto buffers = with_workspace(launch.input);
  GridOptions options;
  GlobalMemory memory(buffers, options.most_memory, options.content.get());
  Environment environment(launch.program, image, memory);
  GpuClock clock(launch, gpu, timing);
  EventSink nothing;
  OrderLimits limits;
  limits.resident = std::max<std::uint64_t>(1, resident);
  limits.most_instructions = most_instructions;
  std::vector<std::uint64_t> blocks(launch.input.blocks());
  std::iota(blocks.begin(), blocks.end(), std::uint64_t{0});
  OrderedBlocks run(environment, nothing, clock, limits);
  const bool ended = run.run(blocks) || run.cut() || run.record().deadlock;
  if (!ended) return *run.failure();
  Followed followed{run.record(), run.instructions(), clock.writes()};
  std::sort(followed.record.ends.begin(), followed.record.ends.end());
  return followed;
}

/// Cycles from the end of one block to that of the next, over the later half; 0: too few ended.
double pace_of(const OrderRecord& record, std::size_t enough = 64) {
  const std::size_t ended = record.ends.size(), half = ended / 2;
  if (ended < enough || ended < record.most_resident) return 0;
  return (record.ends.back() - record.ends[half]) / static_cast<double>(ended - 1 - half);
}

/// How an edge of a chain grows with the blocks that poll the word of its end.
struct ChainPace {
  double cycles = 0;   ///< of an edge, with few blocks; 0: it is no chain
  double pollers = 0;  ///< of one word, for each resident block
  double poll_period = 0;
};

/// The write waits behind the polls that its slice has not served, the poll that sees it for its
/// turn, half of that on average.
double edge(const ChainPace& pace, double blocks, double poll_time) {
  const double behind = pace.pollers * blocks * poll_time - pace.poll_period;
  return pace.cycles + 1.5 * std::max(0.0, behind);
}

/// All edges of the last `blocks` of a chain.
double edges(const ChainPace& pace, std::uint64_t blocks, std::uint64_t resident,
             double poll_time) {
  const std::uint64_t last = std::min(blocks, resident);
  double cycles =
      static_cast<double>(blocks - last) * edge(pace, static_cast<double>(resident), poll_time);
  for (std::uint64_t left = last; left > 0; --left)
    cycles += edge(pace, static_cast<double>(left), poll_time);
  return cycles;
}

/// The pace of a chain with so few blocks, from which that with many follows; nullopt: too few
/// ended.
std::optional<ChainPace> chain_pace(const OrderedLaunch& launch, const Gpu& gpu,
                                    const BoundTiming& timing, std::uint64_t few,
                                    std::uint64_t& instructions) {
  constexpr double same = 0.03;
  double paces[2] = {0, 0};
  ChainPace pace;
  for (const std::uint64_t resident : {few, 2 * few}) {
    const auto seen = follow(launch, gpu, timing, resident, launch.most_instructions / 4);
    // Blocks may wait for ones that are not resident then.
    if (!seen || seen->record.deadlock) return ChainPace{};
    instructions += seen->instructions;
    paces[resident / few - 1] = pace_of(seen->record, 2 * few);
    pace.pollers = static_cast<double>(seen->record.pollers) / static_cast<double>(resident);
    pace.poll_period = seen->record.poll_period;
  }
  if (!(paces[0] > 0 && paces[1] > 0)) return std::nullopt;
  if (std::fabs(paces[1] / paces[0] - 1) < same) pace.cycles = paces[1];
  return pace;
}

double instructions_of(const OrderedLaunch& launch) {
  double all = 0;
  for (const InstructionCount& count : launch.counts) all += count.warps;
  return all;
}

/// Lanes that write words that blocks share, in the whole launch; 0: not known.
double writes_of(const OrderedLaunch& launch) {
  if (!launch.all_ran) return 0;
  const std::vector<bool> writes = execution::shared_writes(launch.program);
  double all = 0;
  for (std::size_t i = 0; i < std::min(launch.counts.size(), writes.size()); ++i) {
    if (writes[i]) all += launch.counts[i].lanes;
  }
  return all;
}

/// When the last write is made if all go on at the pace of the later ones, and those of the word
/// that most go to one after the other; 0: too few were seen.
double end_of_writes(const OrderedLaunch& launch, const Writes& seen, double so_far) {
  const double all = writes_of(launch), left = all - seen.lanes();
  if (!(seen.pace() > 0 && left > 0)) return 0;
  const double hottest = launch.hottest * all - seen.most();
  return so_far + std::max(left * seen.pace(), hottest * seen.pace_of_most());
}

}  // namespace

Expected<OrderedTime> ordered_time(const OrderedLaunch& launch, const Gpu& gpu,
                                   const BoundTiming& timing) {
  auto seen = follow(launch, gpu, timing, launch.resident_blocks, launch.most_instructions);
  if (!seen) return std::move(seen).error();
  OrderedTime time;
  time.record = std::move(seen->record);
  time.instructions = seen->instructions;
  OrderRecord& record = time.record;
  if (record.deadlock) return time;
  time.cycles = record.end;
  if (record.cut()) {
    const auto all = static_cast<double>(record.of_blocks);
    const auto ended = static_cast<double>(record.ends.size());
    const double pace = pace_of(record);
    const auto chain_of = [&](std::uint64_t few) {
      return chain_pace(launch, gpu, timing, few, time.instructions);
    };
    constexpr std::uint64_t few = 32, fewest = 8;
    std::optional<ChainPace> chain = pace > 0 ? ChainPace{} : chain_of(few);
    const double end = pace > 0 || (chain && chain->cycles > 0)
                           ? 0
                           : end_of_writes(launch, seen->writes, record.end);
    // Fewer blocks poll less, so that more of them end.
    if (!chain && !(end > 0)) chain = chain_of(fewest);
    const double so_far = ended > 0 ? record.ends.back() : 0;
    if (pace > 0) {
      time.followed = ended / all;
      time.cycles = so_far + pace * (all - ended);
    } else if (chain && chain->cycles > 0) {
      time.followed = ended / all;
      time.cycles = so_far + edges(*chain, record.of_blocks - record.ends.size(),
                                   launch.resident_blocks, atomic_rates(gpu).visit);
    } else if (end > 0) {
      time.followed = record.end / end;
      time.cycles = end;
    } else if (const double instructions = instructions_of(launch); instructions > 0) {
      time.followed = std::min(1.0, static_cast<double>(seen->instructions) / instructions);
      time.cycles = record.end / time.followed;
    } else {
      time.cycles = 0;
    }
  }
  record.ends.clear();
  return time;
}

}  // namespace forewarp::timing
