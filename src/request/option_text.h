// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "base/expected.h"
#include "request/case.h"
#include "request/predict_options.h"

namespace forewarp::request {

/// X[,Y[,Z]], each at least 1. `separator` is 'x' inside a list of a sweep.
Expected<Extent> parse_extent(std::string_view text, std::string_view place, char separator = ',');

/// Whether a clock is plausible: 1 to 100000 MHz.
[[nodiscard]] bool is_clock(double megahertz);
/// The clock as parse_clock() reads it: "boost", or MHz with all digits.
[[nodiscard]] std::string clock_text(const ClockChoice& clock);

/// MHZ, base, boost, sustained or load.
Expected<ClockChoice> parse_clock(std::string_view text, std::string_view place = "--clock");

/// device, event, stream, graph, host.
Expected<Timing> parse_timing(std::string_view text, std::string_view place = "--timing");

/// auto, all or a number of blocks.
Expected<SampleChoice> parse_sample(std::string_view text, std::string_view place = "--sample");

/// ADDRESS=N; the address is hexadecimal, as listings print it, with or without 0x.
Expected<std::pair<std::uint32_t, double>> parse_trip(std::string_view text,
                                                      std::string_view place = "--trip");

/// ADDRESS=P: share of the warps that take the branch, 0 to 1.
Expected<std::pair<std::uint32_t, double>> parse_branch_probability(
    std::string_view text, std::string_view place = "--assume-branch");

/// hw.PATH=VALUE; the result's path is without `hw.`.
Expected<FactOverride> parse_override(std::string_view text, std::string_view place = "--set");

/// link.PATH=VALUE; the result's path is without `link.`.
Expected<FactOverride> parse_link_override(std::string_view text, std::string_view place = "--set");

}  // namespace forewarp::request
