// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "hardware/gpu.h"

namespace forewarp::cli {

/// An attribute of a board by its number in CUDA's interfaces (cudaDeviceAttr, CUdevice_attribute
/// have the same); nullopt: there is none of that number.
[[nodiscard]] std::optional<int> device_attribute(const hardware::Gpu& gpu, int attribute,
                                                  int device);

/// Sixteen bytes that no other device of the machine has.
void device_uuid(int device, char* uuid);
/// Where a device is on the bus: domain, bus, device and function.
[[nodiscard]] std::string device_bus(int device);

/// The greatest priority of a stream; the least one is 0, and smaller numbers are greater.
[[nodiscard]] int greatest_priority(const hardware::Gpu& gpu);

}  // namespace forewarp::cli
