// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/expected.h"

namespace forewarp::cli {

/// Inputs of a closed form by name.
using FormInputs = std::map<std::string, double, std::less<>>;

/// Adds to `inputs` what the GPU's files say of the formula's inputs and was not given. `preset`
/// names a set of the model's own constants and needs a GPU.
Expected<void> add_gpu_inputs(const std::string& form, const std::string& gpu,
                              const std::string& preset, FormInputs& inputs);

/// Prints the inputs that describe the machine with unit, source and confidence, and what is
/// missing of them.
Expected<int> show_parameters(const std::string& form, const std::string& gpu,
                              const std::string& preset);

}  // namespace forewarp::cli
