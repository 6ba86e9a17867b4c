// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "tuning/tune.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "tuning/next_choice.h"
#include "tuning/residual_model.h"

namespace forewarp::tuning {

namespace {

/// Quantile of the normal distribution of which an interval of 90 % has one at each end.
constexpr double interval_deviations = 2 * 1.6449;

/// More than this many measured configurations teach nothing that these do not, and take long.
constexpr std::size_t most_residuals = 500;

/// What the launch would be refused for whatever the code is, told before it is compiled.
Expected<void> check_block(const Gpu& gpu, const Extent& block) {
  const std::uint64_t threads = std::uint64_t{block[0]} * block[1] * block[2];
  if (threads > gpu.limits.threads_per_block) {
    return Diagnostic{"launch", std::to_string(threads) + " threads per block",
                      "1 to " + std::to_string(gpu.limits.threads_per_block), ""};
  }
  return {};
}

void take(const ScoredPoint& from, TunedPoint& point) {
  point.reached = !from.id.empty();
  point.error = from.error;
  point.refused = from.refused;
  point.predicted_ms = point.expected_ms = from.predicted_ms;
  point.low_ms = from.low_ms;
  point.high_ms = from.high_ms;
  point.limited_by = from.limited_by;
  point.limit_label = from.limit_label;
  point.warps_per_sm = from.warps_per_sm;
  point.waves = from.waves;
  point.registers = from.registers;
  if (point.predicted() && point.low_ms > 0 && point.high_ms > point.low_ms) {
    point.unsure = std::log(point.high_ms / point.low_ms) / interval_deviations;
  }
}

/// The reason without its numbers: what differs by a size is one reason.
std::string reason_key(const TunedPoint& point) {
  std::string key;
  for (const char c : point.error) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) key += c;
  }
  return key;
}

void group_refusals(Tuning& tuning) {
  std::map<std::string, std::size_t> known;
  for (const TunedPoint& point : tuning.points) {
    if (!point.reached) {
      ++tuning.not_reached;
      continue;
    }
    if (point.error.empty()) continue;
    const auto [found, is_new] = known.try_emplace(reason_key(point), tuning.refusals.size());
    if (is_new) tuning.refusals.push_back({point.refused, point.error, 0});
    ++tuning.refusals[found->second].count;
  }
  std::stable_sort(tuning.refusals.begin(), tuning.refusals.end(),
                   [](const RefusedGroup& a, const RefusedGroup& b) { return a.count > b.count; });
}

/// Equal times keep the order of the space. What was not refined comes before nothing that was.
void rank(Tuning& tuning) {
  double last_refined = 0;
  for (const TunedPoint& point : tuning.points) {
    if (point.refined) last_refined = std::max(last_refined, point.expected_ms);
  }
  const auto key = [&](std::size_t index) {
    const TunedPoint& point = tuning.points[index];
    const bool sure = point.refined || point.measured_ms > 0;
    return std::tuple(sure ? point.expected_ms : std::max(point.expected_ms, last_refined), !sure,
                      point.expected_ms);
  };
  tuning.ranking.clear();
  for (std::size_t i = 0; i < tuning.points.size(); ++i) {
    const TunedPoint& point = tuning.points[i];
    if (point.predicted() || point.measured_ms > 0) tuning.ranking.push_back(i);
  }
  std::stable_sort(tuning.ranking.begin(), tuning.ranking.end(),
                   [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
}

/// The best, and those that the budget did not suffice for.
std::vector<std::size_t> to_refine(const Tuning& tuning, std::size_t count) {
  std::vector<std::size_t> chosen(
      tuning.ranking.begin(),
      tuning.ranking.begin() + static_cast<std::ptrdiff_t>(std::min(count, tuning.ranking.size())));
  std::size_t again = 0;
  for (std::size_t i = 0; i < tuning.points.size() && again < count; ++i) {
    if (tuning.points[i].refused != PointRefusal::no_prediction) continue;
    chosen.push_back(i);
    ++again;
  }
  return chosen;
}

ValidationOptions within(const ValidationOptions& options, double seconds) {
  ValidationOptions own = options;
  own.choices.budget_seconds = seconds;
  own.key += "|budget " + significant(seconds, 17);
  return own;
}

/// A configuration by its parameters, and by the budget that it was predicted with.
TableRow axis_cells(const std::vector<std::string>& words, double seconds) {
  TableRow cells;
  for (const std::string& word : words) {
    const auto number = parse_number(word);
    cells.push_back(number ? TableCell(*number) : TableCell(word));
  }
  cells.emplace_back(seconds);
  return cells;
}

std::vector<std::string> axis_names(const Tuning& tuning) {
  std::vector<std::string> names = tuning.parameters;
  names.emplace_back("budget_s");
  return names;
}

Expected<void> refine(Predictor& predictor, const MeasuredSet& set,
                      const ValidationOptions& options, const TuningBudget& budget,
                      Tuning& tuning) {
  const std::vector<std::size_t> chosen = to_refine(tuning, budget.refined);
  MeasuredSet again;
  again.name = set.name;
  for (const std::size_t index : chosen) again.points.push_back(set.points[index]);
  const PointAxes axes{axis_names(tuning), [&](std::size_t index) {
                         return axis_cells(tuning.points[chosen[index]].words,
                                           budget.refined_seconds);
                       }};
  const auto predicted =
      predict_points(predictor, again, within(options, budget.refined_seconds), axes);
  if (!predicted) return predicted.error();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const ScoredPoint& point = predicted->points[i];
    if (point.id.empty() || !point.predicted()) continue;  // ended, or no better
    TunedPoint& own = tuning.points[chosen[i]];
    take(point, own);
    own.refined = true;
  }
  return {};
}

/// Evenly over the predicted times where there are too many.
std::vector<Residual> thinned(const Tuning& tuning, std::vector<Residual> residuals) {
  if (residuals.size() <= most_residuals) return residuals;
  std::stable_sort(residuals.begin(), residuals.end(), [&](const Residual& a, const Residual& b) {
    return tuning.points[a.point].predicted_ms < tuning.points[b.point].predicted_ms;
  });
  std::vector<Residual> kept;
  for (std::size_t i = 0; i < most_residuals; ++i) {
    kept.push_back(residuals[i * residuals.size() / most_residuals]);
  }
  return kept;
}

}  // namespace

Expected<Tuning> tune(Predictor& predictor, TuningTask task, const ValidationOptions& options,
                      const TuningBudget& budget) {
  Tuning tuning;
  tuning.parameters = std::move(task.parameters);
  tuning.values = std::move(task.values);
  tuning.whole = task.whole;
  tuning.problem_size = std::move(task.problem_size);
  tuning.notes = task.set.notes;
  for (MeasuredPoint& point : task.set.points) {
    const auto gpu = predictor.gpu(point.request.gpu, options.choices);
    if (!gpu) return gpu.error();
    tuning.gpu = (*gpu)->id;
    tuning.gpu_name = (*gpu)->name;
    if (point.fault) continue;
    if (auto fits = check_block(**gpu, point.request.launch.block); !fits) {
      point.fault = fits.error();
    }
  }
  const PointAxes axes{axis_names(tuning), [&](std::size_t index) {
                         return axis_cells(task.words[index], budget.seconds);
                       }};
  auto predicted = predict_points(predictor, task.set, within(options, budget.seconds), axes);
  if (!predicted) return std::move(predicted).error();
  for (std::size_t i = 0; i < task.words.size(); ++i) {
    TunedPoint& point = tuning.points.emplace_back();
    point.words = std::move(task.words[i]);
    take(predicted->points[i], point);
    if (point.predicted()) tuning.kernel = predicted->points[i].kernel;
  }
  tuning.title = std::move(task.set.title);
  rank(tuning);
  if (budget.refined > 0) {
    if (auto done = refine(predictor, task.set, options, budget, tuning); !done)
      return done.error();
    rank(tuning);
  }
  group_refusals(tuning);
  return tuning;
}

void correct(Tuning& tuning, const MeasuredConfigurations& measured) {
  std::vector<Residual> residuals;
  double sum = 0;
  for (const auto& [point, ms] : measured.times) {
    TunedPoint& own = tuning.points[point];
    own.measured_ms = ms;
    if (!own.predicted()) continue;
    residuals.push_back({point, std::log(ms / own.predicted_ms)});
    sum += residuals.back().value;
  }
  TuningCorrection& correction = tuning.correction;
  correction.measured = measured.times.size();
  correction.elsewhere = measured.elsewhere;
  correction.failed = measured.failed;
  if (!residuals.empty()) {
    correction.factor = std::exp(sum / static_cast<double>(residuals.size()));
  }
  const Likeness likeness(tuning);
  const ResidualModel model(likeness, thinned(tuning, std::move(residuals)));
  correction.kind = model.kind();
  correction.error_before = model.error_before();
  correction.error_after = model.error_after();
  for (std::size_t i = 0; i < tuning.points.size(); ++i) {
    TunedPoint& point = tuning.points[i];
    if (point.measured_ms > 0) {
      point.expected_ms = point.measured_ms;
    } else if (point.predicted()) {
      point.expected_ms = point.predicted_ms * std::exp(model.residual(i));
    }
    if (model.kind() != TuningCorrection::Kind::none) point.unsure = model.deviation();
  }
  rank(tuning);
}

void find_next(Tuning& tuning, std::size_t count) {
  std::vector<double> expected, unsure;
  std::vector<std::size_t> measured;
  for (std::size_t i = 0; i < tuning.points.size(); ++i) {
    const TunedPoint& point = tuning.points[i];
    expected.push_back(point.predicted() ? point.expected_ms : 0);
    unsure.push_back(point.predicted() ? point.unsure : 0);
    if (point.measured_ms > 0) measured.push_back(i);
  }
  tuning.next = choose_next(Likeness(tuning), expected, unsure, measured, count);
}

}  // namespace forewarp::tuning
