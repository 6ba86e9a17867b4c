// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace forewarp {

/// The rule of `auto`. It stands in this folder and nowhere else, and looks at facts of the kernel
/// and the launch and at what models declare of themselves: no name of a model, kernel or board
/// decides.
///
///   1. What does this launch meet? Traffic to device memory, barriers, waves ..: mechanisms_met().
///   2. Models are asked in the order of how much of that they account for (then formulas before
///      simulations, then of how much at all, then of the list of models).
///   3. The first whose time can be used is taken: it applies, and its time is finite and above 0.

/// What costs time in this launch. `executed`: counts come from an execution; without one no cache
/// hit is known.
[[nodiscard]] Mechanisms mechanisms_met(const Demand& demand, bool executed);

/// Indices into `models`, the preferred first.
[[nodiscard]] std::vector<std::size_t> preference(std::span<const Model* const> models,
                                                  Mechanisms met);

/// A model's time as the rule sees it.
struct Candidate {
  std::string_view name;  ///< for sentences only
  Mechanisms accounts_for;
  double time_ms = 0;
  bool applies = true;

  [[nodiscard]] bool usable() const;
};

/// The first usable one of candidates in the order of preference; none where there is none.
[[nodiscard]] std::optional<std::size_t> first_usable(std::span<const Candidate> candidates);

/// Why the chosen one of `candidates` gives the time: "it accounts for 9 of the 9 things ..".
[[nodiscard]] std::string choice_reason(std::span<const Candidate> candidates, std::size_t chosen,
                                        Mechanisms met, bool executed);

/// Why models differ: those that apply and are off by more than a tenth, the farthest first, each
/// with what it leaves out of what this launch meets. Empty where none is.
[[nodiscard]] std::string why_they_differ(std::span<const Candidate> candidates, std::size_t chosen,
                                          Mechanisms met);

}  // namespace forewarp
