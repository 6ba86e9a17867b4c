// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Voudouris 2014, section 4.1: four classes of timing behaviour, and the class of each part of a
// Fermi SM. The classes of the parts are read out of his prose.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace forewarp::timing {

/// How predictable the time of a part is, best first.
enum class TimingClass : std::uint8_t {
  constant,                ///< same program, input and machine: same time
  variable_tight_bounded,  ///< one of a finite set of times, each computable
  limited_information,     ///< the vendor does not publish what an estimate needs
  infeasible,              ///< too many states to enumerate
};

/// Parts of the machine whose time may vary.
enum class Component : std::uint8_t {
  arithmetic,
  sfu,
  warp_scheduler,
  warp_scheduler_full,
  load_store_units,
  shared_memory,
  shared_memory_unknown,
  shared_atomics,
  simt_stack,
  constant_cache,
  memory,
  write_buffer,
  caches,
  count_
};

struct ComponentInfo {
  std::string_view name;
  TimingClass timing_class;
  std::string_view reason;  ///< why it is in that class
};

[[nodiscard]] const ComponentInfo& component_info(Component component);
/// "limited-information".
[[nodiscard]] std::string_view timing_class_name(TimingClass timing_class);

}  // namespace forewarp::timing
