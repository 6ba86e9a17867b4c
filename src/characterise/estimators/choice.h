// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "base/diagnostic.h"
#include "characterise/estimators/estimator.h"

namespace forewarp::characterise {

/// Which of several configurations is the number.
enum class Choice : std::uint8_t { least, most, median, mean };

/// Sets value, deviation and note from the points, of which there is at least one. Of the mean the
/// deviation is that of the points where there are several; of the others it is the chosen one's.
void choose(Estimate& estimate, Choice choice);

/// Refusals that several estimators have: time that does not grow with work, a part that is not
/// one of theirs.
[[nodiscard]] Diagnostic no_growth(const NumberRow& row, const Series& series);
[[nodiscard]] Diagnostic unknown_part(const NumberRow& row, std::string_view parts);

}  // namespace forewarp::characterise
