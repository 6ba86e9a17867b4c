// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: devices, contexts, modules, streams and launches.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <string>

#include "base/file.h"
#include "device_attributes.h"
#include "engine.h"
#include "launching.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C
using forewarp::program_run::CodeModule;
using forewarp::program_run::Event;
using forewarp::program_run::Function;

namespace {

constexpr int driver_version = 12040;
constexpr double ns_per_ms = 1e6;

bool is_device(const Machine& machine, int device) {
  return device >= 0 && static_cast<std::uint32_t>(device) < machine.devices();
}

/// A context's handle tells its device; each device has one.
void* context_of(std::uint32_t device) {
  return pointer_to(device + 1);
}
std::uint32_t device_of(const void* context) {
  return static_cast<std::uint32_t>(address_of(context) - 1);
}

int load(CodeModule** out, std::string bytes) {
  return driver_call([&](Machine& machine) {
    if (out == nullptr || bytes.empty()) return Status::invalid_value;
    *out = machine.modules().add(std::move(bytes));
    return Status::success;
  });
}

/// Code in memory does not say how long it is: a fatbin and a cubin do in their headers, PTX ends
/// with a zero.
std::string image_bytes(const void* image) {
  const auto* text = static_cast<const char*>(image);
  if (std::memcmp(text,
                  "\x7f"
                  "ELF",
                  4) == 0)
    return std::string(text, elf_bytes(text));
  const std::string_view fat = forewarp::program_run::fat_binary_at(image);
  return fat.empty() ? std::string(text) : std::string(fat);
}

template <class Work>
int with_event(void* event, Work work) {
  return driver_call([&](Machine& machine) {
    auto* known = static_cast<Event*>(event);
    return machine.has_event(known) ? work(machine, *known) : Status::invalid_handle;
  });
}

}  // namespace

FOREWARP_EXPORT int cuInit(unsigned /*flags*/) {
  return driver_call([](Machine& /*machine*/) { return Status::success; });
}
FOREWARP_EXPORT int cuDriverGetVersion(int* version) {
  *version = driver_version;
  return 0;
}
FOREWARP_EXPORT int cuGetErrorName(int code, const char** name) {
  *name = cudaGetErrorName(code);
  return 0;
}
FOREWARP_EXPORT int cuGetErrorString(int code, const char** text) {
  *text = cudaGetErrorString(code);
  return 0;
}
FOREWARP_EXPORT int cuDeviceGetCount(int* count) {
  return driver_call([&](Machine& machine) {
    *count = static_cast<int>(machine.devices());
    return Status::success;
  });
}
FOREWARP_EXPORT int cuDeviceGet(int* device, int ordinal) {
  return driver_call([&](Machine& machine) {
    *device = ordinal;
    return is_device(machine, ordinal) ? Status::success : Status::invalid_device;
  });
}
FOREWARP_EXPORT int cuDeviceGetName(char* name, int length, int /*device*/) {
  return driver_call([&](Machine& machine) {
    std::snprintf(name, static_cast<std::size_t>(std::max(0, length)), "%s",
                  machine.gpu().name.c_str());
    return Status::success;
  });
}
FOREWARP_EXPORT int cuDeviceGetAttribute(int* value, int attribute, int device) {
  return driver_call([&](Machine& machine) {
    if (!is_device(machine, device)) return Status::invalid_device;
    const auto known = device_attribute(machine.gpu(), attribute, device);
    if (!known) return Status::invalid_value;
    *value = *known;
    return Status::success;
  });
}
FOREWARP_EXPORT int cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
  return driver_call([&](Machine& machine) {
    if (!is_device(machine, device)) return Status::invalid_device;
    *bytes = machine.memory().total_bytes(static_cast<std::uint32_t>(device));
    return Status::success;
  });
}
FOREWARP_EXPORT int cuDeviceComputeCapability(int* major, int* minor, int device) {
  const int failed = cuDeviceGetAttribute(major, 75, device);
  return failed != 0 ? failed : cuDeviceGetAttribute(minor, 76, device);
}

FOREWARP_EXPORT int cuCtxCreate_v2(void** context, unsigned /*flags*/, int device) {
  return driver_call([&](Machine& machine) {
    if (!is_device(machine, device)) return Status::invalid_device;
    thread_state().device = static_cast<std::uint32_t>(device);
    *context = context_of(thread_state().device);
    return Status::success;
  });
}
FOREWARP_EXPORT int cuDevicePrimaryCtxRetain(void** context, int device) {
  return cuCtxCreate_v2(context, 0, device);
}
FOREWARP_EXPORT int cuDevicePrimaryCtxRelease_v2(int /*device*/) {
  return 0;
}
FOREWARP_EXPORT int cuDevicePrimaryCtxSetFlags_v2(int /*device*/, unsigned /*flags*/) {
  return 0;
}
FOREWARP_EXPORT int cuDevicePrimaryCtxGetState(int /*device*/, unsigned* flags, int* active) {
  *flags = 0;
  *active = 1;
  return 0;
}
FOREWARP_EXPORT int cuCtxDestroy_v2(void* /*context*/) {
  return 0;
}
FOREWARP_EXPORT int cuCtxSetCurrent(void* context) {
  if (context != nullptr) thread_state().device = device_of(context);
  return 0;
}
FOREWARP_EXPORT int cuCtxPushCurrent_v2(void* context) {
  return cuCtxSetCurrent(context);
}
FOREWARP_EXPORT int cuCtxGetCurrent(void** context) {
  *context = context_of(thread_state().device);
  return 0;
}
FOREWARP_EXPORT int cuCtxPopCurrent_v2(void** context) {
  if (context != nullptr) *context = context_of(thread_state().device);
  return 0;
}
FOREWARP_EXPORT int cuCtxGetDevice(int* device) {
  *device = static_cast<int>(thread_state().device);
  return 0;
}
FOREWARP_EXPORT int cuCtxSynchronize() {
  return driver_call([](Machine& machine) {
    machine.wait_for_device(thread_state().device);
    return machine.fault();
  });
}
FOREWARP_EXPORT int cuCtxSetCacheConfig(int /*config*/) {
  return 0;
}
FOREWARP_EXPORT int cuCtxSetLimit(int /*limit*/, std::size_t /*value*/) {
  return 0;
}

FOREWARP_EXPORT int cuModuleLoadData(CodeModule** out, const void* image) {
  return load(out, image_bytes(image));
}
FOREWARP_EXPORT int cuModuleLoadDataEx(CodeModule** out, const void* image, unsigned /*count*/,
                                       int* /*options*/, void** /*values*/) {
  return load(out, image_bytes(image));
}
FOREWARP_EXPORT int cuModuleLoadFatBinary(CodeModule** out, const void* image) {
  return load(out, image_bytes(image));
}
FOREWARP_EXPORT int cuModuleLoad(CodeModule** out, const char* path) {
  auto bytes = forewarp::base::read_file(path);
  if (!bytes) return static_cast<int>(Status::no_symbol);
  return load(out, *std::move(bytes));
}
FOREWARP_EXPORT int cuModuleUnload(CodeModule* module) {
  return driver_call([&](Machine& machine) {
    machine.modules().remove(module);
    return Status::success;
  });
}
FOREWARP_EXPORT int cuModuleGetFunction(Function** out, CodeModule* module, const char* name) {
  return driver_call([&](Machine& machine) {
    auto found = machine.modules().function(*module, name);
    if (!found) {
      machine.tell("error", found.error().line());
      return Status::no_symbol;
    }
    *out = *found;
    return Status::success;
  });
}
FOREWARP_EXPORT int cuModuleGetGlobal_v2(std::uint64_t* out, std::size_t* bytes, CodeModule* module,
                                         const char* name) {
  return driver_call([&](Machine& machine) {
    const auto found = machine.modules().variable(*module, name);
    if (!found || *found == nullptr) return Status::no_symbol;
    if (out != nullptr) *out = (*found)->address;
    if (bytes != nullptr) *bytes = (*found)->bytes;
    return Status::success;
  });
}

FOREWARP_EXPORT int cuStreamCreate(void** out, unsigned flags) {
  return driver_call([&](Machine& machine) {
    *out = pointer_to(machine.make_stream(thread_state().device, (flags & 1U) == 0));
    return Status::success;
  });
}
FOREWARP_EXPORT int cuStreamCreateWithPriority(void** out, unsigned flags, int /*priority*/) {
  return cuStreamCreate(out, flags);
}
FOREWARP_EXPORT int cuStreamDestroy_v2(void* stream) {
  return driver_call([&](Machine& machine) {
    return machine.end_stream(stream_of(stream)) ? Status::success : Status::invalid_handle;
  });
}
FOREWARP_EXPORT int cuStreamSynchronize(void* stream) {
  return driver_call([&](Machine& machine) {
    if (!machine.has_stream(stream_of(stream))) return Status::invalid_handle;
    machine.wait_for_stream(stream_of(stream), thread_state().device);
    return machine.fault();
  });
}
FOREWARP_EXPORT int cuStreamQuery(void* stream) {
  return driver_call([&](Machine& machine) {
    if (!machine.has_stream(stream_of(stream))) return Status::invalid_handle;
    return machine.is_done(stream_of(stream), thread_state().device) ? machine.fault()
                                                                     : Status::not_ready;
  });
}
FOREWARP_EXPORT int cuStreamWaitEvent(void* stream, void* event, unsigned /*flags*/) {
  return with_event(event, [&](Machine& machine, Event& known) {
    machine.wait_for_event(known, stream_of(stream), thread_state().device);
    return Status::success;
  });
}
FOREWARP_EXPORT int cuEventCreate(void** out, unsigned flags) {
  return driver_call([&](Machine& machine) {
    *out = machine.make_event((flags & 2U) == 0);
    return Status::success;
  });
}
FOREWARP_EXPORT int cuEventDestroy_v2(void* event) {
  return driver_call([&](Machine& machine) {
    return machine.end_event(static_cast<Event*>(event)) ? Status::success : Status::invalid_handle;
  });
}
FOREWARP_EXPORT int cuEventRecord(void* event, void* stream) {
  return with_event(event, [&](Machine& machine, Event& known) {
    machine.record(known, stream_of(stream), thread_state().device);
    return Status::success;
  });
}
FOREWARP_EXPORT int cuEventSynchronize(void* event) {
  return with_event(event, [&](Machine& machine, Event& known) {
    if (known.recorded) machine.clock().wait_until(known.time);
    return machine.fault();
  });
}
FOREWARP_EXPORT int cuEventQuery(void* event) {
  return with_event(event, [&](Machine& machine, Event& known) {
    const bool done = !known.recorded || known.time <= machine.clock().now();
    return done ? machine.fault() : Status::not_ready;
  });
}
FOREWARP_EXPORT int cuEventElapsedTime(float* ms, void* begin, void* end) {
  return with_event(begin, [&](Machine& machine, Event& first) {
    const auto* last = static_cast<Event*>(end);
    if (!machine.has_event(last) || !first.recorded || !last->recorded)
      return Status::invalid_handle;
    *ms = static_cast<float>(static_cast<double>(last->time - first.time) / ns_per_ms);
    return Status::success;
  });
}

FOREWARP_EXPORT int cuLaunchKernel(Function* function, unsigned gx, unsigned gy, unsigned gz,
                                   unsigned bx, unsigned by, unsigned bz, unsigned shared,
                                   void* stream, void** values, void** extra) {
  LaunchArguments given{{gx, gy, gz}, {bx, by, bz}, shared, stream_of(stream), values, nullptr, 0};
  // CU_LAUNCH_PARAM_BUFFER_POINTER, its size, end: the parameter area as a whole.
  for (void** at = extra; values == nullptr && at != nullptr && *at != nullptr; at += 2) {
    if (address_of(*at) == 1) given.packed = at[1];
    if (address_of(*at) == 2) given.packed_bytes = *static_cast<std::size_t*>(at[1]);
  }
  return driver_call([&](Machine& machine) { return launch(machine, function, given, false); },
                     true);
}
FOREWARP_EXPORT int cuLaunchCooperativeKernel(Function* function, unsigned gx, unsigned gy,
                                              unsigned gz, unsigned bx, unsigned by, unsigned bz,
                                              unsigned shared, void* stream, void** values) {
  return cuLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, stream, values, nullptr);
}
FOREWARP_EXPORT int cuFuncGetAttribute(int* value, int attribute, Function* function) {
  if (function == nullptr) return static_cast<int>(Status::invalid_handle);
  const auto& resources = function->code.kernel->resources;
  const auto number = [](auto count) { return static_cast<int>(count.value_or(0)); };
  return driver_call([&](Machine& machine) {
    switch (attribute) {
      case 0:
        *value = static_cast<int>(machine.gpu().limits.threads_per_block);
        break;
      case 1:
        *value = number(resources.static_shared);
        break;
      case 3:
        *value = number(resources.local_bytes);
        break;
      case 4:
        *value = number(resources.registers);
        break;
      case 5:
      case 6:
        *value = static_cast<int>(function->code.kernel->sm);
        break;
      case 8:
        *value = static_cast<int>(function->most_dynamic_shared);
        break;
      default:
        *value = 0;
    }
    return Status::success;
  });
}
FOREWARP_EXPORT int cuFuncSetAttribute(Function* function, int attribute, int value) {
  constexpr int dynamic_shared = 8;
  if (function == nullptr) return static_cast<int>(Status::invalid_handle);
  if (attribute == dynamic_shared)
    function->most_dynamic_shared = static_cast<std::uint32_t>(std::max(0, value));
  return 0;
}
FOREWARP_EXPORT int cuFuncSetCacheConfig(Function* /*function*/, int /*config*/) {
  return 0;
}
FOREWARP_EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function* function,
                                                                int threads, std::size_t shared) {
  return driver_call([&](Machine& machine) {
    if (function == nullptr) return Status::invalid_handle;
    return blocks_per_sm(machine, *function, threads, shared, blocks);
  });
}

FOREWARP_EXPORT int cuGetProcAddress(const char* name, void** out, int /*version*/,
                                     std::uint64_t /*flags*/) {
  *out = nullptr;
  // The newest version of a name is the one that is asked for.
  for (const char* const suffix : {"_v3", "_v2", ""}) {
    *out = ::dlsym(RTLD_DEFAULT, (std::string(name) + suffix).c_str());
    if (*out != nullptr) return 0;
  }
  return static_cast<int>(Status::no_symbol);
}
