// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/expected.h"
#include "base/threads.h"
#include "execution/grid/waiting_blocks.h"
#include "execution/order/nominal_run.h"
#include "execution/storage/content_pages.h"
#include "execution/warp/block_runner.h"
#include "execution/warp/fault_text.h"

namespace forewarp::execution {

/// Limits and resources of one execution.
struct GridOptions {
  std::uint32_t threads = 1;
  std::uint64_t most_memory = std::uint64_t{4} << 30;  ///< bytes of global memory that is touched
  std::uint64_t most_instructions = std::uint64_t{1} << 36;  ///< warp instructions, all blocks
  /// When a limit is reached, blocks stop where they are and the run still succeeds (GridRun::cut);
  /// so it does when the kernel faults by itself or cannot go on whatever its data (stopped).
  bool keep_cut = false;
  /// Each block ends after this many warp instructions, divided among its warps; its sink is told
  /// of the end as usual.
  std::uint64_t most_of_block = whole_block;
  static constexpr std::uint64_t whole_block = ~std::uint64_t{0};
  bool keep_memory = false;  ///< GridRun::memory holds what all blocks wrote
  bool in_place = false;     ///< all buffers have a place, on which blocks act: see in_place_run.h
  /// Initial contents of pages; copies of these options share them.
  std::shared_ptr<ContentPages> content = std::make_shared<ContentPages>();
};

/// Results of an execution besides those of its sink.
/// A buffer that a launch in place used.
struct BufferUse {
  std::uint64_t address = 0;  ///< where it begins
  std::uint8_t use = 0;       ///< bits of buffer_use
};

struct GridRun {
  std::uint64_t blocks = 0;                ///< executed
  std::uint64_t instructions = 0;          ///< warp instructions
  std::optional<Diagnostic> cut, stopped;  ///< with keep_cut
  bool waits = false;                      ///< see PathProfile
  bool late = false;                       ///< in place: time, no count, has cut it
  std::vector<AccessFinding> findings;
  std::vector<std::uint32_t> assumed;  ///< instructions whose unknown condition was assumed
  std::vector<std::uint32_t> halved, scattered, unmet;  ///< see PathProfile
  bool forgets = false;                                 ///< see PathProfile
  bool lost = false;                                    ///< in place: an unknown value was stored
  std::vector<BufferUse> uses;                          ///< in place, by address
  std::vector<ExecutionBuffer> buffers;  ///< with keep_memory: what `memory` refers to
  std::unique_ptr<GlobalMemory> memory;  ///< with keep_memory
};

/// Groups of blocks that share one view of global memory, in order of execution. Groups do not see
/// each other's writes, since nothing orders blocks; their results are merged in group order and so
/// do not depend on the number of threads. Kernels with global atomics run as one group.
[[nodiscard]] std::vector<std::span<const std::uint64_t>> block_groups(
    std::span<const std::uint64_t> blocks, bool one_group);

/// The launch's buffers and the workspace of the cooperative-launch runtime.
[[nodiscard]] std::vector<ExecutionBuffer> with_workspace(const ExecutionInput& input);

/// One group's execution.
template <class Sink>
struct GroupRun {
  Sink sink;
  GlobalMemory memory;
  Environment environment;
  std::uint64_t most = 0;  ///< limit on warp instructions
  bool keep_cut = false;
  std::uint64_t most_of_block = GridOptions::whole_block;
  std::uint64_t instructions = 0;
  std::optional<Diagnostic> failure;
  bool cut = false, stopped = false;  ///< what caused `failure`: the limit, or the kernel itself
  bool waits = false;                 ///< cut: as OrderedEnd

  GroupRun(Sink empty, const Program& program, const LaunchImage& image,
           std::span<const ExecutionBuffer> buffers, const GridOptions& options)
      : sink(std::move(empty)),
        memory(buffers, options.most_memory, options.content.get(), options.in_place),
        environment(program, image, memory),
        most(options.most_instructions),
        keep_cut(options.keep_cut),
        most_of_block(options.most_of_block) {}

  /// Runs blocks one by one; those that wait for each other or take work from each other side by
  /// side, in simulated time. Where only their atomics meet, a block that takes long is suspended
  /// and the next ones run.
  void run(std::span<const std::uint64_t> blocks, bool interleave) {
    if (most_of_block != GridOptions::whole_block) return run_beginnings(blocks);
    if (environment.program->moving) return run_ordered(blocks);
    if (volume(environment.image->input().cluster) > 1) return run_clusters(blocks);
    Turns turns;
    if (interleave) turns.block = first_turn;
    WaitingBlocks waiting;
    const auto round = [&] {
      const bool goes_on = waiting.round(
          [&](Block& suspended) { return turn(suspended, turns) == BlockState::suspended; },
          [&] { return !failure; });
      if (!goes_on) end_all(waiting);
      return goes_on;
    };
    Block block;
    for (const std::uint64_t number : blocks) {
      block.start(environment, number);
      sink.block_started(block);
      if (turn(block, turns) != BlockState::suspended) {
        if (failure) return end_all(waiting);
        continue;
      }
      waiting.add(std::move(block));
      block = Block();
      while (waiting.full()) {
        if (!round()) return;
      }
    }
    while (!waiting.empty()) {
      if (!round()) return;
    }
  }

 private:
  static constexpr std::uint64_t first_turn = 1 << 16;
  static constexpr std::size_t remembered_clusters = 64;
  /// About as many as a board holds; more start where all of these wait.
  static constexpr std::uint64_t resident_threads = 1 << 18, resident_blocks = 1 << 11;

  /// Blocks of a cluster run together, with those that nobody asked for.
  void run_clusters(std::span<const std::uint64_t> blocks) {
    const ExecutionInput& input = environment.image->input();
    std::vector<std::uint64_t> done;
    for (const std::uint64_t number : blocks) {
      const Extent at = block_index(number, input.grid);
      Extent first{};
      for (std::size_t axis = 0; axis < 3; ++axis)
        first[axis] = at[axis] / input.cluster[axis] * input.cluster[axis];
      const std::uint64_t corner = block_number(first, input.grid);
      if (std::find(done.begin(), done.end(), corner) != done.end()) continue;
      done.push_back(corner);
      if (done.size() > remembered_clusters) done.erase(done.begin());
      if (!run_cluster(blocks, first)) return;
    }
  }

  bool run_cluster(std::span<const std::uint64_t> blocks, const Extent& first) {
    const ExecutionInput& input = environment.image->input();
    std::vector<std::unique_ptr<Block>> members;
    std::vector<Block*> peers;
    std::vector<bool> asked;
    for (std::uint64_t rank = 0; rank < volume(input.cluster); ++rank) {
      const Extent in = block_index(rank, input.cluster);
      const std::uint64_t number =
          block_number({first[0] + in[0], first[1] + in[1], first[2] + in[2]}, input.grid);
      members.push_back(std::make_unique<Block>());
      members.back()->start(environment, number);
      peers.push_back(members.back().get());
      asked.push_back(std::binary_search(blocks.begin(), blocks.end(), number));
      if (asked.back()) sink.block_started(*members.back());
    }
    for (auto& member : members) member->peers = peers;
    std::vector<bool> ended(members.size(), false);
    for (std::size_t left = members.size(); left > 0;) {
      bool moved = false;
      BlockFault stuck;
      const Block* where = nullptr;
      for (std::size_t i = 0; i < members.size(); ++i) {
        if (ended[i]) continue;
        Block& block = *members[i];
        const std::uint64_t before = block.executed;
        BlockFault failed;
        Turns turns;
        turns.block = most - instructions;
        NoSink nobody;
        const BlockState state = asked[i] ? run_block(block, sink, turns, failed)
                                          : run_block(block, nobody, turns, failed);
        instructions += block.executed - before;
        moved = moved || block.executed != before;
        if (state == BlockState::waits) {
          stuck = failed;
          where = &block;
          continue;
        }
        if (state == BlockState::suspended) {
          cut = true;
          failed = where_it_is(block);
        }
        if (state != BlockState::ended) {
          failure = describe_fault(block, failed);
          stopped = !cut && failed.fault.final();
          return end_members(members, asked, ended);
        }
        ended[i] = moved = true;
        --left;
        if (asked[i]) sink.block_ended(block);
      }
      if (moved || left == 0) continue;
      failure = describe_fault(*where, stuck);
      stopped = true;
      return end_members(members, asked, ended);
    }
    return true;
  }

  bool end_members(std::vector<std::unique_ptr<Block>>& members, const std::vector<bool>& asked,
                   const std::vector<bool>& ended) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (cut && keep_cut && asked[i] && !ended[i]) end_early(*members[i]);
    }
    return false;
  }

  void run_ordered(std::span<const std::uint64_t> blocks) {
    OrderLimits limits;
    const std::uint64_t threads = environment.image->input().threads_per_block();
    limits.resident = std::clamp<std::uint64_t>(resident_threads / threads, 1, resident_blocks);
    limits.strict = false;
    limits.most_instructions = most;
    SinkEvents<Sink> events(sink);
    const OrderedEnd end = run_nominal(environment, events, blocks, limits, [&](Block& block) {
      if (keep_cut) end_early(block);
    });
    instructions += end.instructions;
    failure = end.failure;
    cut = end.cut;
    stopped = end.stopped;
    waits = end.waits;
  }

  /// Runs the beginnings alone. A block that cannot pass a barrier, since other warps stop short of
  /// it, is no failure here.
  void run_beginnings(std::span<const std::uint64_t> blocks) {
    Block block;
    for (const std::uint64_t number : blocks) {
      block.start(environment, number);
      sink.block_started(block);
      Turns turns;
      turns.block = most_of_block;
      turns.warp = std::max<std::uint64_t>(1, most_of_block / block.warps.size());
      BlockFault failed;
      const BlockState state = run_block(block, sink, turns, failed);
      instructions += block.executed;
      if (state == BlockState::faulted && failed.fault.kind != Fault::Kind::deadlock) {
        failure = describe_fault(block, failed);
        return;
      }
      sink.block_ended(block);
    }
  }

  BlockState turn(Block& block, Turns turns) {
    BlockFault failed;
    const std::uint64_t before = block.executed;
    turns.block = std::min(turns.block, most - instructions);
    BlockState state = run_block(block, sink, turns, failed);
    instructions += block.executed - before;
    if (state == BlockState::suspended && instructions >= most) {
      cut = true;
      failed = where_it_is(block);
      state = BlockState::faulted;
    }
    if (state == BlockState::faulted) {
      failure = describe_fault(block, failed);
      stopped = !cut && failed.fault.final();
    }
    if (state == BlockState::ended) sink.block_ended(block);
    if (cut && keep_cut) end_early(block);
    return state;
  }

  static BlockFault where_it_is(const Block& block) {
    BlockFault place;
    place.fault.kind = Fault::Kind::step_limit;
    for (const Warp& warp : block.warps) {
      if (warp.alive == 0 || warp.waits_at_barrier) continue;
      place.fault.instruction = warp.pc;
      place.warp = warp.number;
      break;
    }
    return place;
  }

  /// Ends a block where it is; what it has done so far counts.
  void end_early(Block& block) {
    for (const Warp& warp : block.warps) {
      if (warp.alive != 0) sink.warp_ended(warp);
    }
    sink.block_ended(block);
  }
  void end_all(WaitingBlocks& waiting) {
    if (keep_cut) waiting.each([&](Block& block) { end_early(block); });
  }
};

/// Executes `blocks` (linear numbers) of a launch. Events go to sinks made by total.empty(), which
/// are merged into `total` in block order. Sink: the functions of NoSink, plus `Sink empty() const`
/// and `void merge(Sink&)`.
template <class Sink>
Expected<GridRun> run_grid(const Program& program, const ExecutionInput& input,
                           std::span<const std::uint64_t> blocks, const GridOptions& options,
                           Sink& total) {
  const LaunchImage image(program, input);
  std::vector<ExecutionBuffer> buffers = with_workspace(input);
  const bool together = program.global_atomics || program.moving.has_value() || program.ordered;
  const auto groups = block_groups(blocks, together);
  std::vector<std::unique_ptr<GroupRun<Sink>>> runs(groups.size());
  const auto run_group = [&](std::size_t i, std::uint64_t most) {
    GridOptions own = options;
    own.most_instructions = most;
    runs[i] = std::make_unique<GroupRun<Sink>>(total.empty(), program, image, buffers, own);
    runs[i]->run(groups[i], together);
    if (!options.keep_memory) runs[i]->memory.forget();
  };
  std::atomic<std::size_t> next = 0;
  const auto work = [&](unsigned) {
    for (std::size_t i = next++; i < groups.size(); i = next++)
      run_group(i, options.most_instructions);
  };
  const bool parallel = options.threads > 1;
  if (parallel) {
    in_threads(std::min(options.threads, static_cast<std::uint32_t>(groups.size())), work);
  }

  GridRun result;
  if (options.keep_memory)
    result.memory = std::make_unique<GlobalMemory>(buffers, options.most_memory);
  std::vector<std::uint8_t> assumed(program.ops.size(), 0);
  Findings findings;
  for (std::size_t group = 0; group < groups.size() && !result.cut; ++group) {
    // The limit applies as if groups ran one after the other, however many run in parallel.
    const std::uint64_t left = options.most_instructions - result.instructions;
    if (!parallel || runs[group]->instructions > left) run_group(group, left);
    const auto run = std::move(runs[group]);
    if (run->failure && !(options.keep_cut && (run->cut || run->stopped))) return *run->failure;
    if (run->stopped) {
      result.stopped = run->failure;
      return result;
    }
    result.cut = run->failure;
    result.waits = run->waits;
    total.merge(run->sink);
    result.blocks += groups[group].size();
    result.instructions += run->instructions;
    for (const AccessFinding& finding : run->environment.findings.list()) findings.add(finding);
    for (std::size_t i = 0; i < assumed.size(); ++i) assumed[i] |= run->environment.assumed[i];
    result.forgets = result.forgets || run->memory.forgets();
    if (options.keep_memory) result.memory->merge(run->memory);
  }
  for (std::uint32_t i = 0; i < assumed.size(); ++i) {
    if ((assumed[i] & assumed_condition) != 0) result.assumed.push_back(i);
    if ((assumed[i] & assumed_half) != 0) result.halved.push_back(i);
    if ((assumed[i] & assumed_place) != 0) result.scattered.push_back(i);
    if ((assumed[i] & assumed_meeting) != 0) result.unmet.push_back(i);
  }
  result.findings = findings.list();
  if (options.keep_memory) result.buffers = std::move(buffers);
  return result;
}

}  // namespace forewarp::execution
