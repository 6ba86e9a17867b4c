// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "result/tuning.h"

namespace forewarp::study {

/// How alike configurations are, from 0 to 1: the mean over the parameters of 1 where both have the
/// same value, halved for each step between their values in the order of numbers (words that are no
/// numbers: 0), and of 1 where the same resource limits both and both or none are refined.
class Likeness {
 public:
  explicit Likeness(const Tuning& tuning);
  [[nodiscard]] double operator()(std::size_t a, std::size_t b) const;

 private:
  struct Feature {
    std::vector<double> place;  // of every configuration
    bool ordered = false;
  };
  std::vector<Feature> features_;
};

/// One measured configuration: ln(measured / predicted).
struct Residual {
  std::size_t point = 0;
  double value = 0;
};

/// What measured configurations say of the others. A residual is a constant plus a term that alike
/// configurations share: ridge regression in its dual form. The strength of the ridge, and whether
/// likeness or its square counts, are those with the least error when each measured configuration
/// is foretold by the others alone. Taken only where that error falls, by more than the standard
/// error of its fall, below that of one factor for all; a factor only where it falls below none.
class ResidualModel {
 public:
  using Kind = TuningCorrection::Kind;

  ResidualModel(const Likeness& likeness, std::vector<Residual> residuals);

  [[nodiscard]] Kind kind() const { return kind_; }
  /// Root mean square of the residuals as they are, and of each foretold by the others.
  [[nodiscard]] double error_before() const { return error_before_; }
  [[nodiscard]] double error_after() const { return error_after_; }
  /// Expected residual of a configuration that was not measured.
  [[nodiscard]] double residual(std::size_t point) const;
  /// Its standard deviation; also where nothing is corrected.
  [[nodiscard]] double deviation() const { return error_after_; }
  /// Whether likeness itself or its square counts.
  [[nodiscard]] bool squared() const { return squared_; }
  [[nodiscard]] double ridge() const { return ridge_; }

 private:
  void choose();
  [[nodiscard]] double likeness(std::size_t a, std::size_t b, bool squared) const;

  const Likeness& likeness_;
  std::vector<Residual> residuals_;
  Kind kind_ = Kind::none;
  double error_before_ = 0, error_after_ = 0;
  bool squared_ = false;
  double ridge_ = 0;
  std::vector<double> weights_;
};

/// Errors of the residuals when each is foretold by the others: rows and columns of `likeness` are
/// residuals, `ridge` stands on its diagonal. Fills the weights of the whole fit.
[[nodiscard]] std::vector<double> left_out_errors(std::vector<double> likeness, double ridge,
                                                  std::span<const double> values,
                                                  std::vector<double>& weights);

}  // namespace forewarp::study
