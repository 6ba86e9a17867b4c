// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "hardware/capability.h"

namespace forewarp::hardware {

/// What CUDA's sample deviceQuery prints for a device; nullopt for lines that are missing.
struct QueriedDevice {
  std::string name;
  Capability cc;
  std::optional<double> sms;
  std::optional<double> clock_mhz;         ///< maximum SM clock
  std::optional<double> memory_bytes;      ///< usable
  std::optional<double> memory_clock_mhz;  ///< two transfers per clock
  std::optional<double> bus_bits;
  std::optional<double> l2_bytes;
};

/// The devices in the output, in order; ignores other lines. Fails, naming the line, if there is no
/// device, a device has no capability, or a number is impossible.
Expected<std::vector<QueriedDevice>> parse_device_query(std::string_view text,
                                                        std::string_view file);

}  // namespace forewarp::hardware
