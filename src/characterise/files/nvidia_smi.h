// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "base/expected.h"
#include "characterise/samples/device.h"

namespace forewarp::characterise {

/// The devices in what `nvidia-smi -q` prints: name, memory, largest clocks and power limit. It
/// tells no capability, SMs, caches or width of the memory: cc stays 0.0. "N/A" is left out. Fails,
/// naming the line, where there is no device, and for a number that is none.
Expected<std::vector<MeasuredDevice>> parse_nvidia_smi(std::string_view text,
                                                       std::string_view file);

}  // namespace forewarp::characterise
