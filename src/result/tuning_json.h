// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "result/tuning.h"

namespace forewarp::result {

/// One JSON object, schema "forewarp.tuning/1": what was tuned, counts, correction, `ranking` with
/// the `top` best (0: all), `next`, `refused`, `notes`. Times in milliseconds; what has no value is
/// null.
[[nodiscard]] std::string to_json(const Tuning& tuning, std::size_t top);

/// The whole space as a cache file of Kernel Tuner, its schema 1.1.0: `time` is the expected time
/// in milliseconds; what could not be predicted has the name of the failure there.
[[nodiscard]] std::string kernel_tuner_cache(const Tuning& tuning);

}  // namespace forewarp::result
