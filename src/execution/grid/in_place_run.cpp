// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/in_place_run.h"

#include <algorithm>
#include <numeric>

#include "execution/grid/waiting_blocks.h"
#include "execution/lowering/kernel_lowering.h"
#include "execution/storage/address_space.h"

namespace forewarp::execution {
namespace {

constexpr std::uint64_t parallel_threads = 4096;  // fewer threads of a grid are not worth a thread
constexpr std::uint64_t most_piece = 256;         // blocks that a thread takes at a time
constexpr std::uint64_t pieces_per_thread = 8;    // so that threads end at about the same time

// Warps of a block begin in small steps, so that what all of them load first is loaded before one
// of them stores: on a device they run at the same time, and programs rely on it.
constexpr std::uint64_t first_step = 16;
constexpr unsigned first_steps = 8;
constexpr std::uint64_t alone_turn = 1 << 16;  // of a block that others may wait for
constexpr std::uint64_t moving_turn = 1 << 6;  // of blocks that take work from each other
constexpr std::uint64_t asked_turn = 1 << 22;  // of a block between two questions whether to go on

/// What the threads of one launch share.
class Pieces {
 public:
  Pieces(std::uint64_t blocks, std::uint64_t size, std::uint64_t most)
      : blocks_(blocks), size_(size), left_(most) {}

  /// The next blocks; empty at the end, and once a piece failed.
  std::vector<std::uint64_t> take() {
    if (stopped_) return {};
    const std::uint64_t begin = next_.fetch_add(size_);
    if (begin >= blocks_) return {};
    std::vector<std::uint64_t> piece(std::min(size_, blocks_ - begin));
    std::iota(piece.begin(), piece.end(), begin);
    return piece;
  }
  void stop() { stopped_ = true; }
  /// Instructions that may still be executed, and after a piece.
  [[nodiscard]] std::uint64_t left() const { return left_; }
  void spend(std::uint64_t instructions) { left_ -= std::min(left_.load(), instructions); }

 private:
  std::uint64_t blocks_, size_;
  std::atomic<std::uint64_t> next_ = 0, left_;
  std::atomic<bool> stopped_ = false;
};

/// Executes blocks, one after another or, where they may wait for each other, by turns.
class Runner {
 public:
  Runner(const Program& program, const LaunchImage& image, std::span<const ExecutionBuffer> buffers,
         const std::function<bool()>& goes_on)
      : memory_(buffers, 0, nullptr, true),
        environment_(program, image, memory_),
        goes_on_(&goes_on) {}

  /// At most `most` instructions more. Returns false at a failure or at that limit.
  bool run(std::span<const std::uint64_t> blocks, bool by_turns, std::uint64_t most) {
    limit_ = instructions_ + most;
    const bool moving = environment_.program->moving.has_value();
    WaitingBlocks waiting;
    Turns turns;
    turns.block = by_turns ? alone_turn : asked_turn;
    turns.behind_barrier = first_step;
    const auto round = [&] {
      return waiting.round(
          [&](Block& suspended) {
            return may_go_on(suspended.linear) && turn(suspended, turns) == BlockState::suspended;
          },
          [&] { return !failure_; });
    };
    for (const std::uint64_t number : blocks) {
      if (!may_go_on(number)) return false;
      block_.start(environment_, number);
      if (moving) {
        turns.warp = moving_turn;
        turns.block = moving_turn * block_.warps.size();
      }
      BlockState state = begin(block_);
      if (state == BlockState::suspended) state = turn(block_, turns);
      while (state == BlockState::suspended && !by_turns && may_go_on(number))
        state = turn(block_, turns);
      if (failure_) return false;
      if (state != BlockState::suspended) continue;
      waiting.add(std::move(block_));
      block_ = Block();
      while (waiting.full()) {
        if (!round()) return false;
      }
    }
    while (!waiting.empty()) {
      if (!round()) return false;
    }
    return true;
  }

  [[nodiscard]] const Environment& environment() const { return environment_; }
  [[nodiscard]] const GlobalMemory& memory() const { return memory_; }
  [[nodiscard]] std::uint64_t instructions() const { return instructions_; }
  [[nodiscard]] const std::optional<Diagnostic>& failure() const { return failure_; }
  [[nodiscard]] bool cut() const { return cut_; }
  [[nodiscard]] bool late() const { return late_; }

 private:
  bool may_go_on(std::uint64_t block) {
    if (!*goes_on_ || (*goes_on_)()) return true;
    cut_ = late_ = true;
    failure_ = Diagnostic{"block " + std::to_string(block), "not executed in time", "", ""};
    return false;
  }

  BlockState begin(Block& block) {
    if (block.warps.size() < 2) return BlockState::suspended;
    const Turns step{first_step, first_step * block.warps.size(), first_step, false};
    BlockState state = BlockState::suspended;
    for (unsigned i = 0; i < first_steps && state == BlockState::suspended; ++i)
      state = turn(block, step);
    return state;
  }

  BlockState turn(Block& block, Turns turns) {
    NoSink sink;
    BlockFault failed;
    const std::uint64_t before = block.executed;
    turns.block = std::min(turns.block, limit_ - instructions_);
    BlockState state = run_block(block, sink, turns, failed);
    instructions_ += block.executed - before;
    if (state == BlockState::suspended && instructions_ >= limit_) {
      cut_ = true;
      failed.fault.kind = Fault::Kind::step_limit;
      for (const Warp& warp : block.warps) {
        if (warp.alive == 0 || warp.waits_at_barrier) continue;
        failed.fault.instruction = warp.pc;
        failed.warp = warp.number;
        break;
      }
      state = BlockState::faulted;
    }
    if (state == BlockState::faulted) failure_ = describe_fault(block, failed);
    return state;
  }

  GlobalMemory memory_;
  Environment environment_;
  const std::function<bool()>* goes_on_;
  Block block_;
  std::uint64_t instructions_ = 0, limit_ = 0;
  std::optional<Diagnostic> failure_;
  bool cut_ = false, late_ = false;
};

}  // namespace

Expected<GridRun> run_in_place(const Program& program, const ExecutionInput& input,
                               const GridOptions& options, const std::function<bool()>& goes_on) {
  const LaunchImage image(program, input);
  std::vector<std::uint8_t> workspace(address_space::workspace_bytes);
  std::vector<ExecutionBuffer> buffers = with_workspace(input);
  buffers.back().place = workspace.data();
  // What is printed and allocated comes in the order of the blocks.
  const bool calls_outside = may_call_driver(program);
  const bool together = program.global_atomics || program.moving.has_value() || calls_outside;
  const std::uint64_t blocks = input.blocks();
  const bool parallel = !together && options.threads > 1 && blocks > 1 &&
                        blocks * input.threads_per_block() >= parallel_threads;
  const std::uint32_t threads =
      parallel ? static_cast<std::uint32_t>(std::min<std::uint64_t>(options.threads, blocks)) : 1;
  const std::uint64_t size =
      together ? blocks
               : std::clamp<std::uint64_t>(blocks / (threads * pieces_per_thread), 1, most_piece);
  Pieces pieces(blocks, size, options.most_instructions);
  std::vector<std::unique_ptr<Runner>> runs;
  for (std::uint32_t i = 0; i < threads; ++i)
    runs.push_back(std::make_unique<Runner>(program, image, buffers, goes_on));
  const auto work = [&](std::size_t number) {
    Runner& run = *runs[number];
    for (auto piece = pieces.take(); !piece.empty(); piece = pieces.take()) {
      const std::uint64_t before = run.instructions();
      const bool done = run.run(piece, together, pieces.left());
      pieces.spend(run.instructions() - before);
      if (!done) return pieces.stop();
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back(work, i);
    work(0);
  }
  GridRun result;
  result.blocks = blocks;
  Findings findings;
  std::vector<std::uint8_t> assumed(program.ops.size(), 0);
  for (const auto& run : runs) {
    if (run->failure() && !run->cut()) return *run->failure();
    if (run->cut()) result.cut = run->failure();
    result.late = result.late || run->late();
    result.instructions += run->instructions();
    result.lost = result.lost || run->memory().lost();
    const Environment& seen = run->environment();
    for (const AccessFinding& finding : seen.findings.list()) findings.add(finding);
    for (std::size_t i = 0; i < assumed.size(); ++i) assumed[i] |= seen.assumed[i];
  }
  for (std::uint32_t i = 0; i < assumed.size(); ++i) {
    if ((assumed[i] & assumed_condition) != 0) result.assumed.push_back(i);
    if ((assumed[i] & assumed_half) != 0) result.halved.push_back(i);
    if ((assumed[i] & assumed_place) != 0) result.scattered.push_back(i);
    if ((assumed[i] & assumed_meeting) != 0) result.unmet.push_back(i);
  }
  result.findings = findings.list();
  // All views have the same buffers in the same order.
  for (std::uint32_t i = 0; i < buffers.size(); ++i) {
    std::uint8_t use = 0;
    for (const auto& run : runs) use |= run->memory().use_of(i);
    const ExecutionBuffer& buffer = runs.front()->memory().buffer(i);
    if (use != 0 && buffer.place != workspace.data()) result.uses.push_back({buffer.address, use});
  }
  return result;
}

}  // namespace forewarp::execution
