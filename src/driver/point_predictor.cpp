// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/point_predictor.h"

#include <algorithm>
#include <utility>

#include "binding/launch_check.h"
#include "driver/result_builder.h"
#include "driver/stages/drafted.h"
#include "explain/portfolio.h"
#include "launch/path_finder.h"

namespace forewarp::driver {
namespace {

constexpr std::size_t most_known = 64;  // bound kernels kept at a time

/// A bound kernel and what identifies the launches that share it.
struct KnownPaths {
  std::vector<WarpKind> kinds;
  std::vector<AccessPattern> patterns;
  Prepared prepared;
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
  std::shared_ptr<const Loaded> loaded;
  std::unique_ptr<PathFinder> finder;
  std::vector<KnownPaths> known;
  std::vector<ResourceInfo> bounds;
  std::vector<std::uint8_t> pattern_key;
  std::vector<AccessPattern> last_patterns;  // patterns of the last point
  std::vector<double> trips;                 // scratch
  LastFigures last;

  KnownPaths* find(const std::vector<WarpKind>& kinds, const std::vector<AccessPattern>& patterns);
  Expected<PointResult> evaluate(const LaunchDraft& draft, const std::vector<double>& trips_by_loop,
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
                                        const std::vector<AccessPattern>& patterns) {
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
  const BoundLatency& latency = *paths.prepared.runs.front().latency;
  paths.valid_from = latency.path.valid_from;
  paths.by_formula = paths.kinds.size() == 1 && latency.formula_valid;
  const auto& loops = loaded->code.analysis->loops().all();
  for (const PathLoop& loop : paths.prepared.bound().loops()) {
    const auto found = std::find_if(loops.begin(), loops.end(), [&](const Loop& l) {
      return l.begin == loop.begin && l.end == loop.end;
    });
    paths.loop_ids.push_back(static_cast<LoopId>(found - loops.begin()));
    paths.by_formula = paths.by_formula && found != loops.end() && !loop.varies;
  }
  for (const ModelRun& run : paths.prepared.runs) {  // a simulation holds for these paths only
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

Expected<PointResult> PointPredictor::State::evaluate(const LaunchDraft& draft,
                                                      const std::vector<double>& trips_by_loop,
                                                      const KnownPaths& paths) {
  trips = paths.prepared.bound().trips();
  if (paths.by_formula) {
    for (std::size_t l = 0; l < trips.size(); ++l) trips[l] = trips_by_loop[paths.loop_ids[l]];
  }
  const LaunchShape shape = launch_shape(draft);
  if (last.paths == &paths && last.trips == trips && last.shape == shape) return last.point;
  auto point = ask_models(draft.occupancy, shape, paths);
  if (point) last = {&paths, trips, shape, *point};
  return point;
}

Expected<PointResult> PointPredictor::State::ask_models(const Occupancy& occupancy,
                                                        const LaunchShape& shape,
                                                        const KnownPaths& paths) {
  const BoundKernel& bound = paths.prepared.bound();
  const Demand demand = bound.demand(trips);
  const ModelRun& preferred = paths.prepared.runs.front();
  for (const ModelRun& run : paths.prepared.runs) {
    const bool first = &run == &preferred;
    if (!first && paths.by_formula && !run.latency->formula_valid) continue;
    const Prediction p =
        predict_run(run, {*loaded->gpu, bound.resources(), demand, latency_of(run, paths), shape,
                          bound.static_dual_pairs(), run.simulator.get()});
    if (first && (!paths.prepared.automatic || usable(run, p))) {
      return flat_figures(p, occupancy, bounds);
    }
    if (!usable(run, p)) continue;
    return flat_figures(p, occupancy, run.model->bounds(bound.resources()));
  }
  return no_usable_model(paths.prepared);
}

PointPredictor::PointPredictor(Predictor& predictor)
    : predictor_(predictor), state_(std::make_unique<State>()) {}
PointPredictor::~PointPredictor() = default;

Expected<void> PointPredictor::rebind(const Case& request, const PredictOptions& options) {
  const std::string name = options.gpus.empty() ? request.gpu : options.gpus.front();
  auto gpu = predictor_.gpu(name, options);
  if (!gpu) return std::move(gpu).error();
  auto kernel = predictor_.kernel(request, **gpu, options);
  if (!kernel) return std::move(kernel).error();
  state_->loaded = std::make_shared<const Loaded>(Loaded{std::move(*kernel), std::move(*gpu)});
  state_->finder = std::make_unique<PathFinder>(*state_->loaded->code.analysis, options);
  state_->known.clear();
  state_->last = {};
  state_->last_patterns.clear();
  return {};
}

Expected<PointResult> PointPredictor::predict(const Case& request, const PredictOptions& options,
                                              bool changed) {
  if (clock_choice(request, options).kind == ClockChoice::Kind::load) {
    return Diagnostic{"--clock", "the clock under load follows from an execution", "",
                      "leave out --static, or give another --clock"};
  }
  if (changed || !state_->loaded) {
    if (auto ok = rebind(request, options); !ok) return ok.error();
  }
  auto draft = draft_launch(state_->loaded->code, *state_->loaded->gpu, request, options);
  if (!draft) return std::move(draft).error();
  LaunchSymbols symbols(draft->launch, draft->arguments);
  std::vector<std::uint8_t> key = state_->finder->pattern_key(draft->launch, draft->arguments);
  if (key != state_->pattern_key || state_->last_patterns.empty()) {
    state_->last_patterns = state_->finder->patterns(symbols, draft->launch, *state_->loaded->gpu);
    state_->pattern_key = std::move(key);
  }
  const std::vector<AccessPattern>& patterns = state_->last_patterns;
  std::vector<WarpKind> kinds = state_->finder->kinds(symbols, draft->launch, *state_->loaded->gpu);
  KnownPaths* paths = state_->find(kinds, patterns);
  if (paths == nullptr) {
    if (state_->known.size() >= most_known) state_->known.clear();
    state_->last = {};  // what it points to may move
    auto prepared = prepare(state_->loaded, request, options, nullptr);
    if (!prepared) return std::move(prepared).error();
    state_->known.push_back({std::move(kinds), patterns, std::move(*prepared), {}, {}, false});
    paths = &state_->known.back();
    state_->describe(*paths);
    state_->bounds =
        paths->prepared.runs.front().model->bounds(paths->prepared.bound().resources());
    kinds = paths->kinds;
  }
  auto point = state_->evaluate(*draft, kinds.front().decisions.trips, *paths);
  if (!point || request.copies.empty()) return point;
  const auto copies = predictor_.copies(request, *state_->loaded->code.kernel, *state_->loaded->gpu,
                                        *draft, options);
  if (!copies) return copies.error();
  point->time_ms += copies->milliseconds();
  return point;
}

Expected<PointResult> predict_executed_point(Predictor& predictor, const Case& request,
                                             const PredictOptions& options) {
  auto prepared =
      predictor.prepare(request, options.gpus.empty() ? "" : options.gpus.front(), options);
  if (!prepared) return std::move(prepared).error();
  const auto all = driver::evaluate(*prepared);
  if (!all) return all.error();
  const Model& model = *prepared->runs[all->chosen].model;
  PointResult point = flat_figures(all->predictions[all->chosen], prepared->draft().occupancy,
                                   model.bounds(prepared->bound().resources()));
  point.time_ms += prepared->copies.milliseconds();
  return point;
}

}  // namespace forewarp::driver
