// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/rates/rate_conversion.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/quantities.h"
#include "base/text.h"

namespace forewarp::model {
namespace {

constexpr std::array<std::string_view, rate_units> unit_names = {
    "GB/s", "B/cycle/SM", "IPC/SM", "ops/cycle/scheduler", "warps/cycle/SM"};

std::string number(double value) {
  constexpr int digits = 6;
  return significant(value, digits);
}

/// So many of a unit are one warp instruction per cycle and SM.
double per_ipc(RateUnit unit, const RateBasis& b) {
  const BytesPerCycle bytes(b.bytes);
  switch (unit) {
    case RateUnit::gigabytes:
      return per_second(bytes, Megahertz(b.clock_mhz * b.sms)).value();
    case RateUnit::bytes:
      return bytes.value();
    case RateUnit::instructions:
      return 1;
    case RateUnit::operations:
      return b.lanes / b.schedulers;
    case RateUnit::warps:
      return 1 / b.instructions;
  }
  return 1;
}

std::string formula(RateUnit unit, const RateBasis& b) {
  constexpr double mhz_per_ghz = 1e3;
  switch (unit) {
    case RateUnit::gigabytes:
      return "IPC/SM x " + number(b.bytes) + " bytes an instruction x " + number(b.sms) +
             " SMs x " + number(b.clock_mhz / mhz_per_ghz) + " GHz";
    case RateUnit::bytes:
      return "IPC/SM x " + number(b.bytes) + " bytes an instruction";
    case RateUnit::instructions:
      return "instructions of warps per cycle and SM";
    case RateUnit::operations:
      return "IPC/SM x " + number(b.lanes) + " lanes / " + number(b.schedulers) + " schedulers";
    case RateUnit::warps:
      return "IPC/SM / " + number(b.instructions) + " instructions a warp";
  }
  return {};
}

}  // namespace

std::string_view rate_unit_name(RateUnit unit) {
  return unit_names[static_cast<std::size_t>(unit)];
}

std::optional<RateUnit> rate_unit_named(std::string_view name) {
  const std::string asked = lower(name);
  for (std::size_t i = 0; i < unit_names.size(); ++i) {
    if (lower(unit_names[i]) == asked) return static_cast<RateUnit>(i);
  }
  return std::nullopt;
}

RateBasis rate_basis(const Gpu& gpu, double clock_mhz, double bytes, double instructions) {
  const double lanes = gpu.limits.warp_lanes;
  constexpr double bytes_of_a_word = 4;
  return {static_cast<double>(gpu.sms),
          clock_mhz > 0 ? clock_mhz : gpu.clock_sustained_mhz,
          static_cast<double>(gpu.schedulers),
          lanes,
          bytes > 0 ? bytes : bytes_of_a_word * lanes,
          instructions};
}

Expected<std::vector<ConvertedRate>> convert_rate(double value, RateUnit unit,
                                                  const RateBasis& basis) {
  if (!std::isfinite(value) || value < 0) {
    return Diagnostic{"convert", "a rate of " + significant(value), "a number from 0", ""};
  }
  for (const double part : {basis.sms, basis.clock_mhz, basis.schedulers, basis.lanes, basis.bytes,
                            basis.instructions}) {
    if (std::isfinite(part) && part > 0) continue;
    return Diagnostic{"convert", "a basis of " + significant(part),
                      "SMs, clock, schedulers, bytes and instructions above zero", ""};
  }
  const double ipc = value / per_ipc(unit, basis);
  std::vector<ConvertedRate> rates;
  for (std::size_t i = 0; i < rate_units; ++i) {
    const auto to = static_cast<RateUnit>(i);
    rates.push_back({to, to == unit ? value : ipc * per_ipc(to, basis), formula(to, basis)});
  }
  return rates;
}

}  // namespace forewarp::model
