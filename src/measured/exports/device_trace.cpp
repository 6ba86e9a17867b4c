// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/exports/device_trace.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"

namespace forewarp::measured {

void name_copy(DeviceOperation& operation, std::string_view name) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (has("HtoD") || has("Host-to-Device")) operation.direction = CopyDirection::to_device;
  if (has("DtoH") || has("Device-to-Host")) operation.direction = CopyDirection::to_host;
  operation.memory = has("Pinned") ? HostMemory::pinned : HostMemory::pageable;
}

Expected<DeviceTrace> finished_trace(DeviceTrace trace) {
  if (trace.operations.empty()) {
    return Diagnostic{trace.file, "has no kernel and no copy of a device",
                      "a trace of an application that used a GPU", ""};
  }
  if (trace.operations.size() > most_device_operations) {
    return Diagnostic{trace.file, "has more than 1000000 operations", "a shorter run", ""};
  }
  for (DeviceOperation& one : trace.operations) {
    const bool fine = std::isfinite(one.begin_s) && std::isfinite(one.end_s) &&
                      one.end_s >= one.begin_s && one.bytes >= 0 && std::isfinite(one.bytes);
    if (!fine) {
      return Diagnostic{trace.file, "'" + one.name.substr(0, 80) + "' ends before it begins",
                        "finite times and sizes", ""};
    }
    if (one.bytes == 0) one.direction.reset();
  }
  std::stable_sort(trace.operations.begin(), trace.operations.end(),
                   [](const DeviceOperation& a, const DeviceOperation& b) {
                     return std::pair(a.begin_s, a.end_s) < std::pair(b.begin_s, b.end_s);
                   });
  return trace;
}

}  // namespace forewarp::measured
