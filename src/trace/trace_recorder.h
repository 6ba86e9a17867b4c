// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "execution/warp/block_runner.h"
#include "trace/trace_format.h"
#include "trace/warp_encoder.h"

namespace forewarp::trace {

/// Encodes blocks while they execute and passes each to a writer when it ends, so that only
/// unfinished blocks are in memory. For one thread.
class TraceRecorder {
 public:
  TraceRecorder(std::size_t kernel_instructions, TraceWriter& writer)
      : kernel_instructions_(kernel_instructions), writer_(&writer) {}

  void block_started(const Block& block);
  void executed(const Warp& warp, std::uint32_t instruction, LaneMask active, LaneMask lanes) {
    encoder_of(warp).executed(instruction, active, lanes);
  }
  void accessed(const Warp& warp, const MemoryAccess& access) { encoder_of(warp).accessed(access); }
  void block_ended(const Block& block);

  /// Why the writer stopped; later blocks are lost.
  [[nodiscard]] const std::optional<Diagnostic>& failure() const { return failure_; }
  [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
  [[nodiscard]] std::uint64_t warps() const { return warps_; }
  [[nodiscard]] std::uint64_t instructions() const { return instructions_; }

 private:
  using Running = std::vector<WarpEncoder>;  ///< by warp

  WarpEncoder& encoder_of(const Warp& warp) {
    if (warp.block->linear != current_block_) find(warp.block->linear);
    return (*current_)[warp.number];
  }
  void find(std::uint64_t block);

  static constexpr std::uint64_t no_block = ~std::uint64_t{0};

  std::size_t kernel_instructions_;
  TraceWriter* writer_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Running>> running_;
  std::vector<std::unique_ptr<Running>> free_;
  std::uint64_t current_block_ = no_block;
  Running* current_ = nullptr;
  std::optional<Diagnostic> failure_;
  std::uint64_t blocks_ = 0, warps_ = 0, instructions_ = 0;
};

/// The sink for run_grid. All sinks feed one recorder, so run_grid must use one thread.
class TraceSink {
 public:
  explicit TraceSink(TraceRecorder& recorder) : recorder_(&recorder) {}
  [[nodiscard]] TraceSink empty() const { return *this; }
  void merge(const TraceSink&) {}

  void block_started(const Block& block) { recorder_->block_started(block); }
  void executed(const Warp& warp, std::uint32_t instruction, LaneMask active, LaneMask lanes) {
    recorder_->executed(warp, instruction, active, lanes);
  }
  void branched(const Warp&, std::uint32_t /*instruction*/, LaneMask /*active*/,
                LaneMask /*taken*/) {}
  void accessed(const Warp& warp, const MemoryAccess& access) { recorder_->accessed(warp, access); }
  void warp_ended(const Warp&) {}
  void block_ended(const Block& block) { recorder_->block_ended(block); }

 private:
  TraceRecorder* recorder_;
};

}  // namespace forewarp::trace
