// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: memory, copies and fills.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "driver_calling.h"
#include "per_thread.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C
using forewarp::program_run::Allocation;
using forewarp::program_run::CopyKind;
using forewarp::program_run::CopyOrder;
using forewarp::program_run::FillOrder;
using forewarp::program_run::Freeing;
using forewarp::program_run::MemoryKind;

namespace {

int allocate(std::uint64_t* out, std::size_t bytes, MemoryKind kind, unsigned flags = 0) {
  return driver_call([&](Machine& machine) {
    if (out == nullptr || bytes == 0) return Status::invalid_value;
    *out = machine.allocate(bytes, kind, thread_state().device);
    if (*out == 0) return Status::memory_allocation;
    machine.memory().set_flags(*out, flags);
    return Status::success;
  });
}

/// Pinned memory of the host.
int allocate_host(void** out, std::size_t bytes, unsigned flags) {
  if (out == nullptr) return static_cast<int>(Status::invalid_value);
  std::uint64_t made = 0;
  const int failed = allocate(&made, bytes, MemoryKind::pinned, flags);
  *out = pointer_to(made);
  return failed;
}

int release(std::uint64_t at, Freeing by) {
  return driver_call([&](Machine& machine) {
    machine.wait_for_device(thread_state().device);
    return machine.release(at, by) ? Status::success : Status::invalid_value;
  });
}

int copy(std::uint64_t to, std::uint64_t from, std::size_t bytes, CopyKind kind,
         const void* stream = nullptr, bool asynchronous = false) {
  return driver_call([&](Machine& machine) {
    CopyOrder order;
    order.to = to;
    order.from = from;
    order.width = bytes;
    order.kind = kind;
    order.stream = stream_of(stream);
    order.asynchronous = asynchronous;
    if (!machine.has_stream(order.stream)) return Status::invalid_handle;
    return machine.copy(order, thread_state().device);
  });
}

int fill(std::uint64_t to, std::uint32_t value, std::uint32_t element, std::size_t count,
         const void* stream = nullptr) {
  return driver_call([&](Machine& machine) {
    FillOrder order;
    order.to = to;
    order.value = value;
    order.element = element;
    order.width = count * element;
    order.stream = stream_of(stream);
    if (!machine.has_stream(order.stream)) return Status::invalid_handle;
    return machine.fill(order, thread_state().device);
  });
}

template <class T>
Status put(void* out, T value) {
  std::memcpy(out, &value, sizeof value);
  return Status::success;
}

/// Of a CUpointer_attribute: addresses, contexts and sizes have eight bytes, numbers four.
std::size_t attribute_bytes(int attribute) {
  constexpr int wide[] = {1, 3, 4, 7, 11, 12};
  return std::find(std::begin(wide), std::end(wide), attribute) != std::end(wide) ? 8 : 4;
}

/// CUpointer_attribute.
Status pointer_attribute(const Allocation& found, int attribute, std::uint64_t at, void* out) {
  constexpr unsigned host_type = 1, device_type = 2;  // CU_MEMORYTYPE_HOST, _DEVICE
  const bool host = found.kind == MemoryKind::pinned || found.kind == MemoryKind::registered;
  const bool managed = found.host_writes && !host;
  switch (attribute) {
    case 1:  // the context: that of the device, see driver_devices.cpp
      return put(out, std::uint64_t{found.device} + 1);
    case 2:
      return put(out, host ? host_type : device_type);
    case 3:
      return put(out, at);
    case 4:
      return host || managed ? put(out, at) : Status::invalid_value;
    case 7:  // a number of the allocation
    case 11:
      return put(out, found.address);
    case 8:
      return put(out, static_cast<unsigned>(managed));
    case 9:
      return put(out, static_cast<int>(found.device));
    case 12:
      return put(out, found.bytes);
    case 13:
      return put(out, 1U);
    default:
      return Status::not_supported;
  }
}

}  // namespace

FOREWARP_EXPORT int cuMemAlloc_v2(std::uint64_t* out, std::size_t bytes) {
  return allocate(out, bytes, MemoryKind::device);
}
FOREWARP_EXPORT int cuMemAllocManaged(std::uint64_t* out, std::size_t bytes, unsigned /*flags*/) {
  return allocate(out, bytes, MemoryKind::managed);
}
FOREWARP_EXPORT int cuMemAllocHost_v2(void** out, std::size_t bytes) {
  return allocate_host(out, bytes, 0);
}
FOREWARP_EXPORT int cuMemHostAlloc(void** out, std::size_t bytes, unsigned flags) {
  return allocate_host(out, bytes, flags);
}
FOREWARP_EXPORT int cuMemFree_v2(std::uint64_t at) {
  return release(at, Freeing::memory);
}
FOREWARP_EXPORT int cuMemFreeHost(void* at) {
  return release(address_of(at), Freeing::host);
}
FOREWARP_EXPORT int cuMemHostGetDevicePointer_v2(std::uint64_t* out, void* at, unsigned /*flags*/) {
  return driver_call([&](Machine& machine) {
    if (out == nullptr || machine.memory().find(address_of(at)) == nullptr)
      return Status::invalid_value;
    *out = address_of(at);
    return Status::success;
  });
}
FOREWARP_EXPORT int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  return driver_call([&](Machine& machine) {
    if (free == nullptr || total == nullptr) return Status::invalid_value;
    *total = machine.memory().total_bytes(thread_state().device);
    *free = machine.memory().free_bytes(thread_state().device);
    return Status::success;
  });
}
FOREWARP_EXPORT int cuMemGetAddressRange_v2(std::uint64_t* begin, std::size_t* bytes,
                                            std::uint64_t at) {
  return driver_call([&](Machine& machine) {
    const auto* found = machine.memory().find(at);
    if (found == nullptr) return Status::no_symbol;
    if (begin != nullptr) *begin = found->address;
    if (bytes != nullptr) *bytes = found->bytes;
    return Status::success;
  });
}
FOREWARP_EXPORT int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes) {
  return copy(to, address_of(from), bytes, CopyKind::to_device);
}
FOREWARP_EXPORT int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes) {
  return copy(address_of(to), from, bytes, CopyKind::to_host);
}
FOREWARP_EXPORT int cuMemcpyDtoD_v2(std::uint64_t to, std::uint64_t from, std::size_t bytes) {
  return copy(to, from, bytes, CopyKind::on_device);
}
FOREWARP_EXPORT int cuMemcpy(std::uint64_t to, std::uint64_t from, std::size_t bytes) {
  return copy(to, from, bytes, CopyKind::by_address);
}
FOREWARP_EXPORT int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t bytes,
                                         void* stream) {
  return copy(to, address_of(from), bytes, CopyKind::to_device, stream, true);
}
FOREWARP_EXPORT int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes,
                                         void* stream) {
  return copy(address_of(to), from, bytes, CopyKind::to_host, stream, true);
}
FOREWARP_EXPORT int cuMemcpyDtoDAsync_v2(std::uint64_t to, std::uint64_t from, std::size_t bytes,
                                         void* stream) {
  return copy(to, from, bytes, CopyKind::on_device, stream, true);
}
FOREWARP_EXPORT int cuMemcpyAsync(std::uint64_t to, std::uint64_t from, std::size_t bytes,
                                  void* stream) {
  return copy(to, from, bytes, CopyKind::by_address, stream, true);
}
FOREWARP_EXPORT int cuMemsetD8_v2(std::uint64_t to, unsigned char value, std::size_t count) {
  return fill(to, value, 1, count);
}
FOREWARP_EXPORT int cuMemsetD16_v2(std::uint64_t to, unsigned short value, std::size_t count) {
  return fill(to, value, 2, count);
}
FOREWARP_EXPORT int cuMemsetD32_v2(std::uint64_t to, unsigned value, std::size_t count) {
  return fill(to, value, 4, count);
}
FOREWARP_EXPORT int cuMemsetD8Async(std::uint64_t to, unsigned char value, std::size_t count,
                                    void* stream) {
  return fill(to, value, 1, count, stream);
}
FOREWARP_EXPORT int cuMemsetD32Async(std::uint64_t to, unsigned value, std::size_t count,
                                     void* stream) {
  return fill(to, value, 4, count, stream);
}
FOREWARP_EXPORT int cuMemsetD16Async(std::uint64_t to, unsigned short value, std::size_t count,
                                     void* stream) {
  return fill(to, value, 2, count, stream);
}
FOREWARP_EXPORT int cuMemcpyPeer(std::uint64_t to, void* /*to_context*/, std::uint64_t from,
                                 void* /*from_context*/, std::size_t bytes) {
  return copy(to, from, bytes, CopyKind::by_address);
}
FOREWARP_EXPORT int cuMemcpyPeerAsync(std::uint64_t to, void* /*to_context*/, std::uint64_t from,
                                      void* /*from_context*/, std::size_t bytes, void* stream) {
  return copy(to, from, bytes, CopyKind::by_address, stream, true);
}
FOREWARP_EXPORT int cuMemHostRegister_v2(void* at, std::size_t bytes, unsigned /*flags*/) {
  return driver_call([&](Machine& machine) {
    return machine.adopt(address_of(at), bytes, thread_state().device)
               ? Status::success
               : Status::host_memory_registered;
  });
}
FOREWARP_EXPORT int cuMemHostUnregister(void* at) {
  return driver_call([&](Machine& machine) {
    return machine.release(address_of(at), Freeing::registration)
               ? Status::success
               : Status::host_memory_not_registered;
  });
}
FOREWARP_EXPORT int cuMemHostGetFlags(unsigned* flags, void* at) {
  return driver_call([&](Machine& machine) { return host_flags(machine, address_of(at), flags); });
}
FOREWARP_EXPORT int cuPointerGetAttribute(void* out, int attribute, std::uint64_t at) {
  return driver_call([&](Machine& machine) {
    const auto* found = machine.memory().find(at);
    if (out == nullptr || found == nullptr) return Status::invalid_value;
    return pointer_attribute(*found, attribute, at, out);
  });
}
FOREWARP_EXPORT int cuPointerGetAttributes(unsigned count, const int* attributes, void** out,
                                           std::uint64_t at) {
  return driver_call([&](Machine& machine) {
    const auto* found = machine.memory().find(at);
    for (unsigned i = 0; i < count; ++i) {
      // Of memory that is none of CUDA's, each is zero.
      static const Allocation none;
      const Status status =
          pointer_attribute(found != nullptr ? *found : none, attributes[i], at, out[i]);
      if (found == nullptr) std::memset(out[i], 0, attribute_bytes(attributes[i]));
      if (status != Status::success && found != nullptr) return status;
    }
    return Status::success;
  });
}

PER_THREAD(cuMemcpy, _ptds, 3)
PER_THREAD(cuMemcpyHtoD_v2, _ptds, 3)
PER_THREAD(cuMemcpyDtoH_v2, _ptds, 3)
PER_THREAD(cuMemcpyDtoD_v2, _ptds, 3)
PER_THREAD(cuMemcpyPeer, _ptds, 5)
PER_THREAD(cuMemcpyAsync, _ptsz, 4)
PER_THREAD(cuMemcpyHtoDAsync_v2, _ptsz, 4)
PER_THREAD(cuMemcpyDtoHAsync_v2, _ptsz, 4)
PER_THREAD(cuMemcpyDtoDAsync_v2, _ptsz, 4)
PER_THREAD(cuMemcpyPeerAsync, _ptsz, 6)
PER_THREAD(cuMemsetD8_v2, _ptds, 3)
PER_THREAD(cuMemsetD16_v2, _ptds, 3)
PER_THREAD(cuMemsetD32_v2, _ptds, 3)
PER_THREAD(cuMemsetD8Async, _ptsz, 4)
PER_THREAD(cuMemsetD16Async, _ptsz, 4)
PER_THREAD(cuMemsetD32Async, _ptsz, 4)
