// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/simulation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "timing/account.h"
#include "timing/leave_out.h"
#include "timing/policy_check.h"
#include "timing/sm.h"
#include "timing/sm_group.h"
#include "timing/whole_grid.h"

namespace forewarp::timing {
namespace {

constexpr std::uint64_t rounds = 5;         // rounds of resident blocks that are simulated
constexpr std::uint64_t fewest_rounds = 3;  // fewer rounds, where five exceed `most_issues`
constexpr double most_together = 250'000;   // warp instructions of SMs that are simulated together
constexpr std::uint32_t enough_sms = 4;     // that show how a last round is shared out
constexpr double fewest_passes = 6;         // passes of a long loop that are simulated at least
constexpr double longest_part = 0.5;        // of the instructions: a larger part saves little
constexpr double same_time = 0.01;          // relative change: a longer run tells nothing new
constexpr double tolerated = 0.04;          // .. accepted where a longer run exceeds `most_issues`
constexpr double steady_pace = 0.005;       // relative difference of two paces that are the same
// Before a pace is believed: blocks that start together may stay in step for ten rounds, and then
// part and go faster. Long blocks part sooner.
constexpr std::uint64_t fewest_steady = 80'000, enough_steady = 500'000;  // warp instructions
constexpr std::size_t fewest_ends = 16, enough_ends = 32;                 // rounds of blocks
constexpr std::uint64_t last_resort = 2'000'000;  // warp instructions after which any run ends

/// One SM's run over some of its blocks: cycles that all of them would take, warp instructions
/// issued.
struct BlocksRun {
  double cycles = 0;
  double issued = 0;
  double error = 0;  ///< relative, of `cycles`
};

class Simulation {
 public:
  Simulation(const SimulatedLaunch& launch, const SimulationOptions& options)
      : launch_(launch),
        options_(options),
        machine_(lower_machine(launch.source, launch.policy)),
        kernel_(lower_kernel(launch.source, machine_)),
        recorder_(new_recorder()),
        resident_(std::max(1U, launch.blocks_per_sm)),
        sms_(std::max(1U, launch.source.gpu.sms)),
        mine_(static_cast<std::uint64_t>(std::ceil(launch.blocks / sms_))) {
    leave_out(launch.left_out, machine_, kernel_);
  }

  SimulatedTime run() {
    SimulatedTime time;
    const std::uint64_t resident = std::uint64_t{resident_} * launch_.warps_per_block;
    if (resident > std::uint64_t{SubCore::most_warps} * machine_.schedulers) {
      time.refusal = "more warps are resident than the simulated schedulers have places for";
      return time;
    }
    time.of = work(1, 1).instructions * launch_.blocks;
    if (time.of <= 0) {
      time.refusal = "no instruction is executed";
      return time;
    }
    if (options_.exact) {
      follow(all_of(launch_.blocks, sms_));
      run_group(time);
    } else {
      run_sample(time);
    }
    account(recorder_, {recorded_, machine_.schedulers, machine_.issue_interval}, time);
    time.clocked = recorder_.clocks.finish();
    time.warning = rate_warning(launch_.policy, launch_.source.gpu, launch_.source.rules);
    return time;
  }

 private:
  [[nodiscard]] Recorder new_recorder() const {
    Recorder made(kernel_.instructions.size());
    made.clocks = ClockReader(launch_.source.kernel);
    return made;
  }

  /// Two records at a time would be large for long kernels.
  void record_anew() {
    recorder_ = Recorder(0);
    recorder_ = new_recorder();
  }

  BlockWork work(double share, double least) const {
    return {launch_.paths, launch_.warps_per_block, share, least};
  }

  void run_sample(SimulatedTime& time) {
    const BlockWork whole = work(1, 1);
    const auto most = static_cast<double>(options_.most_issues);
    const double usual = std::min(most, most_together);
    const bool more = shares_out(launch_.blocks, sms_, resident_) &&
                      group_of(launch_.blocks, sms_, whole.instructions, most).sms >= enough_sms;
    follow(group_of(launch_.blocks, sms_, whole.instructions, more ? most : usual));
    if (group_.sms > 1) {
      run_group(time);
      return;
    }
    const double wave =
        whole.instructions * static_cast<double>(std::min(mine_, rounds * resident_));
    const double share = most / std::max(1.0, wave);
    // Waits count phases, so that fewer passes of one warp's loop would leave another one waiting.
    const bool meets = std::any_of(launch_.paths.begin(), launch_.paths.end(),
                                   [](const WarpPath& path) { return !path.events.empty(); });
    if (share < 1 && !meets && run_shortened(share, whole.instructions, time)) return;
    record_anew();
    const BlocksRun run = of_blocks(whole, false);
    time.cycles = run.cycles;
    time.issued = run.issued;
    time.error = run.error;
  }

  /// Scales L2 and device memory so that they serve the group as they serve all SMs together.
  void follow(const SmGroup& group) {
    group_ = group;
    begin_ = static_cast<Ticks>(static_cast<double>(machine_.block_start) * group.late);
    for (TimedAccess& access : kernel_.accesses) {
      const double per_byte = launch_.source.device_cycles_per_byte * group.share;
      access.memory = ticks(access.memory_bytes * per_byte);
      access.slice = ticks(access.slice_cycles * group.share);
      access.written = ticks(access.written_cycles * group.share);
    }
  }

  /// Runs the SMs of the group, each to its end.
  void run_group(SimulatedTime& time) {
    const GridRun run = run_grid(machine_, kernel_, work(1, 1), group_.blocks, group_.sms,
                                 resident_, &recorder_, begin_);
    recorded_ = run.end;
    time.issued = static_cast<double>(run.issued);
    time.cycles = last_of_all(run, launch_.blocks);
  }

  /// Long loops: runs more and more passes and extrapolates linearly from the last two runs, until
  /// one more run does not change the predicted time. False where loops are not what makes it long.
  bool run_shortened(double share, double instructions, SimulatedTime& time) {
    double before = 0, before_instructions = 0, foretold = 0;
    share /= 4;
    for (double least = fewest_passes;; least *= 2, share *= 2) {
      const BlockWork part = work(share, least);
      const double more = part.instructions - before_instructions;
      if (part.instructions > longest_part * instructions || more < part.instructions / 4) {
        return false;
      }
      record_anew();
      const BlocksRun run = of_blocks(part, true);
      time.issued += run.issued;
      const double whole =
          run.cycles + (run.cycles - before) / more * (instructions - part.instructions);
      time.error = std::fabs(whole - foretold) / whole;
      const bool enough = time.issued + 2 * run.issued > static_cast<double>(options_.most_issues);
      const bool too_long = time.issued + 2 * run.issued > static_cast<double>(last_resort);
      if (foretold > 0 && (too_long || time.error < (enough ? tolerated : same_time))) {
        time.cycles = whole;
        return true;
      }
      if (before > 0) foretold = whole;
      before = run.cycles;
      before_instructions = part.instructions;
    }
  }

  /// All blocks of the SM: some are simulated, the rest are added at their steady pace.
  BlocksRun of_blocks(const BlockWork& work, bool shortened) {
    std::uint64_t sample = mine_;
    const double room =
        shortened ? 0
                  : static_cast<double>(options_.most_issues) / std::max(1.0, work.instructions);
    const std::uint64_t least = shortened ? rounds : fewest_rounds;
    const auto most = std::max(least * resident_, static_cast<std::uint64_t>(room));
    if (mine_ > most) {  // whole rounds, and a last one as full as that of all blocks
      sample = most - most % resident_ + mine_ % resident_;
    }
    BlockSupply supply(work.kinds(), sample, machine_.block_start);
    DevicePath device(machine_.device_delays);
    Sm sm(machine_, kernel_, supply, &device, resident_, 0, &recorder_);
    for (std::uint32_t b = 0; b < resident_; ++b) {
      if (!sm.start_block(begin_)) break;
    }
    BlocksRun run;
    double steady = 0;
    const std::vector<BlockMark> marks = step_through(sm, supply, steady);
    recorded_ = sm.drained();
    run.issued = static_cast<double>(sm.state().issued);
    if (sm.next() != never) {
      run.cycles = at_last_pace(marks, work.instructions * static_cast<double>(mine_), run.error);
      return run;
    }
    const double of_block = steady > 0 ? steady * work.instructions : pace(sm.state(), work);
    run.cycles = cycles_of(recorded_) + static_cast<double>(mine_ - supply.taken()) * of_block;
    return run;
  }

  /// Steps the SM to the end of its blocks. Of these, it gets no more once its pace is steady, but
  /// so many that the last round is as full as that of all blocks; whatever it is doing ends at
  /// `last_resort`. Returns marks of how far it had come, at equal numbers of instructions.
  /// `steady`: cycles per warp instruction of a steady pace; untouched if there was none.
  std::vector<BlockMark> step_through(Sm& sm, BlockSupply& supply, double& steady) const {
    constexpr std::uint64_t between = last_resort / 16;
    std::vector<BlockMark> ends{{begin_, 0}}, marks{{begin_, 0}};
    std::uint64_t finished = 0;
    while (sm.next() != never) {
      const Ticks now = sm.next();
      sm.step();
      const SmState& state = sm.state();
      if (state.issued - marks.back().issued >= between) {
        marks.push_back({now, state.issued});
        if (state.issued >= last_resort) return marks;
      }
      if (state.finished < finished + resident_) continue;
      finished = state.finished;
      ends.push_back({now, state.issued});
      if (supply.empty() || !is_steady(ends)) continue;
      steady = slope(ends[(ends.size() - 1) / 2], ends.back());
      const std::uint64_t taken = supply.taken();
      supply.end_at(taken + (mine_ + resident_ - taken % resident_) % resident_);
    }
    return marks;
  }

  static double slope(const BlockMark& from, const BlockMark& to) {
    return cycles_of(to.at - from.at) / static_cast<double>(to.issued - from.issued);
  }

  /// Whether two stretches of rounds, the latter half and the quarter before, went at one pace.
  static bool is_steady(const std::vector<BlockMark>& ends) {
    const std::size_t last = ends.size() - 1;
    const std::uint64_t issued = ends[last].issued;
    if (last < fewest_ends || issued < fewest_steady) return false;
    if (last < enough_ends && issued < enough_steady) return false;
    const double before = slope(ends[last / 4], ends[last / 2]);
    const double after = slope(ends[last / 2], ends[last]);
    return std::fabs(after - before) <= steady_pace * after;
  }

  /// Cycles of `instructions` warp instructions, if the rest is issued at the pace of the second
  /// half so far; `error`: the relative difference that the pace of the quarter before would make.
  static double at_last_pace(const std::vector<BlockMark>& marks, double instructions,
                             double& error) {
    const BlockMark& last = marks.back();
    const double rest = instructions - static_cast<double>(last.issued);
    const BlockMark& half = marks[marks.size() / 2];
    const double pace = slope(half, last);
    const double whole = cycles_of(last.at) + rest * pace;
    error = std::fabs(pace - slope(marks[marks.size() / 4], half)) * rest / whole;
    return whole;
  }

  /// Cycles per block in the steady state: from the instructions issued between the end of the
  /// first round and the start of the last block.
  double pace(const SmState& sm, const BlockWork& work) const {
    if (sm.finished < 2 * resident_) return 0;
    const BlockMark& from = sm.marks[resident_ - 1];
    const double time = cycles_of(sm.last_start - from.at);
    const double issued = static_cast<double>(sm.issued_at_last_start - from.issued);
    return issued > 0 ? time * work.instructions / issued : 0;
  }

  const SimulatedLaunch& launch_;
  const SimulationOptions& options_;
  SmMachine machine_;
  TimedKernel kernel_;
  SmGroup group_;
  Ticks begin_ = 0;
  Recorder recorder_;
  Ticks recorded_ = 0;  ///< time that the recorder covers
  std::uint32_t resident_, sms_;
  std::uint64_t mine_;  ///< blocks of the SM that has most
};

}  // namespace

SimulatedTime simulate(const SimulatedLaunch& launch, const SimulationOptions& options) {
  return Simulation(launch, options).run();
}

}  // namespace forewarp::timing
