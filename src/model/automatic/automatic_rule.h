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

namespace forewarp::model {

/// The rule of `auto`, which is in this folder only. It decides by facts of the kernel and the
/// launch and by what models declare of themselves, never by the name of a model, kernel or board.
///
///   1. mechanisms_met(): what costs time in this launch (device memory, barriers, waves ..).
///   2. Formulas are asked in the order of how much of that they account for (then of how much at
///      all, then of the list of models). The first whose time can be used is the closed form's: it
///      applies, and its time is finite and above 0.
///   3. Where a simulation may be run at all and device memory does not decide, a simulation is
///      asked too, and its time taken if it can be used: on kernels that nothing was fitted to it
///      is the better one there, and no better where device memory decides (docs/accuracy.md).

/// Mechanisms that cost time in this launch. `executed`: counts come from an execution; without one
/// no cache hit is known.
[[nodiscard]] Mechanisms mechanisms_met(const Demand& demand, bool executed);

/// Indices into `models`: formulas in order of preference, then simulations.
[[nodiscard]] std::vector<std::size_t> preference(std::span<const Model* const> models,
                                                  Mechanisms met);

/// A model's time as the rule sees it.
struct Candidate {
  std::string_view name;  ///< for sentences only
  Mechanisms accounts_for;
  double time_ms = 0;
  bool applies = true;
  bool simulates = false;

  [[nodiscard]] bool usable() const;
};

/// Whether to simulate beside a closed form that predicts `time_ms`, when device memory alone would
/// take `memory_ms`: always where warps wait for copies, which no closed form follows.
[[nodiscard]] bool asks_simulation(double time_ms, double memory_ms, Mechanisms met);

/// The candidate whose time is taken: a usable simulation, else the first usable one.
[[nodiscard]] std::optional<std::size_t> taken_of(std::span<const Candidate> candidates);

/// The first usable candidate, in order of preference; nullopt: none is usable.
[[nodiscard]] std::optional<std::size_t> first_usable(std::span<const Candidate> candidates);

/// Why the chosen one of `candidates` gives the time: "it accounts for 9 of the 9 things ..".
[[nodiscard]] std::string choice_reason(std::span<const Candidate> candidates, std::size_t chosen,
                                        Mechanisms met, bool executed);

/// Why models differ: those that apply and differ from the chosen one by more than a tenth, the
/// farthest first, each with the mechanisms of this launch that it leaves out. Empty: none does.
[[nodiscard]] std::string why_they_differ(std::span<const Candidate> candidates, std::size_t chosen,
                                          Mechanisms met);

}  // namespace forewarp::model
