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
#include "hardware/gpu.h"

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
  std::string_view fact = {};  ///< path of the number in a GPU's file that it is
  double per_fact = 1;         ///< times which the number is the input
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

/// The formula of that name; refuses unknown names with the list.
Expected<const ClosedForm*> find_closed_form(std::string_view name);

/// One input with what a GPU's files say of it. No fact: they hold none.
struct FormParameter {
  const FormulaInput* input = nullptr;
  const Fact* fact = nullptr;
  double value = 0;  ///< in the input's unit
};

/// The inputs of `form` that describe a machine, as the GPU's files have them: facts
/// model.FORM.PRESET.INPUT, else model.FORM.INPUT, else the fact that the input names.
[[nodiscard]] std::vector<FormParameter> form_parameters(const ClosedForm& form, const Gpu& gpu,
                                                         std::string_view preset);

/// Evaluates formula `name`; refuses unknown names and inputs, and missing inputs, with the list.
Expected<NamedValues> evaluate_closed_form(
    std::string_view name, const std::map<std::string, double, std::less<>>& inputs);

}  // namespace forewarp::model
