// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/expected.h"

namespace forewarp::cli {

/// Names that the texts of a test may use, with their values: sms, l2 (bytes), and what a
/// configuration sets: blocks, threads, and swept arguments.
using Quantities = std::map<std::string, double>;

/// The value of an arithmetic text such as "sms*2" or "l2/4": a number that is finite and not
/// negative. `place` names the test in messages.
Expected<double> quantity(const std::string& text, const Quantities& known,
                          const std::string& place);

/// As quantity(), also below zero.
Expected<double> signed_quantity(const std::string& text, const Quantities& known,
                                 const std::string& place);

/// As quantity(), a whole number: fractions are cut off.
Expected<std::uint64_t> whole_quantity(const std::string& text, const Quantities& known,
                                       const std::string& place);

}  // namespace forewarp::cli
