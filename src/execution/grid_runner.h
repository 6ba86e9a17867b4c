// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/expected.h"
#include "execution/block_runner.h"
#include "execution/fault_text.h"

namespace forewarp {

/// Limits and resources of one execution.
struct GridOptions {
  std::uint32_t threads = 1;
  std::uint64_t most_memory = std::uint64_t{4} << 30;  ///< bytes of global memory that is touched
  std::uint64_t most_instructions = std::uint64_t{1}
                                    << 36;  ///< warp instructions of the whole grid
  bool keep_memory = false;                 ///< GridRun::memory holds what all blocks wrote
};

/// What is left of an execution besides what its sink saw.
struct GridRun {
  std::uint64_t blocks = 0;        ///< executed
  std::uint64_t instructions = 0;  ///< warp instructions
  std::vector<AccessFinding> findings;
  std::vector<std::uint32_t> assumed;    ///< instructions whose unknown condition was decided
  std::vector<ExecutionBuffer> buffers;  ///< with keep_memory: what `memory` refers to
  std::unique_ptr<GlobalMemory> memory;  ///< with keep_memory
};

/// Blocks that share one view of global memory, in the order of execution. Groups do not see what
/// others write, as nothing orders blocks; their results are combined in group order, so that the
/// number of threads changes nothing. Kernels with global atomics run as one group.
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
  std::uint64_t instructions = 0;
  std::optional<Diagnostic> failure;

  GroupRun(Sink empty, const Program& program, const LaunchImage& image,
           std::span<const ExecutionBuffer> buffers, std::uint64_t most_memory)
      : sink(std::move(empty)), memory(buffers, most_memory), environment(program, image, memory) {}

  /// Blocks one by one. Where blocks may wait for each other, a block that takes long gives way to
  /// the next ones.
  void run(std::span<const std::uint64_t> blocks, bool interleave,
           std::uint64_t most_instructions) {
    Turns turns;
    turns.block = interleave ? first_turn : most_instructions;
    std::vector<std::unique_ptr<Block>> waiting;
    Block block;
    for (const std::uint64_t number : blocks) {
      block.start(environment, number);
      sink.block_started(block);
      const BlockState state = turn(block, turns, most_instructions);
      if (state == BlockState::faulted) return;
      if (state != BlockState::suspended) continue;
      waiting.push_back(std::make_unique<Block>(std::move(block)));
      waiting.back()->adopt_warps();
      block = Block();
    }
    while (!waiting.empty()) {
      for (auto& suspended : waiting) {
        const BlockState state = turn(*suspended, turns, most_instructions);
        if (state == BlockState::faulted) return;
        if (state == BlockState::ended) suspended.reset();
      }
      std::erase(waiting, nullptr);
    }
  }

 private:
  static constexpr std::uint64_t first_turn = 1 << 16;

  BlockState turn(Block& block, const Turns& turns, std::uint64_t most_instructions) {
    BlockFault failed;
    const std::uint64_t before = block.executed;
    BlockState state = run_block(block, sink, turns, failed);
    instructions += block.executed - before;
    if (state == BlockState::suspended && instructions >= most_instructions) {
      failed.fault.kind = Fault::Kind::step_limit;
      failed.fault.instruction = block.warps.front().pc;
      state = BlockState::faulted;
    }
    if (state == BlockState::faulted) failure = describe_fault(block, failed);
    if (state == BlockState::ended) sink.block_ended(block);
    return state;
  }
};

/// Executes `blocks` of a launch (linear numbers) and gives every event to sinks like `total`;
/// their results are merged into it in block order. Sink: see NoSink, plus `Sink empty() const` and
/// `void merge(const Sink&)`.
template <class Sink>
Expected<GridRun> run_grid(const Program& program, const ExecutionInput& input,
                           std::span<const std::uint64_t> blocks, const GridOptions& options,
                           Sink& total) {
  const LaunchImage image(program, input);
  std::vector<ExecutionBuffer> buffers = with_workspace(input);
  const bool together = program.global_atomics;
  const auto groups = block_groups(blocks, together);
  std::vector<std::unique_ptr<GroupRun<Sink>>> runs(groups.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < groups.size(); i = next++) {
      runs[i] = std::make_unique<GroupRun<Sink>>(total.empty(), program, image, buffers,
                                                 options.most_memory);
      runs[i]->run(groups[i], together, options.most_instructions);
      if (!options.keep_memory) runs[i]->memory.forget();
    }
  };
  std::vector<std::jthread> helpers;
  for (std::uint32_t i = 1; i < options.threads && i < groups.size(); ++i)
    helpers.emplace_back(work);
  work();
  helpers.clear();

  GridRun result;
  if (options.keep_memory)
    result.memory = std::make_unique<GlobalMemory>(buffers, options.most_memory);
  std::vector<std::uint8_t> assumed(program.ops.size(), 0);
  Findings findings;
  for (const auto& run : runs) {
    if (run->failure) return *run->failure;
    total.merge(run->sink);
    result.instructions += run->instructions;
    for (const AccessFinding& finding : run->environment.findings.list()) findings.add(finding);
    for (std::size_t i = 0; i < assumed.size(); ++i) assumed[i] |= run->environment.assumed[i];
    if (options.keep_memory) result.memory->merge(run->memory);
  }
  for (std::uint32_t i = 0; i < assumed.size(); ++i) {
    if (assumed[i] != 0) result.assumed.push_back(i);
  }
  result.blocks = blocks.size();
  result.findings = findings.list();
  if (options.keep_memory) result.buffers = std::move(buffers);
  return result;
}

}  // namespace forewarp
