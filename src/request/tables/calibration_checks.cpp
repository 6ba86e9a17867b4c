// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/tables/calibration_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "base/text.h"
#include "hardware/capability.h"
#include "hardware/schema.h"
#include "model/model.h"

namespace forewarp::request {
namespace {

/// Shares of the theoretical bandwidth, at most 1; a pole (contention_*_share) may be above it.
constexpr std::array<double MemoryFacts::*, 4> reached_shares{
    &MemoryFacts::read_share, &MemoryFacts::write_share, &MemoryFacts::mixed_share,
    &MemoryFacts::local_share};

bool is_above_zero(double value) {
  return std::isfinite(value) && value > 0;
}

Expected<void> check_origin(const ValueCursor& cursor, const CalibrationOrigin& origin) {
  if (origin.source.empty()) {
    return cursor.refuse("the entry does not say what it comes from", "source");
  }
  const double points = origin.points;
  if (!is_above_zero(points) || points != std::floor(points)) {
    return cursor.refuse("'points' is " + significant(points, 6), "a whole number above 0");
  }
  const std::array<std::pair<std::string_view, double>, 3> figures{
      {{"spread", origin.spread},
       {"error_before", origin.error_before},
       {"error_after", origin.error_after}}};
  for (const auto& [name, value] : figures) {
    if (std::isfinite(value) && value >= 0) continue;
    return cursor.refuse("'" + std::string(name) + "' is " + significant(value, 6),
                         "a finite number, 0 or more");
  }
  return {};
}

Expected<void> check_option(const ValueCursor& cursor, const Model& model,
                            const std::string& name) {
  if (name.empty()) return {};
  std::vector<std::string> numbers;
  for (const ModelOption& option : model.options()) {
    if (option.kind != "number") continue;
    if (option.name == name) return {};
    numbers.emplace_back(option.name);
  }
  return cursor.refuse(
      "the model " + std::string(model.name()) + " has no number '" + name + "'",
      numbers.empty() ? "no option: it has none that is a number" : join(numbers, ", "));
}

Expected<void> check_path(const ValueCursor& cursor, const CalibratedNumber& number) {
  std::vector<std::string> known;
  for (const SchemaRow& row : schema()) known.emplace_back(row.path);
  const std::string_view unit = type_of_path(number.path, {}).unit;
  if (unit.empty()) {
    return cursor.refuse("no number of a GPU is named '" + number.path + "'",
                         join(nearest(number.path, known), " or "));
  }
  if (unit == "word") return cursor.refuse("'" + number.path + "' is a word", "a number's path");
  if (number.unit.empty() || unit == "*" || number.unit == unit) return {};
  return cursor.refuse("'" + number.path + "' is in '" + number.unit + "'", std::string(unit));
}

}  // namespace

Expected<void> check_factor(const ValueCursor& cursor, const CalibratedFactor& factor,
                            const Calibration& before) {
  const bool whole =
      !factor.model.empty() && !factor.kernel.empty() && factor.gpu.empty() != factor.cc.empty();
  if (!whole) return cursor.refuse("the factor is incomplete", "model, kernel, and gpu or cc");
  const auto model = models().find(factor.model);
  if (!model) {
    return cursor.refuse("no model is named '" + factor.model + "'", model.error().expected);
  }
  if (auto fine = check_option(cursor, **model, factor.option); !fine) return fine;
  if (!factor.cc.empty() && !parse_capability(factor.cc)) {
    return cursor.refuse("'cc' is '" + factor.cc + "'", "a compute capability such as 5.2");
  }
  if (!is_above_zero(factor.value)) {
    return cursor.refuse("the factor is " + significant(factor.value), "a finite value above 0");
  }
  const bool twice =
      std::any_of(before.factors.begin(), before.factors.end(), [&](const CalibratedFactor& other) {
        return other.model == factor.model && other.kernel == factor.kernel &&
               other.gpu == factor.gpu && other.cc == factor.cc;
      });
  if (twice) {
    const std::string board = factor.gpu.empty() ? "capability " + factor.cc : factor.gpu;
    return cursor.refuse(
        "a second factor of " + factor.model + " for " + factor.kernel + " on " + board,
        "one for each model, kernel and GPU");
  }
  return check_origin(cursor, factor.origin);
}

Expected<void> check_number(const ValueCursor& cursor, const CalibratedNumber& number,
                            const Calibration& before) {
  if (number.gpu.empty() || number.path.empty()) {
    return cursor.refuse("the number is incomplete", "gpu, path and value");
  }
  if (auto fine = check_path(cursor, number); !fine) return fine;
  if (!is_above_zero(number.value)) {
    return cursor.refuse(number.path + " is " + significant(number.value),
                         "a finite value above 0");
  }
  const bool is_share =
      std::any_of(reached_shares.begin(), reached_shares.end(),
                  [&](double MemoryFacts::*share) { return path_of(share) == number.path; });
  if (is_share && number.value > 1) {
    return cursor.refuse(number.path + " is " + significant(number.value, 6),
                         "a share of the bandwidth on paper: 1 at most");
  }
  const bool twice =
      std::any_of(before.numbers.begin(), before.numbers.end(), [&](const CalibratedNumber& other) {
        return other.gpu == number.gpu && other.path == number.path;
      });
  if (twice) {
    return cursor.refuse("a second " + number.path + " of " + number.gpu,
                         "one for each number and GPU");
  }
  return check_origin(cursor, number.origin);
}

}  // namespace forewarp::request
