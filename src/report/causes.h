// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "report/content.h"
#include "result/simulation.h"

namespace forewarp::report {

/// A cause of a simulation as a kind of lane in a picture, with the same words, letter and colour
/// everywhere. An unknown cause keeps its name.
[[nodiscard]] Lanes::Kind kind_of_cause(std::string_view cause);

/// "device memory 85 %, units 10 %": the causes that take most of its waiting, at most so many.
[[nodiscard]] std::string causes_of(const SimulationFacts::Instruction& instruction,
                                    std::size_t most);

}  // namespace forewarp::report
