// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/expected.h"
#include "execution/grid/grid_runner.h"
#include "execution/lowering/program.h"
#include "execution/storage/execution_input.h"
#include "execution/warp/warp_runner.h"
#include "program/async_event.h"

namespace forewarp::execution {

/// A warp of a launch.
struct WarpPlace {
  std::uint64_t block = 0;  ///< linear number
  std::uint32_t warp = 0;   ///< in the block
  bool operator==(const WarpPlace&) const = default;
};

/// Part of a warp's trace: a run of consecutive instructions, or a repeated body of steps.
struct TraceStep {
  std::uint32_t first = 0,
                last = 0;       ///< instruction indices, `last` is one past the end; runs only
  bool jumps = false;           ///< the run's last instruction is a branch that is taken
  std::uint64_t trips = 1;      ///< times that `body` repeats
  bool leaves_at_end = false;   ///< the last iteration does not take the branch that ends the body
  std::vector<TraceStep> body;  ///< empty: a run
  std::uint64_t hash = 0;       ///< of all members above: equal steps have equal hashes

  [[nodiscard]] bool is_loop() const { return !body.empty(); }
};

/// Every instruction of one warp, in order. Equal iterations of a loop are one step, so that the
/// trace of a long loop is short.
struct WarpTrace {
  WarpPlace place;
  std::vector<TraceStep> steps;
  std::vector<AsyncEvent> events;  ///< in order
  std::uint64_t instructions = 0;  ///< executed
  std::uint64_t recorded = 0;      ///< of them in `steps`; fewer if the trace was cut
};

/// Builds a trace instruction by instruction and folds repeated steps.
class TraceFolder {
 public:
  static constexpr std::size_t most_steps = 1 << 15;  ///< kept; later steps are only counted
  static constexpr std::size_t longest_body = 48;  ///< steps of one iteration, to recognise a loop

  /// `begins`: by instruction, whether a run must end before it (a leader of a basic block).
  explicit TraceFolder(const std::vector<std::uint8_t>& begins) : begins_(&begins) {}

  void add(std::uint32_t instruction) {
    ++instructions_;
    if (open_ && instruction == run_.last && (*begins_)[instruction] == 0) {
      ++run_.last;
      return;
    }
    close_run(open_ && instruction != run_.last);
    run_ = TraceStep{};
    run_.first = instruction;
    run_.last = instruction + 1;
    open_ = true;
  }
  void add(const AsyncEvent& event) { events_.push_back(event); }
  [[nodiscard]] std::vector<AsyncEvent>& events() { return events_; }
  [[nodiscard]] std::uint64_t instructions() const { return instructions_; }
  [[nodiscard]] WarpTrace finish();

 private:
  void close_run(bool jumps);
  bool extend_loop();
  bool start_loop();

  const std::vector<std::uint8_t>* begins_;
  std::vector<TraceStep> steps_;
  std::vector<AsyncEvent> events_;
  TraceStep run_;
  bool open_ = false;
  std::uint64_t instructions_ = 0, recorded_ = 0;
};

/// Traces chosen warps of the running blocks: a sink for run_grid, alone or in BothSinks.
class WarpTracer : public NoSink {
 public:
  WarpTracer(const Program& program, std::span<const WarpPlace> places);

  [[nodiscard]] WarpTracer empty() const;
  void merge(WarpTracer& later);
  void executed(const Warp& warp, std::uint32_t instruction, LaneMask /*active*/,
                LaneMask /*lanes*/) {
    if (TraceFolder* const own = folder_of(warp)) own->add(instruction);
  }
  void happened(const Warp& warp, const AsyncEvent& event);
  void block_ended(const Block& block);

  /// Of these warps, which must be some of the chosen ones, in this order.
  [[nodiscard]] std::vector<WarpTrace> take(std::span<const WarpPlace> places);

 private:
  explicit WarpTracer(std::shared_ptr<const std::vector<std::uint8_t>> begins)
      : begins_(std::move(begins)) {}

  /// Null: of a warp that was not chosen. Mostly that of the instruction before.
  TraceFolder* folder_of(const Warp& warp) {
    const std::pair place{warp.block->linear, warp.number};
    if (last_ == nullptr || place != last_place_) {
      const auto found = folders_.find(place);
      if (found == folders_.end()) return nullptr;
      last_place_ = place;
      last_ = &found->second;
    }
    return last_;
  }

  std::shared_ptr<const std::vector<std::uint8_t>> begins_;
  std::pair<std::uint64_t, std::uint32_t> last_place_;
  TraceFolder* last_ = nullptr;
  std::map<std::pair<std::uint64_t, std::uint32_t>, TraceFolder> folders_;
};

/// The warps of one block.
[[nodiscard]] std::vector<WarpPlace> places_of(std::uint64_t block, std::uint32_t warps);

/// Executes the blocks of these warps once more and traces the warps. `waiting`: the first blocks
/// of the grid run with them, as blocks may wait for or steer each other; 0: no other does. Returns
/// one trace per place, in the same order.
Expected<std::vector<WarpTrace>> trace_warps(const Program& program, const ExecutionInput& input,
                                             std::span<const WarpPlace> places,
                                             const GridOptions& options, std::uint64_t waiting = 0);

/// Warp instructions of the warps of a block.
[[nodiscard]] std::uint64_t instructions_of(const std::vector<WarpTrace>& block);

}  // namespace forewarp::execution
