// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/expected.h"
#include "hardware/gpu.h"
#include "model/closed_form/form_list.h"

namespace forewarp::model {

/// Inputs of a formula as text, by name; "preset" names a set of the formula's own constants.
using FormulaTexts = std::map<std::string, std::string, std::less<>>;

/// The formula's inputs that describe the machine, from the GPU's files. Refuses a preset that they
/// do not have.
Expected<std::vector<FormParameter>> machine_inputs(const ClosedForm& form, const Gpu& gpu,
                                                    const std::string& preset);

/// Runs a closed form, or else the formula of a model of the literature, on numbers given by hand.
/// Inputs that are not given come from the GPU's files, if there is a GPU.
Expected<std::vector<std::pair<std::string, double>>> run_formula(std::string_view name,
                                                                  const FormulaTexts& inputs,
                                                                  const Gpu* gpu);

}  // namespace forewarp::model
