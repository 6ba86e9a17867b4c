// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "hardware/fact_override.h"
#include "hardware/link.h"

namespace forewarp::hardware {

/// Fails for an unknown path, a wrong unit, words instead of a number, or the reverse.
Expected<void> check_link_fact(std::string_view path, const Fact& fact);

/// The number that a user sets; no link needs to be there. Fails for an unknown path, one that
/// cannot be set, and what is no number.
Expected<Fact> changed_link_fact(const FactOverride& change);

/// The unit of a path; empty if it is unknown.
[[nodiscard]] std::string_view unit_of_link_path(std::string_view path);

/// The widths that a file describes, in its order. Fails if there are none or one is no integer.
Expected<std::vector<std::uint32_t>> link_widths(const Facts& facts);

/// Builds the link of one width. Fails for a missing or impossible number, naming its path.
Expected<Link> build_link(Facts facts, std::uint32_t lanes);

}  // namespace forewarp::hardware
