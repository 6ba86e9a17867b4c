// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: devices and contexts. A device has one context, its primary one.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "device_attributes.h"
#include "driver_calling.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C

namespace {

constexpr int driver_version = 12040;

bool is_device(const Machine& machine, int device) {
  return device >= 0 && static_cast<std::uint32_t>(device) < machine.devices();
}

/// A context's handle tells its device.
void* context_of(std::uint32_t device) {
  return pointer_to(device + 1);
}
std::uint32_t device_of(const void* context) {
  return static_cast<std::uint32_t>(address_of(context) - 1);
}
bool is_context(const Machine& machine, const void* context) {
  return context != nullptr && device_of(context) < machine.devices();
}

void push(ThreadState& thread, std::uint32_t device) {
  thread.contexts_below.push_back({thread.has_context, thread.device});
  thread.has_context = true;
  thread.device = device;
}
void pop(ThreadState& thread) {
  const ThreadState::Context below =
      thread.contexts_below.empty() ? ThreadState::Context{} : thread.contexts_below.back();
  if (!thread.contexts_below.empty()) thread.contexts_below.pop_back();
  thread.has_context = below.is_one;
  if (below.is_one) thread.device = below.device;
}

/// `work(machine)`, where the context is one.
template <class Work>
int with_context(const void* context, Work work) {
  return driver_call([&](Machine& machine) {
    return is_context(machine, context) ? work(machine) : Status::invalid_context;
  });
}
template <class Work>
int with_device(int device, Work work) {
  return driver_call([&](Machine& machine) {
    return is_device(machine, device) ? work(machine) : Status::invalid_device;
  });
}

}  // namespace

FOREWARP_EXPORT int cuInit(unsigned /*flags*/) {
  return driver_call([](Machine& /*machine*/) { return Status::success; });
}
FOREWARP_EXPORT int cuDriverGetVersion(int* version) {
  if (version == nullptr) return static_cast<int>(Status::invalid_value);
  *version = driver_version;
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
FOREWARP_EXPORT int cuDeviceGetUuid(char* uuid, int device) {
  return with_device(device, [&](Machine& /*machine*/) {
    device_uuid(device, uuid);
    return Status::success;
  });
}
FOREWARP_EXPORT int cuDeviceGetUuid_v2(char* uuid, int device) {
  return cuDeviceGetUuid(uuid, device);
}
FOREWARP_EXPORT int cuDeviceGetPCIBusId(char* text, int length, int device) {
  return with_device(device, [&](Machine& /*machine*/) {
    std::snprintf(text, static_cast<std::size_t>(std::max(0, length)), "%s",
                  device_bus(device).c_str());
    return Status::success;
  });
}
FOREWARP_EXPORT int cuDeviceGetByPCIBusId(int* device, const char* text) {
  return driver_call([&](Machine& machine) {
    for (int each = 0; is_device(machine, each); ++each) {
      if (device_bus(each) != text) continue;
      *device = each;
      return Status::success;
    }
    return Status::invalid_device;
  });
}
FOREWARP_EXPORT int cuDeviceCanAccessPeer(int* can, int device, int peer) {
  return driver_call([&](Machine& machine) {
    if (!is_device(machine, device) || !is_device(machine, peer)) return Status::invalid_device;
    *can = device != peer ? 1 : 0;
    return Status::success;
  });
}

FOREWARP_EXPORT int cuCtxCreate_v2(void** context, unsigned /*flags*/, int device) {
  return with_device(device, [&](Machine& /*machine*/) {
    push(thread_state(), static_cast<std::uint32_t>(device));
    *context = context_of(thread_state().device);
    return Status::success;
  });
}
/// With a share of the multiprocessors, which no board so far lets a program ask for without MPS.
FOREWARP_EXPORT int cuCtxCreate_v3(void** context, const void* /*shares*/, int count,
                                   unsigned flags, int device) {
  if (count != 0) return unsupported_driver_call("cuCtxCreate_v3 with a share of the SMs");
  return cuCtxCreate_v2(context, flags, device);
}
FOREWARP_EXPORT int cuCtxDestroy_v2(void* context) {
  return with_context(context, [&](Machine& /*machine*/) {
    ThreadState& thread = thread_state();
    if (thread.has_context && thread.device == device_of(context)) pop(thread);
    return Status::success;
  });
}
FOREWARP_EXPORT int cuCtxAttach(void** context, unsigned /*flags*/) {
  *context = thread_state().has_context ? context_of(thread_state().device) : nullptr;
  return static_cast<int>(*context == nullptr ? Status::invalid_context : Status::success);
}
FOREWARP_EXPORT int cuCtxDetach(void* context) {
  return cuCtxDestroy_v2(context);
}
FOREWARP_EXPORT int cuDevicePrimaryCtxRetain(void** context, int device) {
  return with_device(device, [&](Machine& /*machine*/) {
    *context = context_of(static_cast<std::uint32_t>(device));
    return Status::success;
  });
}
FOREWARP_EXPORT int cuDevicePrimaryCtxRelease_v2(int /*device*/) {
  return 0;
}
FOREWARP_EXPORT int cuDevicePrimaryCtxReset_v2(int device) {
  return with_device(device, [&](Machine& machine) {
    reset_device(machine, static_cast<std::uint32_t>(device));
    return Status::success;
  });
}
FOREWARP_EXPORT int cuDevicePrimaryCtxSetFlags_v2(int /*device*/, unsigned /*flags*/) {
  return 0;
}
FOREWARP_EXPORT int cuDevicePrimaryCtxGetState(int /*device*/, unsigned* flags, int* active) {
  *flags = 0;
  *active = 1;
  return 0;
}
FOREWARP_EXPORT int cuCtxSetCurrent(void* context) {
  if (context == nullptr) {
    pop(thread_state());
    return 0;
  }
  return with_context(context, [&](Machine& /*machine*/) {
    thread_state().has_context = true;
    thread_state().device = device_of(context);
    return Status::success;
  });
}
FOREWARP_EXPORT int cuCtxPushCurrent_v2(void* context) {
  return with_context(context, [&](Machine& /*machine*/) {
    push(thread_state(), device_of(context));
    return Status::success;
  });
}
FOREWARP_EXPORT int cuCtxGetCurrent(void** context) {
  *context = thread_state().has_context ? context_of(thread_state().device) : nullptr;
  return 0;
}
FOREWARP_EXPORT int cuCtxPopCurrent_v2(void** context) {
  ThreadState& thread = thread_state();
  if (!thread.has_context) return static_cast<int>(Status::invalid_context);
  if (context != nullptr) *context = context_of(thread.device);
  pop(thread);
  return 0;
}
FOREWARP_EXPORT int cuCtxGetDevice(int* device) {
  if (!thread_state().has_context) return static_cast<int>(Status::invalid_context);
  *device = static_cast<int>(thread_state().device);
  return 0;
}
FOREWARP_EXPORT int cuCtxGetApiVersion(void* /*context*/, unsigned* version) {
  constexpr unsigned since_v2 = 3020;  // the version of contexts, unchanged since CUDA 3.2
  *version = since_v2;
  return 0;
}
FOREWARP_EXPORT int cuCtxGetFlags(unsigned* flags) {
  *flags = 0;
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
FOREWARP_EXPORT int cuCtxGetCacheConfig(int* config) {
  *config = 0;
  return 0;
}
FOREWARP_EXPORT int cuCtxSetSharedMemConfig(int /*config*/) {
  return 0;
}
FOREWARP_EXPORT int cuCtxGetSharedMemConfig(int* config) {
  *config = 1;  // banks of four bytes
  return 0;
}
FOREWARP_EXPORT int cuCtxSetLimit(int limit, std::size_t value) {
  return driver_call([&](Machine& machine) { return set_device_limit(machine, limit, value); });
}
FOREWARP_EXPORT int cuCtxGetLimit(std::size_t* value, int limit) {
  return driver_call([&](Machine& machine) { return device_limit(machine, limit, value); });
}
FOREWARP_EXPORT int cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return driver_call([&](Machine& machine) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = greatest_priority(machine.gpu());
    return Status::success;
  });
}
FOREWARP_EXPORT int cuCtxEnablePeerAccess(void* peer, unsigned flags) {
  if (flags != 0) return static_cast<int>(Status::invalid_value);
  return with_context(peer, [&](Machine& /*machine*/) {
    const bool own = device_of(peer) == thread_state().device;
    return own ? Status::invalid_context : enable_peer(device_of(peer));
  });
}
FOREWARP_EXPORT int cuCtxDisablePeerAccess(void* peer) {
  return with_context(peer, [&](Machine& /*machine*/) { return disable_peer(device_of(peer)); });
}
FOREWARP_EXPORT int cuDeviceGetP2PAttribute(int* value, int attribute, int from, int to) {
  return driver_call([&](Machine& machine) {
    if (!is_device(machine, from) || !is_device(machine, to) || from == to)
      return Status::invalid_device;
    return peer_attribute(value, attribute);
  });
}
FOREWARP_EXPORT int cuCtxResetPersistingL2Cache() {
  return 0;
}
FOREWARP_EXPORT int cuProfilerStart() {
  return 0;
}
FOREWARP_EXPORT int cuProfilerStop() {
  return 0;
}
