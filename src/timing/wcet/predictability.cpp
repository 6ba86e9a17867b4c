// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/wcet/predictability.h"

#include <array>

namespace forewarp::timing {
namespace {

using enum TimingClass;

// In the order of Component.
constexpr auto components = std::to_array<ComponentInfo>({
    {"arithmetic units", constant, "fixed latency"},
    {"special function units", constant, "fixed latency for a warp alone"},
    {"warp scheduler", constant, "with so few warps it never has a choice"},
    {"warp scheduler with a choice", limited_information,
     "one late warp changes the order of all others"},
    {"load/store units", limited_information, "both schedulers share them, in an unknown order"},
    {"shared memory", constant, "its conflicts follow from known addresses"},
    {"shared memory, unknown addresses", variable_tight_bounded,
     "between no conflict and one per lane"},
    {"atomics in shared memory", variable_tight_bounded, "threads on one place follow each other"},
    {"divergence stack", variable_tight_bounded, "both sides of a branch are executed"},
    {"constant cache", limited_information, "hits depend on its state"},
    {"interconnect and off-chip memory", limited_information,
     "state of the memory, refresh, and what other SMs do"},
    {"write buffer", limited_information, "its size is not known; once full it stalls some warps"},
    {"caches", infeasible, "unknown replacement, shared by instructions, data and SMs"},
});
static_assert(components.size() == static_cast<std::size_t>(Component::count_));

constexpr auto class_names = std::to_array<std::string_view>(
    {"constant", "variable-tight-bounded", "limited-information", "infeasible"});

}  // namespace

const ComponentInfo& component_info(Component component) {
  return components[static_cast<std::size_t>(component)];
}

std::string_view timing_class_name(TimingClass timing_class) {
  return class_names[static_cast<std::size_t>(timing_class)];
}

}  // namespace forewarp::timing
