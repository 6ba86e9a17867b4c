// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace forewarp::model {

/// Values by name: a formula's inputs, or what it gives.
using NamedValues = std::vector<std::pair<std::string_view, double>>;

/// One input of a formula. Without a default it must be given.
struct FormulaInput {
  std::string_view name;
  std::string_view unit;
  std::string_view sentence;
  bool required = true;
  double otherwise = 0;
  std::string_view fact = {};  ///< path of the GPU's fact that gives it
  double per_fact = 1;         ///< input over fact: a factor between units
  bool may_fall = false;       ///< may be below 0: a difference
};

/// A formula of the literature that needs no kernel: numbers in, numbers out.
struct ClosedForm {
  std::string_view name;
  std::string_view sentence;
  std::string_view reference;  ///< equation or section of the source
  std::vector<FormulaInput> inputs;
  NamedValues (*evaluate)(const std::map<std::string, double, std::less<>>& inputs);
};

}  // namespace forewarp::model
