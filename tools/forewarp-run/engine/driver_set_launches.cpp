// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: launches whose block and parameters are set one by one at the function,
// as before CUDA 4. PyCUDA has them still.
#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "driver_calling.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C
using forewarp::program_run::Function;

namespace {

struct Prepared {
  forewarp::program::Extent block{1, 1, 1};
  std::size_t shared = 0;
  std::vector<std::uint8_t> parameters;
};

/// What was set, by function. The caller has the machine's lock.
std::map<const Function*, Prepared>& all_prepared() {
  static std::map<const Function*, Prepared> all;
  return all;
}
Prepared& prepared(const Function* function) {
  return all_prepared()[function];
}

template <class Set>
int set(const Function* function, Set how) {
  return driver_call([&](Machine& /*machine*/) {
    if (function == nullptr) return Status::invalid_handle;
    how(prepared(function));
    return Status::success;
  });
}

int put(const Function* function, int offset, const void* value, std::size_t bytes) {
  if (offset < 0 || value == nullptr) return static_cast<int>(Status::invalid_value);
  return set(function, [&](Prepared& it) {
    const auto begin = static_cast<std::size_t>(offset);
    it.parameters.resize(std::max(it.parameters.size(), begin + bytes));
    std::memcpy(it.parameters.data() + begin, value, bytes);
  });
}

int launch_prepared(Function* function, int width, int height, const void* stream) {
  if (width <= 0 || height <= 0) return static_cast<int>(Status::invalid_value);
  return driver_call([&](Machine& machine) {
    if (function == nullptr) return Status::invalid_handle;
    const Prepared& it = prepared(function);
    LaunchArguments given;
    given.grid = {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), 1};
    given.block = it.block;
    given.shared = it.shared;
    given.stream = stream_of(stream);
    given.packed = it.parameters.data();
    given.packed_bytes = it.parameters.size();
    return launch(machine, function, given, false);
  });
}

}  // namespace

void forewarp::cli::forget_set_launches(const Function* function) {
  all_prepared().erase(function);
}

FOREWARP_EXPORT int cuFuncSetBlockShape(Function* function, int x, int y, int z) {
  if (x <= 0 || y <= 0 || z <= 0) return static_cast<int>(Status::invalid_value);
  return set(function, [&](Prepared& it) {
    it.block = {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                static_cast<std::uint32_t>(z)};
  });
}
FOREWARP_EXPORT int cuFuncSetSharedSize(Function* function, unsigned bytes) {
  return set(function, [&](Prepared& it) { it.shared = bytes; });
}
FOREWARP_EXPORT int cuParamSetSize(Function* function, unsigned bytes) {
  return set(function, [&](Prepared& it) { it.parameters.resize(bytes); });
}
FOREWARP_EXPORT int cuParamSeti(Function* function, int offset, unsigned value) {
  return put(function, offset, &value, sizeof value);
}
FOREWARP_EXPORT int cuParamSetf(Function* function, int offset, float value) {
  return put(function, offset, &value, sizeof value);
}
FOREWARP_EXPORT int cuParamSetv(Function* function, int offset, const void* value, unsigned bytes) {
  return put(function, offset, value, bytes);
}
// A texture that code names is found by its name.
FOREWARP_EXPORT int cuParamSetTexRef(Function* /*function*/, int /*unit*/, void* /*reference*/) {
  return 0;
}
FOREWARP_EXPORT int cuLaunch(Function* function) {
  return launch_prepared(function, 1, 1, nullptr);
}
FOREWARP_EXPORT int cuLaunchGrid(Function* function, int width, int height) {
  return launch_prepared(function, width, height, nullptr);
}
FOREWARP_EXPORT int cuLaunchGridAsync(Function* function, int width, int height, void* stream) {
  return launch_prepared(function, width, height, stream);
}
