// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace forewarp::report {

/// Numbers as people read them: the unit is chosen by the value, with three or four significant
/// digits. An absent value (not finite) is "-", zero is "0".
[[nodiscard]] std::string figure(double value, int digits = 4);  ///< "134.5", "0.02230"
[[nodiscard]] std::string grouped(double value);          ///< "1 562 500"; whole numbers only
[[nodiscard]] std::string number(double value);           ///< "3 990", "134.5": whole ones exact
[[nodiscard]] std::string duration(double milliseconds);  ///< "146.7 ms", "12.30 us"
[[nodiscard]] std::string short_duration(double milliseconds);            ///< for ticks: "100 ms"
[[nodiscard]] std::string duration_range(double low_ms, double high_ms);  ///< "138.2 .. 155.1 ms"
[[nodiscard]] std::string bytes(double count);                            ///< decimal: "3.200 GB"
[[nodiscard]] std::string amount(double count);     ///< "6.725 G", "1 562 500"
[[nodiscard]] std::string percent(double share);    ///< "98.5 %"
[[nodiscard]] std::string clock(double megahertz);  ///< "1.253 GHz"
[[nodiscard]] std::string extent(const std::array<std::uint32_t, 3>& size);  ///< "256 x 256"
[[nodiscard]] std::string dash_if_empty(std::string_view text);

}  // namespace forewarp::report
