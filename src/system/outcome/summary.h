// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "system/engine/world.h"
#include "system/outcome/outcome.h"

namespace forewarp::system {

/// What a run that has ended shows: times, energy, failure chance, critical path and bottleneck.
///
/// Energy: base_w T + sum over units of (idle_w T + active_w t_active), with the whole run T and
/// the time t_active that a unit's blocks would take without ticks. Failure chance: 1 - exp(-T sum
/// of the rates), with exponential lifetimes of all units and links.
Outcome summary(World& world);

/// Work on the way back from the end of the last process to the start: each stretch together with
/// what it had to wait for. Longest kind of work first.
[[nodiscard]] std::vector<PathShare> critical_path(const Timeline& timeline, Instant end);

/// The longest part of the critical path, as a sentence; empty: there is none.
[[nodiscard]] std::string bottleneck_of(const Outcome& outcome);

}  // namespace forewarp::system
