// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "result/tuning.h"

namespace forewarp::tuning {

/// How alike two configurations are, from 0 to 1: a mean over terms. A parameter gives 1 if both
/// have the same value, halved for each step between their values in numeric order (different
/// words: 0); a last term is 1 if the same resource limits both and both or neither are refined.
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

/// What measured configurations tell about the others. A residual is a constant plus a term that
/// alike configurations share: ridge regression in its dual form. The ridge, and whether likeness
/// or its square counts, are chosen for the least error when each measured configuration is
/// predicted from the others alone (leave-one-out). The model is used only if that error is below
/// that of one factor for all, by more than the standard error of the difference; one factor, only
/// if it is likewise better than none.
class ResidualModel {
 public:
  using Kind = TuningCorrection::Kind;

  ResidualModel(const Likeness& likeness, std::vector<Residual> residuals);

  [[nodiscard]] Kind kind() const { return kind_; }
  /// Root mean square of the residuals as they are, and after each is predicted from the others.
  [[nodiscard]] double error_before() const { return error_before_; }
  [[nodiscard]] double error_after() const { return error_after_; }
  /// Expected residual of a configuration that was not measured.
  [[nodiscard]] double residual(std::size_t point) const;
  /// The residual's standard deviation; also if nothing is corrected.
  [[nodiscard]] double deviation() const { return error_after_; }
  /// Whether the square of likeness counts.
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

/// Leave-one-out errors of the residuals: rows and columns of `likeness` are residuals, `ridge` is
/// added to its diagonal. Fills the weights of the whole fit.
[[nodiscard]] std::vector<double> left_out_errors(std::vector<double> likeness, double ridge,
                                                  std::span<const double> values,
                                                  std::vector<double>& weights);

}  // namespace forewarp::tuning
