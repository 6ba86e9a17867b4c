// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "hardware/link.h"

namespace forewarp::hardware {

/// Unknown path, wrong unit, words where a number belongs, or the reverse.
Expected<void> check_link_fact(std::string_view path, const Fact& fact);

/// The unit of a path; empty for an unknown one.
[[nodiscard]] std::string_view unit_of_link_path(std::string_view path);

/// Widths that a file describes, in its order. Fails when there are none or one is no whole number.
Expected<std::vector<std::uint32_t>> link_widths(const Facts& facts);

/// The link of one width. Fails on a missing or impossible number, naming its path.
Expected<Link> build_link(Facts facts, std::uint32_t lanes);

}  // namespace forewarp::hardware
