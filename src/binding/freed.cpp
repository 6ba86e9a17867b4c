// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/freed.h"

#include <algorithm>

#include "binding/access_space.h"

namespace forewarp::binding {
namespace {

void free_arithmetic(double issue_interval, BoundInstruction& bound) {
  bound.spacing = std::min(bound.spacing, issue_interval);
  bound.spacing_taken = std::min(bound.spacing_taken, issue_interval);
}

}  // namespace

bool Freed::nothing() const {
  return resources == 0 && loads == LoadsFrom::where_they_are && !shared && !arithmetic &&
         !barriers && !launch;
}

double LoadCaps::capped(double latency, LoadsFrom from) const {
  if (from == LoadsFrom::at_once) return 0;
  if (from == LoadsFrom::l1 && l1 > 0) return std::min(latency, l1);
  if (from != LoadsFrom::where_they_are && l2 > 0) return std::min(latency, l2);
  return latency;
}

void apply_freed(const Kernel& kernel, const Freed& freed, const LoadCaps& caps,
                 double issue_interval, BoundTiming& timing) {
  for (std::size_t i = 0; i < timing.instructions.size(); ++i) {
    BoundInstruction& bound = timing.instructions[i];
    const AccessSpace space = access_space(kernel.instructions[i].instruction_class);
    if (bound.is_load || space == AccessSpace::local) {
      bound.latency = caps.capped(bound.latency, freed.loads);
    } else if (space == AccessSpace::shared) {
      if (freed.shared) bound.latency = 0;
    } else if (freed.arithmetic) {
      bound.latency = 0;
    }
    if (freed.arithmetic) free_arithmetic(issue_interval, bound);
    bound.read_release = std::min(bound.read_release, bound.latency);
    if (freed.barriers) {
      bound.is_barrier = false;
      bound.barrier_latency = 0;
    }
  }
  if (freed.arithmetic) {
    timing.store_spacing = 0;
    timing.load_gaps.clear();
  }
}

}  // namespace forewarp::binding
