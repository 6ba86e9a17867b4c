// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/quantity.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "base/text.h"

namespace forewarp::report {
namespace {

constexpr std::string_view absent = "-";

struct Unit {
  double size;
  std::string_view name;
};

/// The largest unit that the value fills once it is rounded; units are given largest first.
const Unit& fitting(double value, std::span<const Unit> units) {
  for (const Unit& unit : units) {
    if (std::fabs(value) >= 0.99995 * unit.size) return unit;
  }
  return units.back();
}

constexpr std::array<Unit, 5> time_units{
    {{3.6e6, "h"}, {1e3, "s"}, {1, "ms"}, {1e-3, "us"}, {1e-6, "ns"}}};
constexpr std::array<Unit, 5> byte_units{
    {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "bytes"}}};
constexpr std::array<Unit, 4> count_units{{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1, ""}}};

std::string scaled(double value, std::span<const Unit> units) {
  if (!std::isfinite(value)) return std::string(absent);
  if (value == 0) return "0";
  const Unit& unit = fitting(value, units);
  const double number = value / unit.size;
  const std::string text =
      unit.size == 1 && number == std::floor(number) ? grouped(number) : figure(number);
  return unit.name.empty() ? text : text + ' ' + std::string(unit.name);
}

}  // namespace

std::string figure(double value, int digits) {
  if (!std::isfinite(value)) return std::string(absent);
  if (value == 0) return "0";
  // The exponent is that of the rounded value: 999.96 has four digits as 1000.
  const std::string exact = fmt::format("{:.{}e}", value, digits - 1);
  const std::optional<std::int64_t> exponent = parse_integer(exact.substr(exact.find('e') + 1));
  if (!exponent || *exponent < -5 || *exponent > 14) return exact;
  return fmt::format("{:.{}f}", value, std::max(0, digits - 1 - static_cast<int>(*exponent)));
}

std::string grouped(double value) {
  if (!std::isfinite(value)) return std::string(absent);
  std::string text = fmt::format("{:.0f}", value);
  const std::size_t first = text.starts_with('-') ? 2 : 1;
  if (text.size() < 5) return text;
  for (std::size_t i = text.size() - 3; i >= first && i < text.size(); i -= 3)
    text.insert(i, 1, ' ');
  return text;
}

std::string number(double value) {
  return value == std::floor(value) ? grouped(value) : figure(value);
}

std::string duration(double milliseconds) {
  return scaled(milliseconds, time_units);
}

std::string short_duration(double milliseconds) {
  if (milliseconds == 0) return "0";
  const Unit& unit = fitting(milliseconds, time_units);
  return fmt::format("{:.4g} {}", milliseconds / unit.size, unit.name);
}

std::string duration_range(double low_ms, double high_ms) {
  if (!std::isfinite(low_ms) || !std::isfinite(high_ms)) return std::string(absent);
  const Unit& unit = fitting(high_ms, time_units);
  return fmt::format("{} .. {} {}", figure(low_ms / unit.size), figure(high_ms / unit.size),
                     unit.name);
}

std::string bytes(double count) {
  return scaled(count, byte_units);
}

std::string amount(double count) {
  return scaled(count, count_units);
}

std::string percent(double share) {
  if (!std::isfinite(share)) return std::string(absent);
  if (share == 0) return "0 %";
  if (std::fabs(share) < 0.0005) return "<0.1 %";
  return fmt::format("{:.1f} %", 100 * share);
}

std::string clock(double megahertz) {
  if (!std::isfinite(megahertz) || megahertz <= 0) return std::string(absent);
  return megahertz >= 1000 ? fmt::format("{:.3f} GHz", megahertz / 1000)
                           : fmt::format("{:.0f} MHz", megahertz);
}

std::string extent(const std::array<std::uint32_t, 3>& size) {
  std::string text = std::to_string(size[0]);
  if (size[1] > 1 || size[2] > 1) text += " x " + std::to_string(size[1]);
  if (size[2] > 1) text += " x " + std::to_string(size[2]);
  return text;
}

std::string dash_if_empty(std::string_view text) {
  return std::string(text.empty() ? absent : text);
}

}  // namespace forewarp::report
