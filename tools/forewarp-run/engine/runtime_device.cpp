// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime interface: devices and their properties.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>

#include "cuda_types.h"
#include "device_attributes.h"
#include "engine.h"
#include "launching.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C
using forewarp::hardware::Gpu;

namespace {

constexpr int runtime_version = 11080;  // CUDA 11.8, whose interface this is
constexpr int driver_version = 12040;

bool is_device(const Machine& machine, int device) {
  return device >= 0 && static_cast<std::uint32_t>(device) < machine.devices();
}

void fill_properties(const Gpu& gpu, int device, cudaDeviceProp& out) {
  const auto value = [&](int attribute) {
    return device_attribute(gpu, attribute, device).value_or(0);
  };
  out = {};
  std::snprintf(out.name, sizeof out.name, "%s", gpu.name.c_str());
  device_uuid(device, out.uuid);
  out.totalGlobalMem = static_cast<std::size_t>(gpu.memory.bytes);
  out.sharedMemPerBlock = gpu.limits.shared_per_block;
  out.regsPerBlock = value(12);
  out.warpSize = value(10);
  out.memPitch = static_cast<std::size_t>(value(11));
  out.maxThreadsPerBlock = value(1);
  for (int i = 0; i < 3; ++i) {
    out.maxThreadsDim[i] = value(2 + i);
    out.maxGridSize[i] = value(5 + i);
  }
  out.clockRate = value(13);
  out.totalConstMem = static_cast<std::size_t>(value(9));
  out.major = value(75);
  out.minor = value(76);
  out.textureAlignment = static_cast<std::size_t>(value(14));
  out.texturePitchAlignment = static_cast<std::size_t>(value(51));
  out.deviceOverlap = value(15);
  out.multiProcessorCount = value(16);
  out.canMapHostMemory = value(19);
  out.maxTexture1D = value(21);
  out.maxTexture1DLinear = value(69);
  out.maxTexture2D[0] = value(22);
  out.maxTexture2D[1] = value(23);
  for (int i = 0; i < 3; ++i) {
    out.maxTexture2DLinear[i] = value(70 + i);
    out.maxTexture3D[i] = value(24 + i);
    out.maxTexture2DLayered[i] = value(27 + i);
    out.maxSurface3D[i] = value(58 + i);
  }
  out.maxSurface1D = value(55);
  out.maxSurface2D[0] = value(56);
  out.maxSurface2D[1] = value(57);
  out.surfaceAlignment = static_cast<std::size_t>(value(30));
  out.concurrentKernels = value(31);
  out.pciBusID = value(33);
  out.asyncEngineCount = value(40);
  out.unifiedAddressing = value(41);
  out.memoryClockRate = value(36);
  out.memoryBusWidth = value(37);
  out.l2CacheSize = value(38);
  out.maxThreadsPerMultiProcessor = value(39);
  out.streamPrioritiesSupported = value(78);
  out.globalL1CacheSupported = value(79);
  out.localL1CacheSupported = value(80);
  out.sharedMemPerMultiprocessor = gpu.limits.shared_per_sm;
  out.regsPerMultiprocessor = value(82);
  out.managedMemory = value(83);
  out.hostNativeAtomicSupported = value(86);
  out.singleToDoublePrecisionPerfRatio = value(87);
  out.concurrentManagedAccess = value(89);
  out.computePreemptionSupported = value(90);
  out.canUseHostPointerForRegisteredMem = value(91);
  out.cooperativeLaunch = value(95);
  out.sharedMemPerBlockOptin = gpu.limits.shared_per_block_optin;
  out.maxBlocksPerMultiProcessor = value(106);
  out.reservedSharedMemPerBlock = gpu.limits.shared_reserved;
}

int properties(cudaDeviceProp* out, int device, bool more) {
  return runtime_call([&](Machine& machine) {
    if (out == nullptr || !is_device(machine, device))
      return out == nullptr ? Status::invalid_value : Status::invalid_device;
    machine.costs().charge(forewarp::hardware::HostCall::properties);
    fill_properties(machine.gpu(), device, *out);
    if (!more) return Status::success;
    cudaDevicePropMore behind{};
    behind.hostRegisterSupported = 1;
    behind.memoryPoolsSupported = 1;
    behind.unifiedFunctionPointers = 1;
    behind.clusterLaunch = machine.gpu().cc.major >= 9 ? 1 : 0;
    std::memcpy(reinterpret_cast<char*>(out) + sizeof *out, &behind, sizeof behind);
    return Status::success;
  });
}

constexpr int heap_limit = 2;              // cudaLimitMallocHeapSize
constexpr int fetch_limit = 5;             // cudaLimitMaxL2FetchGranularity
constexpr int persisting_limit = 6;        // cudaLimitPersistingL2CacheSize
constexpr int last_limit = 9;              // 7 to 9 came with CUDA 12
constexpr std::size_t most_fetched = 128;  // bytes

/// What the program set, or the driver's defaults: bytes of a thread's stack and of the buffer of
/// printf, bytes of the heap (which the launcher keeps), depth and pending launches of kernels that
/// launch kernels. The caller has the machine's lock.
std::array<std::size_t, 7>& limits() {
  static std::array<std::size_t, 7> all{1024, 1 << 20, 0, 2, 2048, 0, 0};
  return all;
}

/// Persisting lines of L2 are there since compute capability 8.0.
bool has_limit(const Machine& machine, int limit) {
  if (limit == persisting_limit) return machine.gpu().cc.major >= 8;
  return limit >= 0 && static_cast<std::size_t>(limit) < limits().size();
}

}  // namespace

Status forewarp::cli::set_device_limit(Machine& machine, int limit, std::size_t value) {
  if (limit < 0 || limit > last_limit) return Status::invalid_value;
  if (!has_limit(machine, limit)) return Status::unsupported_limit;
  if (limit == fetch_limit && value > most_fetched) return Status::invalid_value;
  if (limit == persisting_limit && value > static_cast<std::size_t>(machine.gpu().l2.bytes))
    return Status::invalid_value;
  if (limit == heap_limit) machine.launcher().set_heap_bytes(value);
  limits()[static_cast<std::size_t>(limit)] = value;
  return Status::success;
}
Status forewarp::cli::device_limit(Machine& machine, int limit, std::size_t* value) {
  if (value == nullptr || limit < 0 || limit > last_limit) return Status::invalid_value;
  if (limit > persisting_limit) {  // told as 0 on a board; nothing here depends on them
    *value = 0;
    return Status::success;
  }
  if (!has_limit(machine, limit)) return Status::unsupported_limit;
  *value = limit == heap_limit ? machine.launcher().heap_bytes()
                               : limits()[static_cast<std::size_t>(limit)];
  return Status::success;
}

namespace {

/// Pairs of a device and one whose memory its kernels may use. The caller has the machine's lock.
std::set<std::pair<std::uint32_t, std::uint32_t>>& peers() {
  static std::set<std::pair<std::uint32_t, std::uint32_t>> all;
  return all;
}

}  // namespace

Status forewarp::cli::enable_peer(std::uint32_t peer) {
  const std::uint32_t device = thread_state().device;
  if (peer == device) return Status::peer_unsupported;
  return peers().emplace(device, peer).second ? Status::success : Status::peer_already_enabled;
}
Status forewarp::cli::disable_peer(std::uint32_t peer) {
  return peers().erase({thread_state().device, peer}) != 0 ? Status::success
                                                           : Status::peer_not_enabled;
}
void forewarp::cli::reset_device(Machine& machine, std::uint32_t device) {
  machine.wait_for_device(device);
  machine.reset(device);
  std::erase_if(peers(),
                [&](const auto& pair) { return pair.first == device || pair.second == device; });
}
Status forewarp::cli::peer_attribute(int* value, int attribute) {
  constexpr int rank = 1, access = 2, arrays = 4;  // cudaDeviceP2PAttr; 3: atomics over the link
  if (value == nullptr || attribute < rank || attribute > arrays) return Status::invalid_value;
  *value = attribute == access || attribute == arrays ? 1 : 0;
  return Status::success;
}

FOREWARP_EXPORT int cudaGetDeviceCount(int* count) {
  return runtime_call([&](Machine& machine) {
    if (count == nullptr) return Status::invalid_value;
    *count = static_cast<int>(machine.devices());
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGetDevice(int* device) {
  if (device == nullptr) return static_cast<int>(Status::invalid_value);
  *device = static_cast<int>(thread_state().device);
  return 0;
}
FOREWARP_EXPORT int cudaSetDevice(int device) {
  return runtime_call([&](Machine& machine) {
    if (!is_device(machine, device)) return Status::invalid_device;
    thread_state().device = static_cast<std::uint32_t>(device);
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaInitDevice(int device, unsigned /*device_flags*/, unsigned /*flags*/) {
  return runtime_call([&](Machine& machine) {
    return is_device(machine, device) ? Status::success : Status::invalid_device;
  });
}
FOREWARP_EXPORT int cudaSetValidDevices(int* /*devices*/, int /*count*/) {
  return 0;
}
FOREWARP_EXPORT int cudaChooseDevice(int* device, const cudaDeviceProp* /*like*/) {
  *device = 0;
  return 0;
}
FOREWARP_EXPORT int cudaGetDeviceProperties(cudaDeviceProp* out, int device) {
  return properties(out, device, false);
}
FOREWARP_EXPORT int cudaGetDeviceProperties_v2(cudaDeviceProp* out, int device) {
  return properties(out, device, true);
}
FOREWARP_EXPORT int cudaDeviceGetAttribute(int* value, int attribute, int device) {
  return runtime_call([&](Machine& machine) {
    if (!is_device(machine, device)) return Status::invalid_device;
    const auto known = device_attribute(machine.gpu(), attribute, device);
    if (value == nullptr || !known) return Status::invalid_value;
    *value = *known;
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaDeviceReset() {
  return runtime_call([](Machine& machine) {
    reset_device(machine, thread_state().device);
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaThreadExit() {
  return cudaDeviceReset();
}
FOREWARP_EXPORT int cudaSetDeviceFlags(unsigned /*flags*/) {
  return 0;
}
FOREWARP_EXPORT int cudaGetDeviceFlags(unsigned* flags) {
  *flags = 0;
  return 0;
}
FOREWARP_EXPORT int cudaDeviceSetCacheConfig(int /*config*/) {
  return 0;
}
FOREWARP_EXPORT int cudaThreadSetCacheConfig(int /*config*/) {
  return 0;
}
FOREWARP_EXPORT int cudaDeviceGetCacheConfig(int* config) {
  *config = 0;
  return 0;
}
FOREWARP_EXPORT int cudaThreadGetCacheConfig(int* config) {
  return cudaDeviceGetCacheConfig(config);
}
FOREWARP_EXPORT int cudaDeviceSetSharedMemConfig(int /*config*/) {
  return 0;
}
FOREWARP_EXPORT int cudaDeviceGetSharedMemConfig(int* config) {
  *config = 1;  // banks of four bytes
  return 0;
}
FOREWARP_EXPORT int cudaDeviceSetLimit(int limit, std::size_t value) {
  return runtime_call([&](Machine& machine) { return set_device_limit(machine, limit, value); });
}
FOREWARP_EXPORT int cudaThreadSetLimit(int limit, std::size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
FOREWARP_EXPORT int cudaDeviceGetLimit(std::size_t* value, int limit) {
  return runtime_call([&](Machine& machine) { return device_limit(machine, limit, value); });
}
FOREWARP_EXPORT int cudaThreadGetLimit(std::size_t* value, int limit) {
  return cudaDeviceGetLimit(value, limit);
}
FOREWARP_EXPORT int cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return runtime_call([&](Machine& machine) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = greatest_priority(machine.gpu());
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return runtime_call([&](Machine& machine) {
    if (can == nullptr) return Status::invalid_value;
    if (!is_device(machine, device) || !is_device(machine, peer)) return Status::invalid_device;
    *can = device != peer ? 1 : 0;
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return runtime_call([&](Machine& machine) {
    if (flags != 0) return Status::invalid_value;
    if (!is_device(machine, peer)) return Status::invalid_device;
    return enable_peer(static_cast<std::uint32_t>(peer));
  });
}
FOREWARP_EXPORT int cudaDeviceDisablePeerAccess(int peer) {
  return runtime_call([&](Machine& machine) {
    if (!is_device(machine, peer)) return Status::invalid_device;
    return disable_peer(static_cast<std::uint32_t>(peer));
  });
}
FOREWARP_EXPORT int cudaDeviceGetP2PAttribute(int* value, int attribute, int from, int to) {
  return runtime_call([&](Machine& machine) {
    if (!is_device(machine, from) || !is_device(machine, to) || from == to)
      return Status::invalid_device;
    return peer_attribute(value, attribute);
  });
}
FOREWARP_EXPORT int cudaCtxResetPersistingL2Cache() {
  return runtime_call([](Machine& /*machine*/) { return Status::success; });
}
FOREWARP_EXPORT int cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return runtime_call([&](Machine& machine) {
    if (!is_device(machine, device)) return Status::invalid_device;
    std::snprintf(text, static_cast<std::size_t>(std::max(0, length)), "%s",
                  device_bus(device).c_str());
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaRuntimeGetVersion(int* version) {
  if (version == nullptr) return static_cast<int>(Status::invalid_value);
  *version = runtime_version;
  return 0;
}
FOREWARP_EXPORT int cudaDriverGetVersion(int* version) {
  if (version == nullptr) return static_cast<int>(Status::invalid_value);
  *version = driver_version;
  return 0;
}
FOREWARP_EXPORT int cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return runtime_call([&](Machine& machine) {
    if (device == nullptr || text == nullptr) return Status::invalid_value;
    for (int each = 0; is_device(machine, each); ++each) {
      if (device_bus(each) != text) continue;
      *device = each;
      return Status::success;
    }
    return Status::invalid_device;
  });
}
FOREWARP_EXPORT int cudaProfilerInitialize(const char* /*config*/, const char* /*output*/,
                                           int /*mode*/) {
  return 0;
}
FOREWARP_EXPORT int cudaProfilerStart() {
  return 0;
}
FOREWARP_EXPORT int cudaProfilerStop() {
  return 0;
}
FOREWARP_EXPORT int cudaGetLastError() {
  const Status last = std::exchange(thread_state().last_error, Status::success);
  return static_cast<int>(last);
}
FOREWARP_EXPORT int cudaPeekAtLastError() {
  return static_cast<int>(thread_state().last_error);
}
