// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "hardware/gpu.h"

namespace forewarp::model {

/// Units in which sources state the rate of one kind of instruction.
enum class RateUnit : std::uint8_t {
  gigabytes,     ///< GB/s of the whole GPU, decimal
  bytes,         ///< bytes per cycle and SM
  instructions,  ///< warp instructions per cycle and SM: IPC/SM
  operations,    ///< operations of threads per cycle and scheduler
  warps,         ///< warps per cycle and SM, which execute so many such instructions each
};
inline constexpr std::size_t rate_units = 5;
[[nodiscard]] std::string_view rate_unit_name(RateUnit unit);  ///< "GB/s", "B/cycle/SM", ..
[[nodiscard]] std::optional<RateUnit> rate_unit_named(std::string_view name);

/// What a conversion needs to know.
struct RateBasis {
  double sms = 0, clock_mhz = 0, schedulers = 0, lanes = 0;
  double bytes = 0;         ///< that one warp instruction moves
  double instructions = 1;  ///< of this kind that one warp executes
};

/// Of a GPU at a clock; `bytes` 0: four for each lane, `clock_mhz` 0: the sustained clock.
[[nodiscard]] RateBasis rate_basis(const Gpu& gpu, double clock_mhz, double bytes,
                                   double instructions);

/// A rate in one unit, with the formula that leads there from IPC/SM (Volkov 2016, 1.3).
struct ConvertedRate {
  RateUnit unit = RateUnit::gigabytes;
  double value = 0;
  std::string formula;
};

/// The same rate in all units, in their order. Refused: negative rates, and a basis with a zero.
[[nodiscard]] Expected<std::vector<ConvertedRate>> convert_rate(double value, RateUnit unit,
                                                                const RateBasis& basis);

}  // namespace forewarp::model
