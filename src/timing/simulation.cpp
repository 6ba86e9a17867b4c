// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/simulation.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "timing/sm.h"
#include "timing/timeline.h"

namespace forewarp {
namespace {

/// Warps of each path, by largest remainder; at least one of each while there are enough.
std::vector<std::uint32_t> divide(std::span<const WarpPath> paths, std::uint32_t warps) {
  std::vector<std::uint32_t> counts;
  std::uint32_t left = warps;
  for (std::size_t p = 0; p < paths.size(); ++p) {
    const auto after = static_cast<std::uint32_t>(paths.size() - 1 - p);
    const auto share = static_cast<std::uint32_t>(paths[p].share * warps + 0.5);
    const std::uint32_t room = left > after ? left - after : 0;
    counts.push_back(p + 1 == paths.size() ? left : std::clamp(share, std::min(1U, left), room));
    left -= counts.back();
  }
  return counts;
}

/// A block's streams at one share of its loops.
struct Work {
  std::vector<Stream> streams;
  BlockPlan plan;
  double instructions = 0;  ///< of a block
};

Work make_work(const SimulatedLaunch& launch, double share, double least) {
  Work work;
  const std::vector<std::uint32_t> counts = divide(launch.paths, launch.warps_per_block);
  for (const WarpPath& path : launch.paths) work.streams.emplace_back(path, share, least);
  for (std::size_t p = 0; p < counts.size(); ++p) {
    for (std::uint32_t w = 0; w < counts[p]; ++w) work.plan.push_back(&work.streams[p]);
    work.instructions += counts[p] * work.streams[p].instructions;
  }
  return work;
}

/// One SM's run over its blocks.
struct Run {
  Ticks end = 0;
  std::uint64_t issued = 0;
  double period = 0;  ///< cycles per further block once it is steady
};

class Simulation {
 public:
  Simulation(const SimulatedLaunch& launch, const SimulationOptions& options)
      : launch_(launch),
        options_(options),
        machine_(lower_machine(launch.source, launch.policy)),
        kernel_(lower_kernel(launch.source, machine_)) {}

  SimulatedTime run() {
    SimulatedTime time;
    const double sms = launch_.source.gpu.sms;
    const auto mine = static_cast<std::uint64_t>(std::ceil(launch_.blocks / sms));
    const Work whole = make_work(launch_, 1, 1);
    recorder_.emplace(kernel_.instructions.size());
    recorder_->most_events = events_wanted(launch_.source.kernel, launch_.timeline);
    time.of = whole.instructions * static_cast<double>(mine);
    time.cycles = of_blocks(whole, mine, time.issued);
    add_schedulers(time);
    add_timeline(launch_.source.kernel, *recorder_, launch_.timeline, time);
    time.warning = rate_warning(launch_.policy, launch_.source.gpu, launch_.source.rules);
    return time;
  }

 private:
  Run follow(const Work& work, std::uint64_t blocks) {
    BlockSupply supply({&work.plan}, blocks);
    Server device;
    Sm sm(machine_, kernel_, supply, &device, launch_.blocks_per_sm, recorder_ ? &*recorder_ : nullptr);
    for (std::uint32_t b = 0; b < launch_.blocks_per_sm; ++b) {
      if (!sm.start_block(b * machine_.block_start)) break;
    }
    while (sm.next() != never) sm.step();
    Run run;
    run.end = sm.drained();
    run.issued = sm.issued();
    run.period = period_of(sm, work, blocks);
    return run;
  }

  /// From the instructions issued between the first wave's end and the last block's start.
  double period_of(const Sm& sm, const Work& work, std::uint64_t blocks) const {
    const std::uint64_t first = launch_.blocks_per_sm;
    if (blocks <= 2 * first) return 0;
    const Sm::Mark& from = sm.marks()[first - 1];
    const double time = cycles_of(sm.last_start() - from.at);
    const double issued = static_cast<double>(sm.issued_at_last_start() - from.issued);
    return issued > 0 ? time * work.instructions / issued : 0;
  }

  double of_blocks(const Work& work, std::uint64_t blocks, double& issued) {
    const std::uint64_t resident = std::max(1U, launch_.blocks_per_sm);
    std::uint64_t sample = blocks;
    if (!options_.exact) {
      const double room = static_cast<double>(options_.most_issues) / std::max(1.0, work.instructions);
      const auto most = std::max(5 * resident, static_cast<std::uint64_t>(room));
      if (blocks > most) sample = most - (most - blocks % resident) % resident;
    }
    const Run run = follow(work, sample);
    issued = static_cast<double>(run.issued);
    return cycles_of(run.end) + static_cast<double>(blocks - sample) * run.period;
  }

  void add_schedulers(SimulatedTime& time) const {
    double all = 0;
    for (const Ticks t : recorder_->schedulers) all += static_cast<double>(t);
    if (all <= 0) return;
    for (std::size_t c = 0; c < cause_count; ++c) {
      time.schedulers.emplace_back(cause_names[c], static_cast<double>(recorder_->schedulers[c]) / all);
    }
  }

  const SimulatedLaunch& launch_;
  const SimulationOptions& options_;
  SmMachine machine_;
  TimedKernel kernel_;
  std::optional<Recorder> recorder_;
};

}  // namespace

SimulatedTime simulate(const SimulatedLaunch& launch, const SimulationOptions& options) {
  return Simulation(launch, options).run();
}

}  // namespace forewarp
