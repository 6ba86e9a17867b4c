// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/statistics.h"
#include "scores/scores.h"
#include "validation/validation.h"

namespace forewarp::validation {

namespace {

ScorePair pair_of(const ScoredPoint& point) {
  return {point.measured_ms, point.predicted_ms, point.low_ms, point.high_ms};
}

/// Which points a line is about; an empty name takes all.
struct Selection {
  std::string part, gpu, kernel;

  [[nodiscard]] bool holds(const ScoredPoint& point) const {
    return point.apart == part && (gpu.empty() || point.gpu == gpu) &&
           (kernel.empty() || point.kernel == kernel);
  }
};

ScoreLine line_of(const std::vector<ScoredPoint>& points, const Selection& selection) {
  ScoreLine line{selection.part, selection.gpu, selection.kernel, 0, {}};
  std::vector<ScorePair> pairs;
  for (const ScoredPoint& point : points) {
    if (!selection.holds(point)) continue;
    if (point.timed()) pairs.push_back(pair_of(point));
    if (!point.predicted()) ++line.refused;
  }
  line.scores = scores_of(pairs);
  return line;
}

/// All, then each GPU, then its kernels, where there are several.
void add_part(ValidatedSet& set, const std::string& part) {
  std::map<std::string, std::set<std::string>> kernels;  // by GPU
  std::set<std::string> all;
  for (const ScoredPoint& point : set.points) {
    if (point.apart != part) continue;
    if (point.gpu.empty()) continue;  // refused before its GPU was known
    auto& names = kernels[point.gpu];
    if (point.kernel.empty()) continue;  // refused before its name was known
    names.insert(point.kernel);
    all.insert(point.kernel);
  }
  set.lines.push_back(line_of(set.points, {part, "", ""}));
  if (all.size() > 1) {
    for (const std::string& kernel : all)
      set.lines.push_back(line_of(set.points, {part, "", kernel}));
  }
  if (kernels.size() < 2) return;
  for (const auto& [gpu, names] : kernels) {
    set.lines.push_back(line_of(set.points, {part, gpu, ""}));
    if (names.size() < 2) continue;
    for (const std::string& kernel : names) {
      set.lines.push_back(line_of(set.points, {part, gpu, kernel}));
    }
  }
}

void add_groups(ValidatedSet& set) {
  std::map<std::pair<std::string, std::string>, std::vector<ScorePair>> groups;
  for (const ScoredPoint& point : set.points) {
    if (!point.group.empty() && point.timed()) {
      groups[{point.apart, point.group}].push_back(pair_of(point));
    }
  }
  for (const auto& [name, pairs] : groups) {
    std::vector<double> measured, predicted;
    for (const ScorePair& pair : pairs) {
      measured.push_back(pair.measured);
      predicted.push_back(pair.predicted);
    }
    set.groups.push_back({name.first, name.second, pairs.size(), quantile(measured, 0.5),
                          quantile(predicted, 0.5), mean_error(pairs)});
  }
}

void add_models(ValidatedSet& set) {
  std::map<std::pair<std::string, std::string>, std::vector<ScorePair>> pairs;  // GPU, model
  std::set<std::string> gpus;
  for (const ScoredPoint& point : set.points) {
    if (!point.apart.empty() || !point.timed()) continue;
    gpus.insert(point.gpu);
    for (const auto& [model, time] : point.model_ms) {
      for (const std::string& gpu : {std::string(), point.gpu}) {
        pairs[{gpu, model}].push_back({point.measured_ms, time, time, time});
      }
    }
  }
  for (const auto& [name, of_model] : pairs) {
    if (!name.first.empty() && gpus.size() < 2) continue;
    set.models.push_back({name.first, name.second, scores_of(of_model)});
  }
}

/// Scored over the judged points that Forewarp predicted, so that both are asked the same.
template <typename Guess>
void add_baseline(ValidatedSet& set, const char* name, const char* sentence, Guess guess) {
  std::vector<ScorePair> pairs;
  for (const ScoredPoint& point : set.points) {
    if (!point.apart.empty() || !point.timed()) continue;
    const double time = guess(point);
    if (time > 0) pairs.push_back({point.measured_ms, time, time, time});
  }
  if (pairs.empty()) return;
  set.baselines.push_back({name, sentence, mean_error(pairs, best_factor(pairs)), spearman(pairs)});
}

/// Another's predictions on the judged points that have one, and the own on the same.
ReferenceLine reference_line(const ValidatedSet& set, const std::string& kernel) {
  ReferenceLine line;
  line.kernel = kernel;
  double squares = 0;
  std::vector<ScorePair> own;
  for (const ScoredPoint& point : set.points) {
    const bool asked = kernel.empty() || point.kernel == kernel;
    if (!asked || !point.apart.empty() || !point.timed() || point.reference_ms <= 0) continue;
    const double error = point.reference_ms - point.measured_ms;
    ++line.points;
    line.mape += std::fabs(error) / point.measured_ms;
    line.mae_ms += std::fabs(error);
    squares += error * error;
    line.own_mape += std::fabs(point.relative_error());
    own.push_back(pair_of(point));
  }
  if (line.points == 0) return line;
  const auto points = static_cast<double>(line.points);
  line.mape /= points;
  line.mae_ms /= points;
  line.rmse_ms = std::sqrt(squares / points);
  line.own_mape /= points;
  line.own_scaled = mean_error(own, best_factor(own));
  return line;
}

void add_references(ValidatedSet& set) {
  if (set.reference.empty()) return;
  std::set<std::string> kernels;
  for (const ScoredPoint& point : set.points) kernels.insert(point.kernel);
  kernels.erase("");
  set.references.push_back(reference_line(set, ""));
  if (kernels.size() < 2) return;
  for (const std::string& kernel : kernels) set.references.push_back(reference_line(set, kernel));
}

}  // namespace

void score(ValidatedSet& set) {
  set.lines.clear();
  set.groups.clear();
  set.models.clear();
  set.baselines.clear();
  set.references.clear();
  std::set<std::string> parts{""};
  for (const ScoredPoint& point : set.points) parts.insert(point.apart);
  for (const std::string& part : parts) add_part(set, part);
  add_groups(set);
  add_models(set);
  add_references(set);
  add_baseline(set, "constant", "the same time for every point",
               [](const ScoredPoint&) { return 1.0; });
  add_baseline(set, "bytes", "bytes that must move over the theoretical bandwidth",
               [](const ScoredPoint& p) { return p.gbs > 0 ? p.bytes / p.gbs : 0; });
  add_baseline(set, "occupancy", "blocks over those that are resident at once",
               [](const ScoredPoint& p) { return p.waves; });
}

}  // namespace forewarp::validation
