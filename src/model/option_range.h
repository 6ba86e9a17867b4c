// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hardware/gpu.h"

namespace forewarp::model {

/// The numbers that an option may be. Declared with every option that is a number.
struct OptionRange {
  double least = 1, most = 0;
  bool zero = false;                            ///< 0 is one, too: it stands for something else
  bool whole = false;                           ///< whole numbers alone
  bool below = false;                           ///< `most` itself is none of them
  double (*most_on)(const Gpu& gpu) = nullptr;  ///< what a GPU has at most; null: it says nothing

  [[nodiscard]] constexpr bool is_declared() const { return least <= most; }
  /// `gpu`: null where none is known yet.
  [[nodiscard]] bool has(double value, const Gpu* gpu = nullptr) const;
  /// "a number from 0 to 1000000", "0, or a number from 1 to 1000".
  [[nodiscard]] std::string text(const Gpu* gpu = nullptr) const;
};

/// Cycles of one step; 0 is none, or stands for what is known.
inline constexpr OptionRange cycles_range{.least = 0, .most = 1e6};

/// Estimated over measured time. `usual_scaling_range`: with 0 for the usual one.
inline constexpr OptionRange scaling_range{.least = 1e-3, .most = 1e3};
inline constexpr OptionRange usual_scaling_range{.least = 1e-3, .most = 1e3, .zero = true};

/// Exponent of a p-norm, which is none below 1; 0: the larger alone.
inline constexpr OptionRange exponent_range{.least = 1, .most = 1000, .zero = true};

/// Warps that an SM holds on average; 0: what fits.
inline constexpr OptionRange resident_range{
    .least = 1e-3, .most = 1e6, .zero = true, .most_on = [](const Gpu& gpu) -> double {
      return gpu.limits.warps_per_sm;
    }};

}  // namespace forewarp::model
