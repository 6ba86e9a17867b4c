// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/simulation.h"

#include <algorithm>
#include <cmath>

#include "timing/account.h"
#include "timing/clock_reads.h"
#include "timing/policy_check.h"
#include "timing/whole_grid.h"

namespace forewarp::timing {
namespace {

constexpr std::uint64_t rounds = 5;         // of resident blocks that are followed
constexpr std::uint64_t fewest_rounds = 3;  // where five are more than was asked for
constexpr double fewest_passes = 6;         // of a long loop that are followed at least
constexpr double longest_part = 0.5;        // of the instructions, else all are followed
constexpr double same_time = 0.01;          // relative: a longer run tells nothing new
constexpr double tolerated = 0.04;          // where more would be longer than was asked for

/// One SM's run over some of its blocks, and what all of them would take.
struct BlocksRun {
  double cycles = 0;
  double issued = 0;
};

/// SMs are alike but for where their loads are served; the last of them ends the kernel. Expected
/// largest of count draws from a normal distribution (Blom 1958), in deviations from its mean.
double expected_largest(double count) {
  if (count <= 1) return 0;
  const double p = (count - 0.375) / (count + 0.25);
  const double t = std::sqrt(-2 * std::log(1 - p));  // Hastings 1955, 26.2.23 of Abramowitz
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                 (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

class Simulation {
 public:
  Simulation(const SimulatedLaunch& launch, const SimulationOptions& options)
      : launch_(launch),
        options_(options),
        machine_(lower_machine(launch.source, launch.policy)),
        kernel_(lower_kernel(launch.source, machine_)),
        recorder_(kernel_.instructions.size()),
        resident_(std::max(1U, launch.blocks_per_sm)),
        sms_(std::max(1U, launch.source.gpu.sms)),
        mine_(static_cast<std::uint64_t>(std::ceil(launch.blocks / sms_))) {}

  SimulatedTime run() {
    SimulatedTime time;
    const std::uint64_t resident = std::uint64_t{resident_} * launch_.warps_per_block;
    if (resident > std::uint64_t{Sm::most_warps} * machine_.schedulers) {
      time.refusal = "more warps are resident than the simulated schedulers have places for";
      return time;
    }
    if (work(1, 1).instructions <= 0) {
      time.refusal = "no instruction is executed";
      return time;
    }
    if (options_.exact) {
      run_all(time);
    } else {
      run_sample(time);
    }
    account(recorder_, {recorded_, machine_.schedulers, machine_.issue_interval}, time);
    add_clocks(launch_.source.kernel, recorder_, time);
    time.warning = rate_warning(launch_.policy, launch_.source.gpu, launch_.source.rules);
    return time;
  }

 private:
  BlockWork work(double share, double least) const {
    return {launch_.paths, launch_.warps_per_block, share, least};
  }

  /// Time of device memory in front of which `active` of all SMs stand together.
  void share_memory(double active) {
    for (TimedAccess& access : kernel_.accesses) {
      access.memory = ticks(access.memory_bytes * launch_.source.device_cycles_per_byte * active);
      access.slice = ticks(access.slice_cycles * active);
    }
  }

  void run_all(SimulatedTime& time) {
    share_memory(1.0 / sms_);
    const BlockWork whole = work(1, 1);
    const auto blocks = static_cast<std::uint64_t>(launch_.blocks);
    const GridRun run = run_grid(machine_, kernel_, whole, blocks, sms_, resident_, &recorder_);
    recorded_ = run.end;
    time.cycles = cycles_of(run.end);
    time.issued = static_cast<double>(run.issued);
    time.of = whole.instructions * launch_.blocks;
  }

  void run_sample(SimulatedTime& time) {
    // The fullest SM is followed; the others' smaller part of the traffic leaves it more.
    share_memory(launch_.blocks / (static_cast<double>(mine_) * sms_));
    const BlockWork whole = work(1, 1);
    time.of = whole.instructions * static_cast<double>(mine_);
    const double wave =
        whole.instructions * static_cast<double>(std::min(mine_, rounds * resident_));
    const double share = static_cast<double>(options_.most_issues) / std::max(1.0, wave);
    if (share >= 1 || !run_shortened(share, whole.instructions, time)) {
      time.issued = time.error = 0;
      run_seeds(whole, time);
    }
  }

  /// Short runs differ from SM to SM: a few are made, the slowest of all SMs is foreseen.
  void run_seeds(const BlockWork& whole, SimulatedTime& time) {
    constexpr std::uint32_t most_seeds = 8;
    double sum = 0, squares = 0;
    std::uint32_t seeds = 0;
    while (seeds < most_seeds) {
      recorder_ = Recorder(kernel_.instructions.size());
      const BlocksRun run = of_blocks(whole, seeds++, false);
      sum += run.cycles;
      squares += run.cycles * run.cycles;
      time.issued += run.issued;
      const double next = time.issued * (seeds + 1) / seeds;
      if (next > 0.5 * static_cast<double>(options_.most_issues)) break;
    }
    const double mean = sum / seeds;
    time.cycles = mean;
    if (seeds < 3) return;
    const double variance = std::max(0.0, (squares - seeds * mean * mean) / (seeds - 1));
    const double full = std::fmod(launch_.blocks, sms_);
    time.cycles += std::sqrt(variance) * expected_largest(full > 0 ? full : sms_);
  }

  /// Long loops: runs of more and more passes, and on along the line through the last two, until
  /// one more does not change what they foretell. False where loops are not what makes it long.
  bool run_shortened(double share, double instructions, SimulatedTime& time) {
    double before = 0, before_instructions = 0, foretold = 0;
    share /= 4;
    for (double least = fewest_passes;; least *= 2, share *= 2) {
      const BlockWork part = work(share, least);
      const double more = part.instructions - before_instructions;
      if (part.instructions > longest_part * instructions || more < part.instructions / 4) {
        return false;
      }
      recorder_ = Recorder(kernel_.instructions.size());
      const BlocksRun run = of_blocks(part, 0, true);
      time.issued += run.issued;
      const double whole =
          run.cycles + (run.cycles - before) / more * (instructions - part.instructions);
      time.error = std::fabs(whole - foretold) / whole;
      const bool enough = time.issued + 2 * run.issued > static_cast<double>(options_.most_issues);
      if (foretold > 0 && time.error < (enough ? tolerated : same_time)) {
        time.cycles = whole;
        return true;
      }
      if (before > 0) foretold = whole;
      before = run.cycles;
      before_instructions = part.instructions;
    }
  }

  /// All blocks of the SM: some are followed, the rest goes on at their pace.
  BlocksRun of_blocks(const BlockWork& work, std::uint32_t seed, bool shortened) {
    std::uint64_t sample = mine_;
    const double room =
        shortened ? 0
                  : static_cast<double>(options_.most_issues) / std::max(1.0, work.instructions);
    const std::uint64_t least = shortened ? rounds : fewest_rounds;
    const auto most = std::max(least * resident_, static_cast<std::uint64_t>(room));
    if (mine_ > most) {  // as many in the last round as in the whole
      sample = most - most % resident_ + mine_ % resident_;
    }
    BlockSupply supply(work.kinds(), sample, machine_.block_start);
    DevicePath device(machine_.device_delays);
    Sm sm(machine_, kernel_, supply, &device, resident_, seed, &recorder_);
    for (std::uint32_t b = 0; b < resident_; ++b) {
      if (!sm.start_block(late_start())) break;
    }
    while (sm.next() != never) sm.step();
    BlocksRun run;
    recorded_ = sm.drained();
    run.issued = static_cast<double>(sm.issued());
    run.cycles = cycles_of(recorded_) + static_cast<double>(mine_ - sample) * pace(sm, work);
    return run;
  }

  /// The last of the fullest SMs gets its first block when all before it have theirs.
  [[nodiscard]] Ticks late_start() const {
    const double rest = std::fmod(launch_.blocks, sms_);
    const double before = (rest > 0 ? rest : static_cast<double>(sms_)) - 1;
    return static_cast<Ticks>(static_cast<double>(machine_.block_start) * before / sms_);
  }

  /// Cycles per block once it is steady: from the instructions issued between the end of the first
  /// round and the start of the last block.
  double pace(const Sm& sm, const BlockWork& work) const {
    if (sm.finished() < 2 * resident_) return 0;
    const Sm::Mark& from = sm.marks()[resident_ - 1];
    const double time = cycles_of(sm.last_start() - from.at);
    const double issued = static_cast<double>(sm.issued_at_last_start() - from.issued);
    return issued > 0 ? time * work.instructions / issued : 0;
  }

  const SimulatedLaunch& launch_;
  const SimulationOptions& options_;
  SmMachine machine_;
  TimedKernel kernel_;
  Recorder recorder_;
  Ticks recorded_ = 0;  ///< what the recorder saw
  std::uint32_t resident_, sms_;
  std::uint64_t mine_;  ///< blocks of the fullest SM
};

}  // namespace

SimulatedTime simulate(const SimulatedLaunch& launch, const SimulationOptions& options) {
  return Simulation(launch, options).run();
}

}  // namespace forewarp::timing
