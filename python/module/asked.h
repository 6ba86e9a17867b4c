// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <forewarp/launch.h>
#include <string>
#include <utility>
#include <vector>

namespace forewarp::python {

/// Options by name, each with the texts that a command line would give it.
using OptionTexts = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// A launch with these options; a launch file among them is read first, and the others win over it.
/// Throws Failure.
[[nodiscard]] Launch launch_of(const OptionTexts& given);

}  // namespace forewarp::python
