// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/expected.h"

namespace forewarp {

/// Values by name: a formula's inputs, or what it gives.
using NamedValues = std::vector<std::pair<std::string_view, double>>;

/// One input of a formula. Without a default it must be given.
struct FormulaInput {
  std::string_view name;
  std::string_view unit;
  std::string_view sentence;
  bool required = true;
  double otherwise = 0;
};

/// A formula of the literature that needs no kernel: numbers in, numbers out.
struct ClosedForm {
  std::string_view name;
  std::string_view sentence;
  std::string_view reference;  ///< equation or section of the source
  std::vector<FormulaInput> inputs;
  NamedValues (*evaluate)(const std::map<std::string, double, std::less<>>& inputs);
};

[[nodiscard]] std::span<const ClosedForm> closed_forms();

/// Evaluates formula `name`; refuses unknown names and inputs, and missing inputs, with the list.
Expected<NamedValues> evaluate_closed_form(
    std::string_view name, const std::map<std::string, double, std::less<>>& inputs);

}  // namespace forewarp
