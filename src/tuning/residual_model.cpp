// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "tuning/residual_model.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"

namespace forewarp::tuning {

namespace {

constexpr double halved_per_step = 0.5;
constexpr double constant_weight = 1e4;  // the constant is all but free
constexpr double ridges[] = {3, 1, 0.3, 0.1, 0.03, 0.01};
constexpr double least_gain = 1e-3;  // of an error: a tenth of a percent is noise of any clock
constexpr std::size_t fewest = 4;    // below that nobody can say what foretells what

/// Places of the words: numbers by their order, others apart.
std::vector<double> places(const std::vector<std::string>& words, bool& ordered) {
  std::vector<double> numbers;
  ordered = true;
  for (const std::string& word : words) {
    const auto number = parse_number(word);
    ordered = ordered && number.has_value();
    numbers.push_back(number.value_or(0));
  }
  std::vector<double> sorted = numbers;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto place = std::lower_bound(sorted.begin(), sorted.end(), numbers[i]) - sorted.begin();
    result.push_back(ordered ? static_cast<double>(place) : static_cast<double>(i));
  }
  return result;
}

double mean_square(const std::vector<double>& errors) {
  double sum = 0;
  for (const double error : errors) sum += error * error;
  return sum / static_cast<double>(errors.size());
}

/// Lower triangle L with L L^T = a, in place; rows of n.
void factorise(std::vector<double>& a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / a[j * n + j];
    }
  }
}

/// Solves L y = b, or L^T x = y.
void solve_below(const std::vector<double>& l, std::size_t n, std::vector<double>& b) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= l[i * n + k] * b[k];
    b[i] /= l[i * n + i];
  }
}
void solve_above(const std::vector<double>& l, std::size_t n, std::vector<double>& b) {
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= l[k * n + i] * b[k];
    b[i] /= l[i * n + i];
  }
}

/// Whether the second errors are below the first, by more than the standard error of the difference
/// and by more than any clock's noise.
bool clearly_below(const std::vector<double>& first, const std::vector<double>& second) {
  if (std::sqrt(mean_square(first)) - std::sqrt(mean_square(second)) < least_gain) return false;
  const auto n = static_cast<double>(first.size());
  double mean = 0, squares = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    mean += (first[i] * first[i] - second[i] * second[i]) / n;
  }
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double gain = first[i] * first[i] - second[i] * second[i] - mean;
    squares += gain * gain;
  }
  return mean > std::sqrt(squares / (n - 1) / n);
}

}  // namespace

std::vector<double> left_out_errors(std::vector<double> likeness, double ridge,
                                    std::span<const double> values, std::vector<double>& weights) {
  const std::size_t n = values.size();
  for (double& entry : likeness) entry += constant_weight;
  for (std::size_t i = 0; i < n; ++i) likeness[i * n + i] += ridge;
  factorise(likeness, n);
  weights.assign(values.begin(), values.end());
  solve_below(likeness, n, weights);
  solve_above(likeness, n, weights);
  std::vector<double> errors(n), column(n);
  for (std::size_t i = 0; i < n; ++i) {
    // The diagonal of the inverse is the squared length of the column of L^-1.
    std::fill(column.begin(), column.end(), 0);
    column[i] = 1;
    solve_below(likeness, n, column);
    double diagonal = 0;
    for (const double entry : column) diagonal += entry * entry;
    errors[i] = weights[i] / diagonal;
  }
  return errors;
}

Likeness::Likeness(const Tuning& tuning) {
  for (std::size_t p = 0; p < tuning.parameters.size(); ++p) {
    const auto& words = tuning.values[p];
    if (words.size() < 2) continue;
    Feature feature;
    const std::vector<double> place = places(words, feature.ordered);
    std::map<std::string, double> place_of;
    for (std::size_t i = 0; i < words.size(); ++i) place_of[words[i]] = place[i];
    for (const TunedPoint& point : tuning.points) {
      feature.place.push_back(place_of[point.words[p]]);
    }
    features_.push_back(std::move(feature));
  }
  Feature limits;
  std::map<std::string, double> known;
  for (const TunedPoint& point : tuning.points) {
    const auto next = static_cast<double>(known.size());
    // Times of another budget may be another model's.
    const std::string kind = point.limited_by + (point.refined ? " refined" : "");
    limits.place.push_back(known.try_emplace(kind, next).first->second);
  }
  features_.push_back(std::move(limits));
}

double Likeness::operator()(std::size_t a, std::size_t b) const {
  double sum = 0;
  for (const Feature& feature : features_) {
    const double steps = std::fabs(feature.place[a] - feature.place[b]);
    if (feature.ordered) {
      sum += std::pow(halved_per_step, steps);
    } else {
      sum += steps == 0 ? 1 : 0;
    }
  }
  return sum / static_cast<double>(features_.size());
}

ResidualModel::ResidualModel(const Likeness& likeness, std::vector<Residual> residuals)
    : likeness_(likeness), residuals_(std::move(residuals)) {
  if (!residuals_.empty()) choose();
}

double ResidualModel::likeness(std::size_t a, std::size_t b, bool squared) const {
  const double alike = likeness_(a, b);
  return squared ? alike * alike : alike;
}

void ResidualModel::choose() {
  const std::size_t n = residuals_.size();
  std::vector<double> values;
  for (const Residual& residual : residuals_) values.push_back(residual.value);
  error_before_ = error_after_ = std::sqrt(mean_square(values));
  if (n < fewest) return;

  const std::vector<double> nothing(n * n, 0.0);
  std::vector<double> weights;
  const std::vector<double> by_factor = left_out_errors(nothing, 1, values, weights);
  if (mean_square(by_factor) < mean_square(values)) {
    kind_ = Kind::factor;
    ridge_ = 1;
    weights_ = weights;
    error_after_ = std::sqrt(mean_square(by_factor));
  }
  std::vector<double> best;
  double least = 0;
  for (const bool squared : {false, true}) {
    std::vector<double> alike(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        alike[i * n + j] = likeness(residuals_[i].point, residuals_[j].point, squared);
      }
    }
    for (const double ridge : ridges) {
      auto errors = left_out_errors(alike, ridge, values, weights);
      const double error = mean_square(errors);
      if (!best.empty() && error >= least) continue;
      best = std::move(errors);
      least = error;
      if (error >= error_after_ * error_after_) continue;
      const bool taken = clearly_below(by_factor, best) && clearly_below(values, best);
      if (!taken) continue;
      kind_ = Kind::residual;
      squared_ = squared;
      ridge_ = ridge;
      weights_ = weights;
      error_after_ = std::sqrt(error);
    }
  }
}

double ResidualModel::residual(std::size_t point) const {
  if (kind_ == Kind::none) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < residuals_.size(); ++i) {
    const double alike = kind_ == Kind::factor ? 0 : likeness(point, residuals_[i].point, squared_);
    sum += weights_[i] * (alike + constant_weight);
  }
  return sum;
}

}  // namespace forewarp::tuning
