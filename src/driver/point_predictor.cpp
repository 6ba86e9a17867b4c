// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/point_predictor.h"

#include <algorithm>
#include <utility>

#include "binding/bound_kernel.h"
#include "binding/launch_check.h"
#include "driver/result_builder.h"
#include "prediction/evaluation.h"
#include "prediction/launch.h"
#include "prediction/paths/path_finder.h"

namespace forewarp::driver {
namespace {

constexpr std::size_t most_known = 64;  // bound kernels kept at a time

/// A bound kernel and what identifies the launches that share it.
struct KnownPaths {
  std::vector<WarpKind> kinds;
  AccessPatterns patterns;
  Evaluation evaluation;
  std::vector<LoopId> loop_ids;    ///< of the bound kernel's loop table
  std::vector<double> valid_from;  ///< by loop: trips from which the latency formula holds
  bool by_formula = false;         ///< launches with other trip counts may share it
};

bool same_ways(const std::vector<WarpKind>& a, const std::vector<WarpKind>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.share == y.share && x.decisions.ways == y.decisions.ways;
  });
}

/// The last figures and what they follow from: in a sweep many points differ in nothing of it.
struct LastFigures {
  const KnownPaths* paths = nullptr;
  std::vector<double> trips;
  LaunchShape shape;
  PointResult point;
};

PointResult flat_figures(const Prediction& p, const Occupancy& occupancy,
                         const std::vector<ResourceInfo>& bounds) {
  const bool by_latency = p.limiting == Prediction::latency_limit;
  return {p.time_ms,
          by_latency ? std::string("latency") : bounds[static_cast<std::size_t>(p.limiting)].name,
          occupancy.blocks,
          occupancy.warps,
          p.needed_warps,
          p.waves,
          p.latency_cycles};
}

}  // namespace

struct PointPredictor::State {
  Query query;  ///< of the last point
  LoadedKernel code;
  std::shared_ptr<const Gpu> gpu;
  std::unique_ptr<PathFinder> finder;
  std::vector<KnownPaths> known;
  std::vector<ResourceInfo> bounds;
  std::vector<std::uint8_t> pattern_key;
  AccessPatterns last_patterns;  // patterns of the last point
  std::vector<double> trips;     // scratch
  LastFigures last;

  KnownPaths* find(const std::vector<WarpKind>& kinds, const AccessPatterns& patterns);
  Expected<PointResult> evaluate(const Launch& launch, const std::vector<double>& trips_by_loop,
                                 const KnownPaths& paths);
  Expected<PointResult> ask_models(const Occupancy& occupancy, const LaunchShape& shape,
                                   const KnownPaths& paths);
  [[nodiscard]] WarpLatency latency_of(const ModelRun& run, const KnownPaths& paths) const;
  void describe(KnownPaths& paths) const;
};

const std::vector<std::string>& PointResult::columns() {
  static const std::vector<std::string> names{"time_ms",        "limited_by",   "blocks_per_sm",
                                              "warps_per_sm",   "needed_warps", "waves",
                                              "latency_cycles", "error"};
  return names;
}

KnownPaths* PointPredictor::State::find(const std::vector<WarpKind>& kinds,
                                        const AccessPatterns& patterns) {
  for (KnownPaths& paths : known) {
    if (!same_ways(paths.kinds, kinds) || paths.patterns != patterns) continue;
    if (paths.kinds == kinds) return &paths;
    if (!paths.by_formula) continue;
    const std::vector<double>& wanted = kinds.front().decisions.trips;
    bool holds = true;
    for (std::size_t l = 0; l < paths.loop_ids.size(); ++l) {
      holds = holds && wanted[paths.loop_ids[l]] >= std::max(1.0, paths.valid_from[l]);
    }
    if (holds) return &paths;
  }
  return nullptr;
}

/// Notes which loop of the analysis each loop of the table is, and whether trips may change.
void PointPredictor::State::describe(KnownPaths& paths) const {
  const BoundLatency& latency = *paths.evaluation.runs.front().latency;
  paths.valid_from = latency.path.valid_from;
  paths.by_formula = paths.kinds.size() == 1 && latency.formula_valid;
  const auto& loops = code.analysis->loops().all();
  for (const PathLoop& loop : paths.evaluation.bound->kernel->loops()) {
    const auto found = std::find_if(loops.begin(), loops.end(), [&](const Loop& l) {
      return l.begin == loop.begin && l.end == loop.end;
    });
    paths.loop_ids.push_back(static_cast<LoopId>(found - loops.begin()));
    paths.by_formula = paths.by_formula && found != loops.end() && !loop.varies;
  }
  for (const ModelRun& run : paths.evaluation.runs) {  // a simulation holds for these paths only
    if (run.simulator != nullptr) paths.by_formula = false;
  }
}

WarpLatency PointPredictor::State::latency_of(const ModelRun& run, const KnownPaths& paths) const {
  WarpLatency latency{run.latency->cycles, run.latency->replacement_included};
  latency.memory_cycles = run.latency->memory_cycles;
  if (paths.by_formula) {
    latency.cycles = run.latency->formula.evaluate(trips);
    latency.memory_cycles = std::max(0.0, run.latency->memory_formula.evaluate(trips));
  }
  return latency;
}

Expected<PointResult> PointPredictor::State::evaluate(const Launch& launch,
                                                      const std::vector<double>& trips_by_loop,
                                                      const KnownPaths& paths) {
  trips = paths.evaluation.bound->kernel->trips();
  if (paths.by_formula) {
    for (std::size_t l = 0; l < trips.size(); ++l) trips[l] = trips_by_loop[paths.loop_ids[l]];
  }
  const LaunchShape shape = launch_shape(launch);
  if (last.paths == &paths && last.trips == trips && last.shape == shape) return last.point;
  auto point = ask_models(launch.occupancy, shape, paths);
  if (point) last = {&paths, trips, shape, *point};
  return point;
}

Expected<PointResult> PointPredictor::State::ask_models(const Occupancy& occupancy,
                                                        const LaunchShape& shape,
                                                        const KnownPaths& paths) {
  const BoundKernel& bound = *paths.evaluation.bound->kernel;
  const Demand demand = bound.demand(trips);
  const ModelRun& preferred = paths.evaluation.runs.front();
  for (const ModelRun& run : paths.evaluation.runs) {
    const bool first = &run == &preferred;
    if (!first && paths.by_formula && !run.latency->formula_valid) continue;
    const Prediction p = predict_run(run, {*gpu, bound.resources(), demand, latency_of(run, paths),
                                           shape, bound.static_dual_pairs(), run.simulator.get()});
    if (first && (!paths.evaluation.automatic || usable(run, p))) {
      return flat_figures(p, occupancy, bounds);
    }
    if (!usable(run, p)) continue;
    return flat_figures(p, occupancy, run.model->bounds(bound.resources()));
  }
  return no_usable_model(*paths.evaluation.launch);
}

namespace {

/// The models that are asked for the points along the paths of this one; nothing is executed.
Expected<Evaluation> runs_of_point(const Query& query, const LoadedKernel& code,
                                   const std::shared_ptr<const Gpu>& gpu) {
  auto made = make_launch(code, gpu, query);
  if (!made) return std::move(made).error();
  if (auto ok = check_models(query); !ok) return ok.error();
  const auto launch = std::make_shared<const Launch>(*std::move(made));
  auto trace = foreseen_trace(*launch, query);
  if (!trace) return std::move(trace).error();
  auto bound = make_bound(*launch, **trace, query, nullptr);
  if (!bound) return std::move(bound).error();
  return choose_runs(launch, *std::move(trace), *std::move(bound), query, nullptr);
}

}  // namespace

PointPredictor::PointPredictor(Predictor& predictor)
    : predictor_(predictor), state_(std::make_unique<State>()) {}
PointPredictor::~PointPredictor() = default;

Expected<void> PointPredictor::rebind(const Query& query) {
  auto gpu = predictor_.gpu(query.gpu.value, query.options);
  if (!gpu) return std::move(gpu).error();
  auto kernel = predictor_.kernel(query.request, **gpu, query.options);
  if (!kernel) return std::move(kernel).error();
  state_->code = std::move(*kernel);
  state_->gpu = std::move(*gpu);
  state_->finder = std::make_unique<PathFinder>(*state_->code.analysis, query.options);
  state_->known.clear();
  state_->last = {};
  state_->last_patterns = {};
  return {};
}

Expected<PointResult> PointPredictor::predict(const Case& request, const PredictOptions& options,
                                              bool changed) {
  Query& query = state_->query;
  query.request = request;
  query.options = options;
  resolve(query);
  if (query.clock.value.kind == ClockChoice::Kind::load) {
    return Diagnostic{"--clock", "the clock under load follows from an execution", "",
                      "leave out --static, or give another --clock"};
  }
  if (changed || !state_->gpu) {
    if (auto ok = rebind(query); !ok) return ok.error();
  }
  auto launch = plan_launch(state_->code, state_->gpu, query);
  if (!launch) return std::move(launch).error();
  LaunchSymbols symbols(launch->config, launch->arguments);
  std::vector<std::uint8_t> key = state_->finder->pattern_key(launch->config, launch->arguments);
  if (key != state_->pattern_key || state_->last_patterns.empty()) {
    state_->last_patterns = state_->finder->patterns(symbols, launch->config, *state_->gpu);
    state_->pattern_key = std::move(key);
  }
  const AccessPatterns& patterns = state_->last_patterns;
  std::vector<WarpKind> kinds = state_->finder->kinds(symbols, launch->config, *state_->gpu);
  KnownPaths* paths = state_->find(kinds, patterns);
  if (paths == nullptr) {
    if (state_->known.size() >= most_known) state_->known.clear();
    state_->last = {};  // what it points to may move
    auto evaluation = runs_of_point(query, state_->code, state_->gpu);
    if (!evaluation) return std::move(evaluation).error();
    state_->known.push_back({std::move(kinds), patterns, std::move(*evaluation), {}, {}, false});
    paths = &state_->known.back();
    state_->describe(*paths);
    state_->bounds =
        paths->evaluation.runs.front().model->bounds(paths->evaluation.bound->kernel->resources());
    kinds = paths->kinds;
  }
  auto point = state_->evaluate(*launch, kinds.front().decisions.trips, *paths);
  if (!point || request.copies.empty()) return point;
  const auto copies = predictor_.copies(*launch, query);
  if (!copies) return copies.error();
  point->time_ms += copies->milliseconds();
  return point;
}

Expected<PointResult> predict_executed_point(Predictor& predictor, const Case& request,
                                             const PredictOptions& options) {
  const auto made = predictor.evaluate(make_query(request, options));
  if (!made) return made.error();
  const Evaluation& evaluation = **made;
  const ModelRun& taken = evaluation.taken();
  PointResult point = flat_figures(taken.prediction, evaluation.launch->occupancy,
                                   taken.model->bounds(evaluation.bound->kernel->resources()));
  point.time_ms += evaluation.copies.milliseconds();
  return point;
}

}  // namespace forewarp::driver
