// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "layers.h"
#include "request/options/option_table.h"

namespace forewarp::python {

/// Options by name, each with the texts that a command line would give it.
using OptionTexts = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// The option of the table by its name or its key, - and _ alike. Throws Failure where there is
/// none, with the closest name, and for one that only a command line has a use for.
[[nodiscard]] const OptionRow& python_option(const std::string& name);

/// Those that python_option() finds, in the table's order.
[[nodiscard]] std::vector<const OptionRow*> python_options();

/// What the options ask for; a launch file is read first and the others win over it.
[[nodiscard]] Asked asked_of(const std::string& input, const OptionTexts& given);

}  // namespace forewarp::python
