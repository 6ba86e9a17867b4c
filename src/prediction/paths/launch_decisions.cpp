// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/paths/launch_decisions.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/rewriter.h"
#include "base/text.h"
#include "execution/lowering/idioms.h"

namespace forewarp::prediction {
namespace {

bool mentions(const ExpressionPool& pool, Expression e, ExpressionKind kind) {
  return any_part(pool, e, [&](Expression part) { return pool.kind(part) == kind; });
}

}  // namespace

LaunchDecider::LaunchDecider(const Kernel& kernel, const KernelAnalysis& analysis,
                             const PredictOptions& options)
    : analysis_(analysis) {
  const ControlFlow& flow = analysis.flow();
  const std::vector<std::uint8_t> usual = usual_outcomes(kernel);
  for (BlockId id = 0; id < flow.blocks().size(); ++id) {
    if (!flow.is_conditional(id)) continue;
    DecidedBranch branch;
    branch.block = id;
    branch.instruction = flow.blocks()[id].end - 1;
    branch.ends_thread = flow.blocks()[id].exits;
    const std::uint32_t address = kernel.instructions[branch.instruction].address;
    if (const Condition* condition = analysis.condition(branch.instruction)) {
      branch.effect = condition->program;
      branch.reason = condition->reason;
      branch.dependence = thread_dependence(analysis.pool(), condition->effect);
      branch.by_pass = mentions(analysis.pool(), condition->effect, ExpressionKind::iteration);
    }
    const auto stated = options.branch_probabilities.find(address);
    const bool is_stated = stated != options.branch_probabilities.end();
    const auto idiom = static_cast<Usual>(usual[branch.instruction]);
    usual_.push_back(!is_stated && !branch.reason.empty() && idiom != Usual::unclear);
    std::optional<BranchWay> way;
    if (is_stated) way = stated->second > 0 ? BranchWay::taken : BranchWay::not_taken;
    if (usual_.back()) way = idiom == Usual::taken ? BranchWay::taken : BranchWay::not_taken;
    stated_.push_back(way);
    if (is_stated && stated->second > 0 && stated->second < 1) {
      shared_.push_back({branches_.size(), stated->second});
    }
    branches_.push_back(std::move(branch));
  }
  for (LoopId id = 0; id < analysis.loops().all().size(); ++id) {
    const LoopTrip& trip = analysis.trip(id);
    DecidedLoop& loop = loops_.emplace_back();
    const auto stated = options.trips.find(analysis.loops().all()[id].begin);
    loop.known = trip.known;
    loop.reason = trip.reason;
    if (stated != options.trips.end()) {
      loop.stated = stated->second;
    } else if (trip.known) {
      loop.trips = analysis.trip_program(id);
      loop.formula = analysis.trip_text(id);
      loop.varies = mentions(analysis.pool(), trip.trips, ExpressionKind::iteration);
      trips_may_differ_ = trips_may_differ_ ||
                          thread_dependence(analysis.pool(), trip.trips) != ThreadDependence::none;
    }
  }
}

/// Whether the first thread goes a different way in some early pass than in the middle one.
bool LaunchDecider::changes_by_pass(const DecidedBranch& branch, LaunchSymbols& symbols) const {
  constexpr std::int64_t passes_looked_at = 4;
  symbols.look_at_corner(0);
  const std::vector<std::int64_t> middle = symbols.iterations;
  const auto usual = branch.effect.evaluate(symbols.binding());
  bool changes = false;
  for (std::int64_t pass = 0; pass < passes_looked_at && usual && !changes; ++pass) {
    for (std::size_t l = 0; l < middle.size(); ++l) {
      symbols.iterations[l] = std::min(middle[l] * 2, pass);
    }
    const auto here = branch.effect.evaluate(symbols.binding());
    changes = here && (*here != 0) != (*usual != 0);
  }
  symbols.iterations = middle;
  return changes;
}

std::optional<BranchWay> LaunchDecider::block_way(const DecidedBranch& branch,
                                                  LaunchSymbols& symbols) const {
  if (branch.by_pass && changes_by_pass(branch, symbols)) return BranchWay::both;
  if (branch.dependence == ThreadDependence::general) return std::nullopt;
  const std::uint32_t corners = branch.dependence == ThreadDependence::none ? 1 : 8;
  std::optional<BranchWay> way;
  for (std::uint32_t corner = 0; corner < corners; ++corner) {
    if (!symbols.is_own_corner(corner)) continue;
    symbols.look_at_corner(corner);
    const auto value = branch.effect.evaluate(symbols.binding());
    if (!value) return branch.ends_thread ? BranchWay::not_taken : BranchWay::both;
    const BranchWay here = *value != 0 ? BranchWay::taken : BranchWay::not_taken;
    if (way && *way != here) return std::nullopt;
    way = here;
  }
  return way;
}

BranchWay LaunchDecider::warp_way(const DecidedBranch& branch, LaunchSymbols& symbols,
                                  std::uint32_t warp, std::uint32_t lanes) const {
  bool taken = false, not_taken = false;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    if (!symbols.lane_exists(warp, lane, lanes)) break;
    symbols.look_at_lane(warp, lane, lanes);
    const auto value = branch.effect.evaluate(symbols.binding());
    if (!value) return branch.ends_thread ? BranchWay::not_taken : BranchWay::both;
    (*value != 0 ? taken : not_taken) = true;
    if (taken && not_taken) return BranchWay::both;
  }
  return taken ? BranchWay::taken : BranchWay::not_taken;
}

void LaunchDecider::decide_trips(LaunchSymbols& symbols, WarpDecisions& decisions) const {
  symbols.iterations.assign(loops_.size(), 0);
  symbols.between_passes.assign(loops_.size(), false);
  for (LoopId id = 0; id < loops_.size(); ++id) {  // outer loops come first
    const DecidedLoop& loop = loops_[id];
    double trips = 0;
    if (loop.stated) {
      trips = *loop.stated;
    } else {
      // A missing argument leaves the count unknown; no error yet, as the path may not reach the
      // loop.
      trips = mean_trips(id, symbols).value_or(-1);
    }
    decisions.trips.push_back(trips);
    symbols.iterations[id] = static_cast<std::int64_t>(std::max(0.0, (trips - 1) / 2));
    symbols.between_passes[id] = std::fmod(trips, 2) == 0;
  }
}

std::optional<double> LaunchDecider::mean_trips(std::size_t loop, LaunchSymbols& symbols) const {
  const DecidedLoop& decided = loops_[loop];
  if (!decided.known) return std::nullopt;
  const auto value = decided.trips.evaluate(symbols.binding());
  if (!value) return std::nullopt;
  if (!decided.varies) return static_cast<double>(*value);
  // The middle of an even number of passes lies between two: take the mean of both.
  const std::vector<std::int64_t> middle = symbols.iterations;
  for (std::size_t l = 0; l < middle.size(); ++l) {
    if (symbols.between_passes[l]) ++symbols.iterations[l];
  }
  const auto next = decided.trips.evaluate(symbols.binding());
  symbols.iterations = middle;
  return (static_cast<double>(*value) + static_cast<double>(next.value_or(*value))) / 2;
}

void LaunchDecider::decide_warp_trips(LaunchSymbols& symbols, std::uint32_t warp,
                                      std::uint32_t lanes, WarpDecisions& decisions) const {
  decisions.trips.assign(loops_.size(), -1);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    if (!symbols.lane_exists(warp, lane, lanes)) break;
    symbols.look_at_lane(warp, lane, lanes);
    WarpDecisions own;
    decide_trips(symbols, own);
    for (std::size_t l = 0; l < loops_.size(); ++l) {
      decisions.trips[l] = std::max(decisions.trips[l], own.trips[l]);
    }
  }
}

std::vector<WarpDecisions> LaunchDecider::decide(LaunchSymbols& symbols, std::uint32_t warps,
                                                 std::uint32_t lanes) const {
  WarpDecisions common;
  symbols.look_at_corner(0);
  decide_trips(symbols, common);
  std::vector<std::size_t> open;  // branches whose way may differ between warps
  for (std::size_t b = 0; b < branches_.size(); ++b) {
    const auto way = stated_[b] ? stated_[b] : block_way(branches_[b], symbols);
    common.ways.push_back(way.value_or(BranchWay::not_taken));
    if (!way) open.push_back(b);
  }
  if (open.empty() && !trips_may_differ_) return {std::move(common)};
  std::vector<WarpDecisions> all;
  for (std::uint32_t warp = 0; warp < warps; ++warp) {
    WarpDecisions own = common;
    if (trips_may_differ_) decide_warp_trips(symbols, warp, lanes, own);
    for (const std::size_t b : open) own.ways[b] = warp_way(branches_[b], symbols, warp, lanes);
    all.push_back(std::move(own));
  }
  return all;
}

Diagnostic LaunchDecider::unknown_trips(LoopId id) const {
  const Loop& loop = analysis_.loops().all()[id];
  const std::string range = hex(loop.begin, 4) + "-" + hex(loop.end, 4);
  std::string found = loops_[id].reason.empty()
                          ? "the passes of the loop " + range + ", " + loops_[id].formula +
                                ", depend on an argument that is not given"
                          : loops_[id].reason;
  const std::string trip = "--trip " + hex(loop.begin, 4) + "=N";
  const bool told = loops_[id].reason.find(trip) != std::string::npos;
  return {analysis_.kernel().name, std::move(found), "",
          told                        ? ""
          : loops_[id].reason.empty() ? "give --arg, or " + trip
                                      : "give " + trip};
}

}  // namespace forewarp::prediction
