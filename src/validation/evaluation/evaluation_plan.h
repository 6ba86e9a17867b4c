// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/expected.h"

namespace forewarp::validation {

/// A published figure, and how to compute ours.
struct PlannedFigure {
  std::string id, what, source, printed, note;
  std::string gpu, model, against;  ///< against: the model in the denominator of a quotient
  std::string workload;             ///< with its intensity
  std::string quantity;             ///< see docs/evaluate.md
  /// Instead of model and workload: a formula with its inputs; quantity is the name of its value.
  std::string formula;
  std::map<std::string, std::string, std::less<>> inputs;
  double warps = 0;  ///< 0: over all whole warps per scheduler
  double share = 0;  ///< share of the peak, for needed warps
  double scale = 1;  ///< ours times this is in the source's unit
  double low = 0, high = 0;
  bool exact = false;
};

/// What `forewarp evaluate` runs: data/evaluations/*.toml.
struct EvaluationPlan {
  std::string title, source;
  std::string workload = "memory";
  std::vector<std::string> gpus, models;
  std::string reference;
  std::vector<double> alphas;
  std::vector<double> warps;  ///< empty: whole warps per scheduler up to what an SM holds
  std::vector<PlannedFigure> figures;
};

/// Schema "forewarp.evaluation/1". Refuses unknown keys and missing ones, with file and line.
Expected<EvaluationPlan> load_plan(const std::string& path);
Expected<EvaluationPlan> parse_plan(const std::string& text, const std::string& name);

}  // namespace forewarp::validation
