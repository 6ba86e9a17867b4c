// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "hardware/link.h"
#include "request/case.h"

namespace forewarp::measured {

/// A kernel or a copy that a device was seen doing.
struct DeviceOperation {
  std::string name;
  std::uint64_t device = 0, stream = 0;  ///< as the trace numbers them
  double begin_s = 0, end_s = 0;
  /// Of a copy between host and device with a known size; what has none (kernels, fills, copies
  /// within devices) takes its time.
  std::optional<CopyDirection> direction;
  HostMemory memory = HostMemory::pageable;
  double bytes = 0;
  std::optional<Extent> grid, block;  ///< of a kernel
};

/// What devices did during a run of an application.
struct DeviceTrace {
  std::string file;
  std::vector<DeviceOperation> operations;  ///< as they began
};

/// Most operations of a trace.
inline constexpr std::size_t most_device_operations = 1'000'000;

/// The table of `nsys stats --report cuda_gpu_trace --format csv`, whatever is printed around it.
/// Refuses a text without it, times whose unit is not known, and no operation at all.
Expected<DeviceTrace> parse_systems_trace(std::string_view csv, const std::string& file);

/// A trace as chrome://tracing reads it, of PyTorch's profiler or of `forewarp simulate --trace`:
/// complete events ("ph": "X", "ts" and "dur" in microseconds) of the categories kernel, gpu_memcpy
/// and gpu_memset, with "args": device, stream, bytes, grid and block. Refuses what is no such JSON
/// and no operation at all.
Expected<DeviceTrace> parse_chrome_trace(std::string_view json, const std::string& file);

/// A copy's direction and host memory by a name like "Memcpy HtoD (Pinned -> Device)" or
/// "[CUDA memcpy DtoH]"; memory unless it says so is pageable.
void name_copy(DeviceOperation& operation, std::string_view name);

/// Sorts and checks what a reader found: refuses none, more than the most, ends before begins.
Expected<DeviceTrace> finished_trace(DeviceTrace trace);

}  // namespace forewarp::measured
