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

/// What CUDA's sample deviceQuery prints of a device; nothing where it prints no such line.
struct QueriedDevice {
  std::string name;
  Capability cc;
  std::optional<double> sms;
  std::optional<double> clock_mhz;         ///< the highest of the SMs
  std::optional<double> memory_bytes;      ///< usable
  std::optional<double> memory_clock_mhz;  ///< two transfers each
  std::optional<double> bus_bits;
  std::optional<double> l2_bytes;
};

/// The devices of its output, in their order; other lines are left alone. Refused with the line:
/// no device at all, a device without a capability, a number that cannot be.
Expected<std::vector<QueriedDevice>> parse_device_query(std::string_view text,
                                                        std::string_view file);

}  // namespace forewarp::hardware
