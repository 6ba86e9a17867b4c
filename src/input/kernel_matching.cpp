// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/kernel_matching.h"

#include "input/architecture_choice.h"
#include "input/kernel_names.h"

namespace forewarp::input {

NameMatch match_name(const Kernel& kernel, std::string_view wanted) {
  if (wanted.empty() || kernel.mangled == wanted) return NameMatch::mangled;
  if (kernel.name == wanted) return NameMatch::plain;
  return base_name(kernel.name) == wanted ? NameMatch::base : NameMatch::none;
}

Preference prefer(const Kernel& first, const Kernel& second, std::uint32_t for_sm,
                  bool assume_isa) {
  if (for_sm == 0 || first.mangled != second.mangled || first.sm == second.sm) {
    return Preference::equal;
  }
  const bool first_runs = runs_on(first.sm, for_sm);
  const bool second_runs = runs_on(second.sm, for_sm);
  if (first_runs != second_runs) return first_runs ? Preference::first : Preference::second;
  if (!first_runs && !assume_isa) return Preference::equal;
  if (!first_runs) {  // as choose_architecture: the newest older code, or the oldest newer
    const bool first_older = first.sm <= for_sm, second_older = second.sm <= for_sm;
    if (first_older != second_older) return first_older ? Preference::first : Preference::second;
    return (first.sm > second.sm) == first_older ? Preference::first : Preference::second;
  }
  return first.sm > second.sm ? Preference::first : Preference::second;
}

}  // namespace forewarp::input
