// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
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

/// The field of Gpu, or of a group in it, for a fact; none for facts that no code reads, or that
/// fill more than one field.
using GpuField =
    std::variant<std::monostate, double Gpu::*, std::uint32_t Gpu::*, bool Gpu::*,
                 std::string Gpu::*, std::uint32_t SmLimits::*, bool SmLimits::*,
                 std::vector<std::uint32_t> SmLimits::*, std::array<std::uint32_t, 3> SmLimits::*,
                 double L1Facts::*, bool L1Facts::*, double L2Facts::*, double MemoryFacts::*,
                 double AtomicFacts::*, double TensorFacts::*, double QueueFacts::*,
                 double CopyFacts::*, double ClusterFacts::*, double ConstantFacts::*,
                 double FetchFacts::*, double PowerFacts::*, double EnergyFacts::*>;

/// One known path. Facts with unit "word" are words.
struct SchemaRow {
  std::string_view path, unit;
  Presence presence;
  GpuField field;
};

/// All paths outside the families (class.*, rules.*, memory.segments.*, NAMED_SET.*).
[[nodiscard]] std::span<const SchemaRow> schema();

/// The path of the fact that fills `field`; empty for a field that no single fact fills.
[[nodiscard]] std::string_view path_of(const GpuField& field);

/// The fact behind a field, with its provenance; null if the GPU's files do not state it.
[[nodiscard]] const Fact* fact_of(const Gpu& gpu, const GpuField& field);

/// Whether a result names this fact with its source: clocks, SMs, issue, launch and memory.
[[nodiscard]] bool shown_with_result(std::string_view path);

/// What a path takes, from the table or its family; without a unit if the path is unknown.
/// `special`: names of parameter sets, whose own facts may have any unit.
[[nodiscard]] FactType type_of_path(std::string_view path, const std::vector<std::string>& special);

/// Fails for an unknown path, and for a value of another kind or unit than its path takes.
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
