// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/expected.h"
#include "characterise/samples/device.h"
#include "characterise/samples/samples_file.h"
#include "characterise/statistics/clock_cost.h"

namespace forewarp::characterise {

/// How long the accesses of a test took on a device.
struct DeviceLatencies {
  std::string config;  ///< of the launch: "blocks=1,threads=32"
  Pmf windows, empty;  ///< between two readings of the clock; without the access
  Deconvolution accesses;
};

/// Of the one configuration of `test` that has all values of `where`: the windows less the cost of
/// the clock, by a constrained deconvolution. Fails where no configuration is meant, or several.
Expected<DeviceLatencies> device_latencies(
    const SampleTable& samples, const MeasuredDevice& device, const std::string& test,
    const std::vector<std::pair<std::string, std::string>>& where);

}  // namespace forewarp::characterise
