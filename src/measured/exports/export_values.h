// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "request/case.h"

namespace forewarp::measured {

/// "1,215,000.50", "27.595.520", "65,77 %", "4.0e-05": whatever the locale of the machine that
/// wrote it. A single comma before three digits separates thousands. No value for n/a and words.
[[nodiscard]] std::optional<double> exported_number(std::string_view text);

/// The unit in bytes, seconds, hertz or pieces: "usecond" is 1e-6, "Mbyte/second" 1e6, "%" and
/// "inst" 1. `binary`: KB is 1024.
[[nodiscard]] double unit_factor(std::string_view unit, bool binary = false);

/// "ns", "usecond", "msec", "s" and their like.
[[nodiscard]] bool is_time_unit(std::string_view unit);

/// "(256, 1, 1)" or "256,1,1".
[[nodiscard]] std::optional<Extent> exported_extent(std::string_view text);

/// "void ns::f<(int)4>(float *)", "f(float*) [12]" -> "f".
[[nodiscard]] std::string exported_kernel_name(std::string_view text);

/// "BOARD (0)" -> "BOARD": the index of the device is no part of its name.
[[nodiscard]] std::string exported_device(std::string_view text);

}  // namespace forewarp::measured
