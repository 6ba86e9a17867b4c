// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

#include "result/simulation.h"

namespace forewarp::result::result_fields {

/// Keys of a simulation, as result_fields.h has those of the rest.
template <typename T, typename U>
concept Like = std::same_as<std::remove_const_t<T>, U>;

template <typename V>
void fields(V& v, Like<SimulationFacts::Occupancy> auto& o) {
  v("mean_warps", o.mean_warps);
  v("most_warps", o.most_warps);
  v("deviation", o.deviation);
  v("below_half", o.below_half);
  v("imbalance", o.imbalance);
  v.large("points", o.points);
}

template <typename V>
void fields(V& v, Like<SimulationFacts::Ends> auto& e) {
  v("count", e.count);
  v("first", e.first);
  v("q25", e.q25);
  v("median", e.median);
  v("q75", e.q75);
  v("last", e.last);
}

template <typename V>
void fields(V& v, Like<SimulationFacts::Instruction> auto& i) {
  v("address", i.address);
  v("issues", i.issues);
  v("stalls", i.stalls);
}

template <typename V>
void fields(V& v, Like<SimulationFacts> auto& s) {
  v("cycles", s.cycles);
  v("followed_cycles", s.followed_cycles);
  v("ipc", s.ipc);
  v("issue_cycles", s.issue_cycles);
  v("schedulers", s.schedulers);
  v("stack", s.stack);
  v("occupancy", s.occupancy);
  v("blocks", s.blocks);
  v.large("instructions", s.instructions);
  v.large("causes", s.causes);
  v.large("timeline", s.timeline);
  v("simulated_instructions", s.simulated_instructions);
  v("of_instructions", s.of_instructions);
  v("error", s.error);
}

}  // namespace forewarp::result::result_fields
