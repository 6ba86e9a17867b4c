// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "request/options/option_row.h"

namespace forewarp::request {

/// Setters and getters of options whose value is more than a word or a number. A setter's refusal
/// starts with `place`; setters of NAME=VALUE append.
using OptionSetter = Expected<void>(const OptionRow&, std::string_view text, std::string_view place,
                                    const OptionTarget&);
using OptionGetter = std::vector<std::string>(const OptionSource&);

OptionSetter set_shared, set_copy, set_model_option, set_override, set_calibration, set_clock,
    set_timing, set_repeat, set_trip, set_branch, set_sample, set_compile_options;
OptionGetter get_gpu, get_shared, get_copies, get_link, get_model_options, get_overrides,
    get_calibration, get_clock, get_timing, get_repeat, get_trips, get_branches, get_sample,
    get_compile_options, get_overhead;

}  // namespace forewarp::request
