// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace forewarp::request {

/// Reads a count or a size as people write it: 4096, 0x1000, 16M, 64MB, 1<<20, 1024*1024, 3*64K. K,
/// M, G and T are powers of 1024, with or without B or iB. nullopt for anything else and for values
/// above 2^64 - 1.
[[nodiscard]] std::optional<std::uint64_t> parse_count(std::string_view text);

}  // namespace forewarp::request
