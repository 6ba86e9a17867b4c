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

/// Whether a GPU needs this number.
enum class Presence : std::uint8_t {
  positive,  ///< must exist and be positive
  required,  ///< must exist; zero is meaningful
  optional,  ///< may be missing: the field keeps its default
};

/// The field of Gpu for a fact; none for facts that models read from Gpu::facts.
using GpuField = std::variant<std::monostate, double Gpu::*, std::uint32_t Gpu::*, bool Gpu::*,
                              std::string Gpu::*, std::uint32_t SmLimits::*, bool SmLimits::*,
                              std::vector<std::uint32_t> SmLimits::*>;

/// One known path. Facts with unit "word" are words.
struct SchemaRow {
  std::string_view path, unit;
  Presence presence;
  GpuField field;
};

/// All paths outside the families (class.*, rules.*, memory.segments.*, NAMED_SET.*).
[[nodiscard]] std::span<const SchemaRow> schema();

/// The unit of a path, from the table or its family; empty if the path is unknown. `special`: names
/// of parameter sets, whose own facts may have any unit ("*").
[[nodiscard]] std::string_view unit_of_path(std::string_view path,
                                            const std::vector<std::string>& special);

/// Fails for an unknown path, a wrong unit, words instead of a number, or the reverse.
Expected<void> check_fact(std::string_view path, const Fact& fact,
                          const std::vector<std::string>& special);

/// Builds the GPU that the facts describe. Fails for a missing or impossible number, by its path.
Expected<Gpu> build_gpu(Facts facts);

/// Builds the limits alone, from facts under "limits.".
Expected<SmLimits> build_limits(const Facts& facts);

/// Up to three of `names`, those nearest to `text`.
[[nodiscard]] std::vector<std::string> nearest(std::string_view text,
                                               const std::vector<std::string>& names);

}  // namespace forewarp::hardware
