// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/in_place_run.h"

#include <algorithm>
#include <numeric>

#include "execution/storage/address_space.h"

namespace forewarp::execution {
namespace {

constexpr std::uint64_t parallel_threads = 4096;  // fewer threads of a grid are not worth a thread
constexpr std::uint64_t most_piece = 256;         // blocks that a thread takes at a time
constexpr std::uint64_t pieces_per_thread = 8;    // so that threads end at about the same time

struct CountingSink : NoSink {
  [[nodiscard]] CountingSink empty() const { return {}; }
  void merge(const CountingSink& /*later*/) {}
};

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

}  // namespace

Expected<GridRun> run_in_place(const Program& program, const ExecutionInput& input,
                               const GridOptions& options) {
  const LaunchImage image(program, input);
  GridOptions own = options;
  own.in_place = true;
  std::vector<std::uint8_t> workspace(address_space::workspace_bytes);
  std::vector<ExecutionBuffer> buffers = with_workspace(input);
  buffers.back().place = workspace.data();
  const bool together = program.global_atomics || program.moving.has_value();
  const std::uint64_t blocks = input.blocks();
  const bool parallel = !together && options.threads > 1 && blocks > 1 &&
                        blocks * input.threads_per_block() >= parallel_threads;
  const std::uint32_t threads =
      parallel ? static_cast<std::uint32_t>(std::min<std::uint64_t>(options.threads, blocks)) : 1;
  const std::uint64_t size =
      together ? blocks
               : std::clamp<std::uint64_t>(blocks / (threads * pieces_per_thread), 1, most_piece);
  Pieces pieces(blocks, size, options.most_instructions);
  using Run = GroupRun<CountingSink>;
  std::vector<std::unique_ptr<Run>> runs(threads);
  const auto work = [&](std::size_t number) {
    runs[number] = std::make_unique<Run>(CountingSink(), program, image, buffers, own);
    Run& run = *runs[number];
    for (auto piece = pieces.take(); !piece.empty(); piece = pieces.take()) {
      const std::uint64_t before = run.instructions;
      run.most = before + pieces.left();
      run.run(piece, together);
      pieces.spend(run.instructions - before);
      if (run.failure) return pieces.stop();
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
    if (run->failure && !run->cut) return *run->failure;
    if (run->cut) result.cut = run->failure;
    result.instructions += run->instructions;
    result.lost = result.lost || run->memory.lost();
    for (const AccessFinding& finding : run->environment.findings.list()) findings.add(finding);
    for (std::size_t i = 0; i < assumed.size(); ++i) assumed[i] |= run->environment.assumed[i];
  }
  for (std::uint32_t i = 0; i < assumed.size(); ++i) {
    if ((assumed[i] & assumed_condition) != 0) result.assumed.push_back(i);
    if ((assumed[i] & assumed_half) != 0) result.halved.push_back(i);
    if ((assumed[i] & assumed_place) != 0) result.scattered.push_back(i);
  }
  result.findings = findings.list();
  return result;
}

}  // namespace forewarp::execution
