// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "hardware/gpu.h"
#include "model/closed_form/closed_form.h"

namespace forewarp::model {

/// All formulas that need no kernel, in the order in which they are listed.
[[nodiscard]] std::span<const ClosedForm> closed_forms();

/// The formula of that name; refuses unknown names with the list.
Expected<const ClosedForm*> find_closed_form(std::string_view name);

/// One input with the fact that a GPU's files have for it, if any.
struct FormParameter {
  const FormulaInput* input = nullptr;
  const Fact* fact = nullptr;
  double value = 0;  ///< in the input's unit
};

/// The inputs of `form` that describe a machine, from the GPU's files: fact
/// model.FORM.PRESET.INPUT, else model.FORM.INPUT, else the fact that the input names.
[[nodiscard]] std::vector<FormParameter> form_parameters(const ClosedForm& form, const Gpu& gpu,
                                                         std::string_view preset);

/// Evaluates formula `name`; refuses unknown names and inputs, and missing inputs, with the list.
Expected<NamedValues> evaluate_closed_form(
    std::string_view name, const std::map<std::string, double, std::less<>>& inputs);

}  // namespace forewarp::model
