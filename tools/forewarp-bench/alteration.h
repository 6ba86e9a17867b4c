// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hardware/fact_override.h"
#include "hardware/gpu.h"

namespace forewarp::cli {

/// A number of a GPU file that was changed, to see whether it is found again.
struct Alteration {
  std::string path, unit;
  double from = 0, to = 0;
};

/// Whether a GPU with these numbers is possible.
using Accepts = std::function<bool(const std::vector<FactOverride>&)>;

/// Numbers that may be changed one by one: not limits of launches, switches, zeros, and not sizes
/// by which addresses are divided (lines, sectors, banks, pages), which are powers of two.
[[nodiscard]] std::vector<Alteration> alterable(const Gpu& gpu);

/// Every alterable number by its own factor from 0.7 to 1.4, whole where the number is whole,
/// shares of a whole at most 1; the same for the same seed. What `accepts` refuses stays as it is.
[[nodiscard]] std::vector<Alteration> altered(const Gpu& gpu, std::uint64_t seed,
                                              const Accepts& accepts);

/// The number that is changed, times `factor`, in the form that such a number has: a latency of
/// whole cycles stays whole, as what waits for it begins with a cycle.
[[nodiscard]] double scaled_fact(const Alteration& change, double factor);

[[nodiscard]] std::vector<FactOverride> overrides_of(const std::vector<Alteration>& changes);

/// For altered.json: {"seed": .., "facts": {PATH: {"from": .., "to": .., "unit": ..}}}.
[[nodiscard]] std::string alteration_text(const std::vector<Alteration>& changes,
                                          std::uint64_t seed);

}  // namespace forewarp::cli
