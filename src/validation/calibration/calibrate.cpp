// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "validation/calibration/calibrate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/quantities.h"
#include "base/statistics.h"
#include "base/text.h"
#include "hardware/resource_role.h"
#include "hardware/schema.h"
#include "model/choice/model_choice.h"
#include "prediction/evaluation.h"
#include "scores/scores.h"

namespace forewarp::validation {
namespace {

constexpr std::size_t fewest = 3;
constexpr double agreeing = 1.25;  // times the median, or that part of it
constexpr double agreeing_share = 2.0 / 3;
constexpr int rounds = 4;  // other terms shift a little as the share changes

/// One measurement beside its estimate, both without what timing adds.
struct TimedPoint {
  std::string id;
  double measured_ms = 0, estimated_ms = 0, added_ms = 0;
  [[nodiscard]] double ratio() const { return estimated_ms / measured_ms; }
};

struct TimedPoints {
  std::string kernel, gpu, cc;
  std::string path;  ///< the board's number that matters, for bandwidth
  double value = 0;  ///< that it has
  std::vector<TimedPoint> points;
};

std::string kind_of(const Result& result) {
  const ResourceRole role = role_of_resource(result.limited_by.resource);
  if (role == ResourceRole::latency) return "latency";
  return role == ResourceRole::device_memory ? "memory" : "compute";
}

double median_ratio(const std::vector<TimedPoint>& points) {
  std::vector<double> ratios;
  for (const TimedPoint& point : points) ratios.push_back(point.ratio());
  return quantile(std::move(ratios), 0.5);
}

/// Mean |p - t| / t of whole times, with the launch's own part over `factor`.
double error_with(const std::vector<TimedPoint>& points, double factor) {
  double sum = 0;
  for (const TimedPoint& point : points) {
    const double measured = point.measured_ms + point.added_ms;
    sum += std::fabs(point.added_ms + point.estimated_ms / factor - measured) / measured;
  }
  return sum / static_cast<double>(points.size());
}

Expected<void> check_agreement(const TimedPoints& group, const CalibrateOptions& options) {
  const std::string place = group.kernel + " on " + group.gpu;
  if (group.points.size() < fewest && options.from.empty()) {
    return Diagnostic{place, std::to_string(group.points.size()) + " points",
                      "at least " + std::to_string(fewest), "or one by its id: --from ID"};
  }
  const double median = median_ratio(group.points);
  const auto near =
      std::count_if(group.points.begin(), group.points.end(), [&](const TimedPoint& p) {
        return p.ratio() <= median * agreeing && p.ratio() * agreeing >= median;
      });
  const double share = static_cast<double>(near) / static_cast<double>(group.points.size());
  if (share >= agreeing_share) return {};
  const auto [least, most] =
      std::minmax_element(group.points.begin(), group.points.end(),
                          [](const auto& a, const auto& b) { return a.ratio() < b.ratio(); });
  return Diagnostic{place,
                    "points that contradict each other: estimated over measured is " +
                        significant(least->ratio(), 3) + " (" + least->id + ") to " +
                        significant(most->ratio(), 3) + " (" + most->id + ")",
                    "two thirds of them within a quarter of the median",
                    "--bound memory|latency|compute takes those of one kind"};
}

CalibrationOrigin origin_of(const std::vector<TimedPoint>& points,
                            const CalibrateOptions& options) {
  CalibrationOrigin origin;
  origin.source = options.source;
  origin.sha256 = options.sha256;
  origin.points = static_cast<double>(points.size());
  double least = points.front().ratio(), most = least;
  for (const TimedPoint& point : points) {
    least = std::min(least, point.ratio());
    most = std::max(most, point.ratio());
    origin.used.push_back(point.id);
  }
  origin.spread = most / least - 1;
  return origin;
}

/// The option of a model that is its lambda; empty: it has none.
std::string scaling_option(const Model& model) {
  for (const ModelOption& option : model.options()) {
    if (option.name == "lambda" || option.name == "weight") return std::string(option.name);
  }
  return {};
}

bool asked_for(const MeasuredPoint& point, const CalibrateOptions& options) {
  return point.apart.empty() && (point.fault || point.request.measured_ms) &&
         (options.from.empty() || options.from == point.id);
}

/// The result and both times of one point, or why it gives none.
Expected<std::pair<Result, TimedPoint>> estimate_of(Predictor& predictor, const MeasuredSet& set,
                                                    const MeasuredPoint& point, const Gpu& gpu,
                                                    const CalibrateOptions& options) {
  auto result = predict_measured(predictor, set, point, options.prediction, {});
  if (!result) return std::move(result).error();
  const double added =
      to_milliseconds(added_time(gpu, make_query(point.request, options.prediction.choices)))
          .value();
  const TimedPoint timed{point.id, *point.request.measured_ms - added, result->time_ms - added,
                         added};
  if (timed.measured_ms <= 0 || timed.estimated_ms <= 0) {
    return Diagnostic{point.id, "a time not above the " + significant(added, 3) + " ms of timing",
                      "", ""};
  }
  return std::pair{std::move(*result), timed};
}

void leave_out(const MeasuredPoint& point, const Diagnostic& why, LeftOutPoints* left_out) {
  if (left_out == nullptr) return;
  if (left_out->count++ == 0) left_out->first = point.id + ": " + why.line();
}

/// Calls `take` with the result of every point that can be predicted and is asked for.
template <typename Take>
Expected<void> each_estimate(Predictor& predictor, const MeasuredSet& set,
                             const CalibrateOptions& options, LeftOutPoints* left_out, Take take) {
  bool any = false;
  for (const MeasuredPoint& point : set.points) {
    if (!asked_for(point, options)) continue;
    if (point.fault) {
      leave_out(point, *point.fault, left_out);
      continue;
    }
    const auto gpu = predictor.gpu(point.request.gpu, options.prediction.choices);
    if (!gpu) {
      leave_out(point, gpu.error(), left_out);
      continue;
    }
    auto estimate = estimate_of(predictor, set, point, **gpu, options);
    if (!estimate) {
      leave_out(point, estimate.error(), left_out);
      continue;
    }
    auto& [result, timed] = *estimate;
    if (!options.bound.empty() && kind_of(result) != options.bound) continue;
    take(**gpu, result, std::move(timed));
    any = true;
  }
  if (any) return {};
  return Diagnostic{set.name, "no point to calibrate with",
                    std::string("measured points that can be predicted") +
                        (options.from.empty() ? "" : ", one of them with the id " + options.from) +
                        (options.bound.empty() ? "" : ", limited by " + options.bound),
                    ""};
}

/// The share of bandwidth that this traffic reaches.
double MemoryFacts::*reached_share(const Result& result) {
  if (result.profile.dram_write_bytes <= 0) return &MemoryFacts::read_share;
  return result.profile.dram_read_bytes <= 0 ? &MemoryFacts::write_share
                                             : &MemoryFacts::mixed_share;
}

using Groups = std::map<std::string, TimedPoints>;

Expected<Groups> bandwidth_points(Predictor& predictor, const MeasuredSet& set,
                                  const CalibrateOptions& options, LeftOutPoints* left_out) {
  Groups groups;
  auto done = each_estimate(predictor, set, options, left_out,
                            [&](const Gpu& gpu, const Result& result, TimedPoint estimate) {
                              double MemoryFacts::*const share = reached_share(result);
                              const std::string path(path_of(share));
                              TimedPoints& group = groups[gpu.id + ' ' + path];
                              group.kernel = path;
                              group.gpu = gpu.id;
                              group.path = path;
                              group.value = gpu.memory.*share;
                              group.points.push_back(std::move(estimate));
                            });
  if (!done) return done.error();
  return groups;
}

double plain_error(const TimedPoints& group) {
  return error_with(group.points, 1);
}

/// The same points again under the new share, whatever then limits them, until it settles.
Expected<void> settle_share(Predictor& predictor, const MeasuredSet& set,
                            const CalibrateOptions& options, CalibratedNumber& number) {
  const std::string place = number.path + " of " + number.gpu;
  if (!(number.value > 0)) {
    return Diagnostic{place, "no share to start from", "a number above 0 in the GPU's files",
                      "--set hw." + number.path + "=VALUE"};
  }
  MeasuredSet same = set;
  std::erase_if(same.points, [&](const MeasuredPoint& p) {
    const auto& used = number.origin.used;
    return std::find(used.begin(), used.end(), p.id) == used.end();
  });
  for (int round = 0; round < rounds; ++round) {
    CalibrateOptions again = options;
    again.bound.clear();
    again.prediction.choices.overrides.push_back({number.path, significant(number.value, 17)});
    const auto groups = bandwidth_points(predictor, same, again, nullptr);
    if (!groups) return groups.error();
    const auto found = groups->find(number.gpu + ' ' + number.path);
    if (found == groups->end()) {
      return Diagnostic{place, "no point is left at a share of " + significant(number.value, 3),
                        "the points that gave it", ""};
    }
    number.origin.error_after = plain_error(found->second);
    if (round + 1 < rounds) number.value *= median_ratio(found->second.points);
  }
  if (number.value <= 1) return {};
  return Diagnostic{place, "a share of " + significant(number.value, 4),
                    "at most 1, what memory moves on paper",
                    "are the sizes, the clock and the kind of timing those of the measurement?"};
}

}  // namespace

Expected<std::vector<CalibratedFactor>> calibrate_factors(Predictor& predictor,
                                                          const MeasuredSet& set,
                                                          const CalibrateOptions& options,
                                                          LeftOutPoints* left_out) {
  auto model = models().find(options.model);
  if (!model) return std::move(model).error();
  CalibrateOptions at_one = options;
  PredictOptions& choices = at_one.prediction.choices;
  choices.models = {options.model};
  const std::string option = scaling_option(**model);
  if (!option.empty()) choices.model_options.emplace_back(options.model + '.' + option, "1");
  Groups groups;
  auto done = each_estimate(predictor, set, at_one, left_out,
                            [&](const Gpu& gpu, const Result& result, TimedPoint estimate) {
                              const std::string board =
                                  options.by_capability ? "capability " + gpu.cc.text() : gpu.id;
                              TimedPoints& group = groups[board + ' ' + result.kernel.name];
                              group.kernel = result.kernel.name;
                              group.gpu = board;
                              group.cc = gpu.cc.text();
                              group.points.push_back(std::move(estimate));
                            });
  if (!done) return done.error();
  std::vector<CalibratedFactor> factors;
  for (const auto& [name, group] : groups) {
    if (auto fine = check_agreement(group, options); !fine) return fine.error();
    CalibratedFactor factor;
    factor.model = options.model;
    factor.option = option;
    factor.kernel = group.kernel;
    (options.by_capability ? factor.cc : factor.gpu) = options.by_capability ? group.cc : group.gpu;
    factor.value = median_ratio(group.points);
    factor.origin = origin_of(group.points, options);
    factor.origin.error_before = error_with(group.points, 1);
    factor.origin.error_after = error_with(group.points, factor.value);
    factors.push_back(std::move(factor));
  }
  return factors;
}

Expected<std::vector<CalibratedNumber>> calibrate_bandwidth(Predictor& predictor,
                                                            const MeasuredSet& set,
                                                            const CalibrateOptions& options,
                                                            LeftOutPoints* left_out) {
  CalibrateOptions memory = options;
  memory.bound = "memory";
  auto first = bandwidth_points(predictor, set, memory, left_out);
  if (!first) return std::move(first).error();
  std::vector<CalibratedNumber> numbers;
  for (const auto& [name, group] : *first) {
    if (auto fine = check_agreement(group, options); !fine) return fine.error();
    CalibratedNumber number{group.gpu, group.path, "1", group.value, {}};
    number.origin = origin_of(group.points, options);
    number.origin.error_before = plain_error(group);
    numbers.push_back(std::move(number));
  }
  for (CalibratedNumber& number : numbers) {
    if (auto done = settle_share(predictor, set, options, number); !done) return done.error();
  }
  return numbers;
}

Expected<std::vector<CalibratedNumber>> calibrate_contention(
    const Gpu& gpu, const std::vector<LoadedLatency>& points, const CalibrateOptions& options) {
  const auto fit = fit_contention(points);
  if (!fit) return fit.error();
  if (!(gpu.memory.theory_gbs > 0)) {
    return Diagnostic{gpu.id, "no theoretical bandwidth", "memory.clock_mhz and its bus", ""};
  }
  CalibrationOrigin origin;
  origin.source = options.source;
  origin.sha256 = options.sha256;
  origin.points = static_cast<double>(points.size());
  origin.error_after = fit->error;
  for (const LoadedLatency& point : points) {
    origin.error_before +=
        std::fabs(gpu.memory.latency / point.cycles - 1) / static_cast<double>(points.size());
  }
  const auto number = [&](double MemoryFacts::*field, double value) {
    const std::string_view path = path_of(field);
    return CalibratedNumber{gpu.id, std::string(path), std::string(type_of_path(path, {}).unit),
                            value, origin};
  };
  return std::vector<CalibratedNumber>{
      number(&MemoryFacts::latency, fit->a), number(&MemoryFacts::contention_read, fit->b),
      number(&MemoryFacts::contention_read_share, fit->c / gpu.memory.theory_gbs)};
}

}  // namespace forewarp::validation
