// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/expected.h"
#include "hardware/gpu.h"

namespace forewarp::hardware {

/// Whether a GPU can be used without this number.
enum class Presence : std::uint8_t {
  positive,  ///< must be there and above zero
  required,  ///< must be there; zero has a meaning
  optional,  ///< the field stays at its default
};

/// Where a fact goes in Gpu; nowhere for facts that models read from Gpu::facts.
using GpuField = std::variant<std::monostate, double Gpu::*, std::uint32_t Gpu::*, bool Gpu::*,
                              std::string Gpu::*, std::uint32_t SmLimits::*, bool SmLimits::*,
                              std::vector<std::uint32_t> SmLimits::*>;

/// One known path. The unit "word" marks facts that are words.
struct SchemaRow {
  std::string_view path, unit;
  Presence presence;
  GpuField field;
};

/// Every path that is not of a family (class.*, rules.*, memory.segments.*, NAMED_SET.*).
[[nodiscard]] std::span<const SchemaRow> schema();

/// The unit of a path: from the table or from its family; empty for an unknown path.
/// `special` holds the names of parameter sets, whose own facts carry any unit ("*").
[[nodiscard]] std::string_view unit_of_path(std::string_view path,
                                            const std::vector<std::string>& special);

/// Unknown path, wrong unit, words where a number belongs, or the reverse.
Expected<void> check_fact(std::string_view path, const Fact& fact,
                          const std::vector<std::string>& special);

/// The GPU that the facts describe. Fails on a missing or impossible number, naming its path.
Expected<Gpu> build_gpu(Facts facts);

/// The limits alone, from facts under "limits.".
Expected<SmLimits> build_limits(const Facts& facts);

/// Up to three of `names` nearest to `text`.
[[nodiscard]] std::vector<std::string> nearest(std::string_view text,
                                               const std::vector<std::string>& names);

}  // namespace forewarp::hardware
