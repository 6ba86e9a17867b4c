// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/account.h"

#include <algorithm>
#include <cmath>

namespace forewarp::timing {
namespace {

constexpr auto idle = static_cast<std::size_t>(Cause::idle);

void add_stack(const Recorder& recorder, const RecordedRun& run, SimulatedTime& time) {
  Recorder::Causes spent = recorder.schedulers;
  Ticks known = 0;
  for (const Ticks t : spent) known += t;
  const Ticks all = std::max(known, run.end * static_cast<Ticks>(run.schedulers));
  spent[idle] += all - known;
  if (all <= 0) return;
  for (std::size_t c = 0; c < cause_count; ++c) {
    time.schedulers.emplace_back(cause_names[c],
                                 static_cast<double>(spent[c]) / static_cast<double>(all));
  }
}

void add_instructions(const Recorder& recorder, SimulatedDetail& detail) {
  const auto never = std::count(recorder.issues.begin(), recorder.issues.end(), 0U);
  detail.instructions.reserve(recorder.issues.size() - static_cast<std::size_t>(never));
  for (std::size_t i = 0; i < recorder.issues.size(); ++i) {
    if (recorder.issues[i] == 0) continue;
    const auto issues = static_cast<double>(recorder.issues[i]);
    SimulatedDetail::Instruction instruction{static_cast<std::uint32_t>(i), issues, {}};
    for (std::size_t c = 0; c < cause_count; ++c) {
      const Ticks ticks = recorder.stalls[i][c];
      if (ticks > 0) instruction.stalls.emplace_back(cause_names[c], cycles_of(ticks) / issues);
    }
    detail.instructions.push_back(std::move(instruction));
  }
}

void add_latencies(const Recorder& recorder, SimulatedDetail& detail) {
  for (std::size_t i = 0; i < recorder.latency_places.size(); ++i) {
    if (recorder.latency_places[i] == 0) continue;
    const AccessLatencies& seen = recorder.latencies[recorder.latency_places[i] - 1];
    SimulatedDetail::Latency& own = detail.latencies.emplace_back();
    own.index = static_cast<std::uint32_t>(i);
    own.count = static_cast<double>(seen.count());
    own.mean = seen.mean();
    own.deviation = seen.deviation();
    own.least = cycles_of(seen.least());
    own.most = cycles_of(seen.most());
    own.width = cycles_of(seen.width());
    own.bins.assign(seen.bins().begin(), seen.bins().end());
    for (std::size_t c = 0; c < cause_count; ++c) {
      const auto from = static_cast<double>(seen.from(static_cast<Cause>(c)));
      if (from > 0) own.levels.emplace_back(cause_names[c], from / own.count);
    }
  }
}

/// The share of throughput that is left when every scheduler waits for the one with most warps.
double imbalance(double warps, double schedulers) {
  const double most = std::ceil(warps / schedulers);
  return most > 0 ? warps / (schedulers * most) : 1;
}

void add_occupancy(const Recorder& recorder, const RecordedRun& run, SimulatedDetail& detail) {
  Residency::Summary seen = recorder.residency.summary(run.end);
  detail.occupancy = {seen.mean,
                      seen.highest,
                      seen.deviation,
                      seen.below_half,
                      imbalance(seen.highest, run.schedulers),
                      std::move(seen.points)};
}

void add_ends(const BlockEnds& ends, SimulatedDetail& detail) {
  const auto at = [&](double share) { return cycles_of(ends.at_share(share)); };
  detail.ends = {ends.count(), at(0), at(0.25), at(0.5), at(0.75), at(1)};
}

void add_timeline(const Recorder& recorder, SimulatedDetail& detail) {
  detail.timeline.reserve(recorder.events.size());
  for (const IssueEvent& event : recorder.events) {
    detail.timeline.push_back({cycles_of(event.at), event.scheduler, event.block, event.warp,
                               event.instruction,
                               cause_names[static_cast<std::size_t>(event.waited)]});
  }
}

}  // namespace

void account(const Recorder& recorder, const RecordedRun& run, SimulatedTime& time) {
  add_stack(recorder, run, time);
  SimulatedDetail& detail = time.detail;
  double issues = 0;
  for (const std::uint64_t count : recorder.issues) issues += static_cast<double>(count);
  detail.cycles = cycles_of(run.end);
  detail.ipc = run.end > 0 ? issues / detail.cycles : 0;
  detail.issue_cycles = cycles_of(run.issue_interval);
  detail.schedulers = run.schedulers;
  add_instructions(recorder, detail);
  add_occupancy(recorder, run, detail);
  add_ends(recorder.block_ends, detail);
  add_timeline(recorder, detail);
  add_latencies(recorder, detail);
  time.warps_per_sm = detail.occupancy.mean_warps;
}

}  // namespace forewarp::timing
