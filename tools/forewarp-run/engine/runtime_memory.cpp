// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime interface: memory, copies, fills and symbols.
#include <cstring>
#include <utility>

#include "cuda_types.h"
#include "engine.h"
#include "launching.h"
#include "per_thread.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C
using forewarp::program_run::CopyKind;
using forewarp::program_run::CopyOrder;
using forewarp::program_run::FillOrder;
using forewarp::program_run::Freeing;
using forewarp::program_run::GraphNode;
using forewarp::program_run::MemoryKind;

namespace {

constexpr std::size_t pitch_unit = 512;  // of cudaMallocPitch
constexpr int by_address = 4;            // cudaMemcpyDefault
constexpr unsigned mapped = 2;           // cudaHostAllocMapped

int allocate(void** out, std::size_t bytes, MemoryKind kind, unsigned flags = 0) {
  return runtime_call([&](Machine& machine) {
    if (out == nullptr) return Status::invalid_value;
    *out = nullptr;
    if (machine.fault() != Status::success) return machine.fault();
    const Status refused = machine.unsafe_call(capturing_thread());
    if (refused != Status::success) return refused;
    if (bytes == 0) return Status::success;
    const std::uint64_t made = machine.allocate(bytes, kind, thread_state().device);
    if (made == 0) return Status::memory_allocation;
    machine.memory().set_flags(made, flags);
    *out = pointer_to(made);
    return Status::success;
  });
}

int release(void* pointer, Freeing by) {
  return runtime_call([&](Machine& machine) {
    machine.costs().need_context();
    if (pointer == nullptr) return Status::success;
    const Status refused = machine.unsafe_call(capturing_thread());
    if (refused != Status::success) return refused;
    machine.wait_for_device(thread_state().device);
    if (machine.fault() != Status::success) return machine.fault();
    return machine.release(address_of(pointer), by) ? Status::success : Status::invalid_value;
  });
}

/// Memory that a stream allocates; of one that is captured, by a node of the graph.
int allocate_in(void** out, std::size_t bytes, StreamId stream) {
  return runtime_call([&](Machine& machine) {
    if (out == nullptr) return Status::invalid_value;
    *out = nullptr;
    if (!machine.has_stream(stream)) return Status::invalid_handle;
    if (machine.fault() != Status::success) return machine.fault();
    if (const Status refused = machine.admits(stream); refused != Status::success) return refused;
    if (bytes == 0) return Status::success;
    const std::uint32_t device = machine.device_of(stream, thread_state().device);
    if (machine.capture_of(stream) != nullptr) {
      GraphNode node;
      node.kind = GraphNode::Kind::allocate;
      node.memory = machine.graph_memory(bytes, device);
      if (!node.memory) return Status::memory_allocation;
      *out = pointer_to(node.memory->address);
      machine.capture(stream, std::move(node));
      return Status::success;
    }
    *out = pointer_to(machine.allocate_in_stream(bytes, device));
    return *out != nullptr ? Status::success : Status::memory_allocation;
  });
}

int release_in(void* pointer, StreamId stream) {
  return runtime_call([&](Machine& machine) {
    if (pointer == nullptr) return Status::success;
    if (!machine.has_stream(stream)) return Status::invalid_handle;
    if (const Status refused = machine.admits(stream); refused != Status::success) return refused;
    if (machine.capture_of(stream) == nullptr)
      return machine.release(address_of(pointer), Freeing::in_stream) ? Status::success
                                                                      : Status::invalid_value;
    GraphNode node;
    node.kind = GraphNode::Kind::release;
    node.memory = machine.graph_memory_at(address_of(pointer));
    if (!node.memory) return Status::invalid_value;
    machine.capture(stream, std::move(node));
    return Status::success;
  });
}

int copy(const CopyOrder& order) {
  return runtime_call([&](Machine& machine) {
    if (!machine.has_stream(order.stream)) return Status::invalid_handle;
    return machine.copy(order, thread_state().device);
  });
}

CopyOrder plain_copy(void* to, const void* from, std::size_t bytes, int kind) {
  CopyOrder order;
  order.kind = static_cast<CopyKind>(kind);
  order.to = address_of(to);
  order.from = address_of(from);
  order.width = bytes;
  order.stream = stream_of(nullptr);
  return order;
}

CopyOrder rows_copy(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                    std::size_t width, std::size_t height, int kind) {
  CopyOrder order = plain_copy(to, from, width, kind);
  order.height = height;
  order.to_pitch = to_pitch;
  order.from_pitch = from_pitch;
  return order;
}

/// Of memory with a pitch on both sides.
int copy_rows(const CopyOrder& order) {
  return runtime_call([&](Machine& machine) {
    if (order.width > order.to_pitch || order.width > order.from_pitch)
      return Status::invalid_pitch;
    if (!machine.has_stream(order.stream)) return Status::invalid_handle;
    return machine.copy(order, thread_state().device);
  });
}

/// Between devices, which both must be there.
int copy_between(const CopyOrder& order, int to_device, int from_device) {
  return runtime_call([&](Machine& machine) {
    const auto is_device = [&](int device) {
      return device >= 0 && static_cast<std::uint32_t>(device) < machine.devices();
    };
    if (!is_device(to_device) || !is_device(from_device)) return Status::invalid_device;
    if (!machine.has_stream(order.stream)) return Status::invalid_handle;
    return machine.copy(order, thread_state().device);
  });
}

CopyOrder in_stream(CopyOrder order, StreamId stream) {
  order.stream = stream;
  order.asynchronous = true;
  return order;
}

int fill(const FillOrder& order) {
  return runtime_call([&](Machine& machine) {
    if (order.height > 1 && order.width > order.pitch) return Status::invalid_value;
    if (!machine.has_stream(order.stream)) return Status::invalid_handle;
    return machine.fill(order, thread_state().device);
  });
}

FillOrder fill_order(void* to, int value, std::size_t width, std::size_t height = 1,
                     std::size_t pitch = 0, StreamId stream = stream_of(nullptr)) {
  FillOrder order;
  order.to = address_of(to);
  order.value = static_cast<std::uint32_t>(value);
  order.width = width;
  order.height = height;
  order.pitch = pitch;
  order.stream = stream;
  return order;
}

/// Finds a variable and hands its address to `work`.
template <class Work>
int with_symbol(const void* symbol, Work work) {
  return runtime_call([&](Machine& machine) {
    const auto found = machine.modules().variable_of(symbol, thread_state().device);
    if (!found) {
      machine.tell("error", found.error().line());
      return code_status(found.error());
    }
    if (*found == nullptr) return Status::invalid_symbol;
    return work(machine, **found);
  });
}

int copy_symbol(const void* symbol, const void* other, std::size_t bytes, std::size_t offset,
                bool to_symbol, int kind, StreamId stream, bool asynchronous) {
  return with_symbol(symbol, [&](Machine& machine, const auto& variable) {
    const auto stated = static_cast<CopyKind>(kind);
    const CopyKind host_side = to_symbol ? CopyKind::to_device : CopyKind::to_host;
    if (stated != host_side && stated != CopyKind::on_device && stated != CopyKind::by_address)
      return Status::invalid_copy_direction;
    if (offset > variable.bytes || bytes > variable.bytes - offset) return Status::invalid_value;
    CopyOrder order;
    order.to = to_symbol ? variable.address + offset : address_of(other);
    order.from = to_symbol ? address_of(other) : variable.address + offset;
    order.width = bytes;
    order.kind = stated;
    order.stream = stream;
    order.asynchronous = asynchronous;
    return machine.copy(order, thread_state().device);
  });
}

}  // namespace

Status forewarp::cli::host_flags(Machine& machine, std::uint64_t host, unsigned* flags) {
  const auto* found = machine.memory().find(host);
  if (flags == nullptr || found == nullptr || found->kind != MemoryKind::pinned)
    return Status::invalid_value;
  // With one range of addresses for host and boards, all pinned memory is mapped.
  *flags = found->flags | mapped;
  return Status::success;
}

forewarp::program_run::CopyOrder forewarp::cli::volume_copy(const cudaMemcpy3DParms& from) {
  const auto at = [](const cudaPitchedPtr& place, const cudaPos& offset) {
    return address_of(place.ptr) + (offset.z * place.ysize + offset.y) * place.pitch + offset.x;
  };
  CopyOrder order;
  order.to = at(from.dstPtr, from.dstPos);
  order.from = at(from.srcPtr, from.srcPos);
  order.width = from.extent.width;
  order.height = from.extent.height;
  order.depth = from.extent.depth;
  order.to_pitch = from.dstPtr.pitch;
  order.from_pitch = from.srcPtr.pitch;
  order.to_slice = from.dstPtr.pitch * from.dstPtr.ysize;
  order.from_slice = from.srcPtr.pitch * from.srcPtr.ysize;
  order.kind = static_cast<CopyKind>(from.kind);
  return order;
}

FOREWARP_EXPORT int cudaMalloc(void** out, std::size_t bytes) {
  return allocate(out, bytes, MemoryKind::device);
}
FOREWARP_EXPORT int cudaMallocHost(void** out, std::size_t bytes) {
  return allocate(out, bytes, MemoryKind::pinned);
}
FOREWARP_EXPORT int cudaHostAlloc(void** out, std::size_t bytes, unsigned flags) {
  return allocate(out, bytes, MemoryKind::pinned, flags);
}
FOREWARP_EXPORT int cudaMallocManaged(void** out, std::size_t bytes, unsigned flags) {
  constexpr unsigned global = 1, host = 2;  // cudaMemAttachGlobal, cudaMemAttachHost
  if (bytes == 0 || (flags != global && flags != host))
    return static_cast<int>(Status::invalid_value);
  return allocate(out, bytes, MemoryKind::managed);
}
FOREWARP_EXPORT int cudaMallocAsync(void** out, std::size_t bytes, void* stream) {
  return allocate_in(out, bytes, stream_of(stream));
}
FOREWARP_EXPORT int cudaMallocFromPoolAsync(void** out, std::size_t bytes, void* /*pool*/,
                                            void* stream) {
  return allocate_in(out, bytes, stream_of(stream));
}
FOREWARP_EXPORT int cudaMallocPitch(void** out, std::size_t* pitch, std::size_t width,
                                    std::size_t height) {
  if (pitch == nullptr) return static_cast<int>(Status::invalid_value);
  *pitch = (width + pitch_unit - 1) / pitch_unit * pitch_unit;
  return allocate(out, *pitch * height, MemoryKind::device);
}
FOREWARP_EXPORT int cudaMalloc3D(cudaPitchedPtr* out, cudaExtent extent) {
  if (out == nullptr) return static_cast<int>(Status::invalid_value);
  const std::size_t pitch = (extent.width + pitch_unit - 1) / pitch_unit * pitch_unit;
  *out = {nullptr, pitch, extent.width, extent.height};
  return allocate(&out->ptr, pitch * extent.height * extent.depth, MemoryKind::device);
}
FOREWARP_EXPORT int cudaFree(void* pointer) {
  return release(pointer, Freeing::memory);
}
FOREWARP_EXPORT int cudaFreeHost(void* pointer) {
  return release(pointer, Freeing::host);
}
FOREWARP_EXPORT int cudaFreeAsync(void* pointer, void* stream) {
  return release_in(pointer, stream_of(stream));
}
FOREWARP_EXPORT int cuMemAllocAsync(std::uint64_t* out, std::size_t bytes, void* stream) {
  if (out == nullptr || bytes == 0) return static_cast<int>(Status::invalid_value);
  void* memory = nullptr;
  const int status = allocate_in(&memory, bytes, stream_of(stream));
  *out = address_of(memory);
  return status;
}
FOREWARP_EXPORT int cuMemAllocFromPoolAsync(std::uint64_t* out, std::size_t bytes, void* /*pool*/,
                                            void* stream) {
  return cuMemAllocAsync(out, bytes, stream);
}
FOREWARP_EXPORT int cuMemFreeAsync(std::uint64_t at, void* stream) {
  return release_in(pointer_to(at), stream_of(stream));
}
FOREWARP_EXPORT int cudaHostRegister(void* pointer, std::size_t bytes, unsigned /*flags*/) {
  return runtime_call([&](Machine& machine) {
    if (pointer == nullptr || bytes == 0) return Status::invalid_value;
    return machine.adopt(address_of(pointer), bytes, thread_state().device)
               ? Status::success
               : Status::host_memory_registered;
  });
}
FOREWARP_EXPORT int cudaHostUnregister(void* pointer) {
  return runtime_call([&](Machine& machine) {
    return machine.release(address_of(pointer), Freeing::registration)
               ? Status::success
               : Status::host_memory_not_registered;
  });
}
FOREWARP_EXPORT int cudaHostGetDevicePointer(void** out, void* host, unsigned /*flags*/) {
  return runtime_call([&](Machine& machine) {
    if (out == nullptr || machine.memory().find(address_of(host)) == nullptr)
      return Status::invalid_value;
    *out = host;
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaHostGetFlags(unsigned* flags, void* host) {
  return runtime_call(
      [&](Machine& machine) { return host_flags(machine, address_of(host), flags); });
}
FOREWARP_EXPORT int cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return runtime_call([&](Machine& machine) {
    if (free == nullptr || total == nullptr) return Status::invalid_value;
    const std::uint32_t device = thread_state().device;
    *total = machine.memory().total_bytes(device);
    const auto context = static_cast<std::size_t>(machine.gpu().memory.context_bytes);
    const std::size_t left = machine.memory().free_bytes(device);
    *free = left > context ? left - context : 0;
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaPointerGetAttributes(cudaPointerAttributes* out, const void* pointer) {
  return runtime_call([&](Machine& machine) {
    if (out == nullptr) return Status::invalid_value;
    const auto* found = machine.memory().find(address_of(pointer));
    *out = {};
    if (found == nullptr) {
      out->device = -2;
      out->hostPointer = const_cast<void*>(pointer);  // NOLINT: as given
      return Status::success;
    }
    const bool host = found->kind == MemoryKind::pinned || found->kind == MemoryKind::registered;
    const bool managed = found->host_writes && !host;
    out->type = host ? 1 : managed ? 3 : 2;
    out->device = static_cast<int>(found->device);
    out->devicePointer = pointer_to(address_of(pointer));
    out->hostPointer = host || managed ? out->devicePointer : nullptr;
    return Status::success;
  });
}

FOREWARP_EXPORT int cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind) {
  return copy(plain_copy(to, from, bytes, kind));
}
FOREWARP_EXPORT int cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind,
                                    void* stream) {
  return copy(in_stream(plain_copy(to, from, bytes, kind), stream_of(stream)));
}
FOREWARP_EXPORT int cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from,
                                 std::size_t from_pitch, std::size_t width, std::size_t height,
                                 int kind) {
  return copy_rows(rows_copy(to, to_pitch, from, from_pitch, width, height, kind));
}
FOREWARP_EXPORT int cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                                      std::size_t from_pitch, std::size_t width, std::size_t height,
                                      int kind, void* stream) {
  return copy_rows(
      in_stream(rows_copy(to, to_pitch, from, from_pitch, width, height, kind), stream_of(stream)));
}
FOREWARP_EXPORT int cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                                   std::size_t bytes) {
  return copy_between(plain_copy(to, from, bytes, by_address), to_device, from_device);
}
FOREWARP_EXPORT int cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                        std::size_t bytes, void* stream) {
  return copy_between(in_stream(plain_copy(to, from, bytes, by_address), stream_of(stream)),
                      to_device, from_device);
}

FOREWARP_EXPORT int cudaMemset(void* to, int value, std::size_t bytes) {
  return fill(fill_order(to, value, bytes));
}
FOREWARP_EXPORT int cudaMemsetAsync(void* to, int value, std::size_t bytes, void* stream) {
  return fill(fill_order(to, value, bytes, 1, 0, stream_of(stream)));
}
FOREWARP_EXPORT int cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width,
                                 std::size_t height) {
  return fill(fill_order(to, value, width, height, pitch));
}
FOREWARP_EXPORT int cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width,
                                      std::size_t height, void* stream) {
  return fill(fill_order(to, value, width, height, pitch, stream_of(stream)));
}
FOREWARP_EXPORT int cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                                      void* stream) {
  FillOrder order =
      fill_order(to.ptr, value, extent.width, extent.height, to.pitch, stream_of(stream));
  order.depth = extent.depth;
  order.slice = to.pitch * to.ysize;
  return fill(order);
}
FOREWARP_EXPORT int cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return cudaMemset3DAsync(to, value, extent, nullptr);
}

FOREWARP_EXPORT int cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes,
                                       std::size_t offset, int kind) {
  return copy_symbol(symbol, from, bytes, offset, true, kind, stream_of(nullptr), false);
}
FOREWARP_EXPORT int cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes,
                                            std::size_t offset, int kind, void* stream) {
  return copy_symbol(symbol, from, bytes, offset, true, kind, stream_of(stream), true);
}
FOREWARP_EXPORT int cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes,
                                         std::size_t offset, int kind) {
  return copy_symbol(symbol, to, bytes, offset, false, kind, stream_of(nullptr), false);
}
FOREWARP_EXPORT int cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes,
                                              std::size_t offset, int kind, void* stream) {
  return copy_symbol(symbol, to, bytes, offset, false, kind, stream_of(stream), true);
}
FOREWARP_EXPORT int cudaGetSymbolAddress(void** out, const void* symbol) {
  return with_symbol(symbol, [&](Machine& /*machine*/, const auto& variable) {
    if (out == nullptr) return Status::invalid_value;
    *out = pointer_to(variable.address);
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGetSymbolSize(std::size_t* out, const void* symbol) {
  return with_symbol(symbol, [&](Machine& /*machine*/, const auto& variable) {
    if (out == nullptr) return Status::invalid_value;
    *out = variable.bytes;
    return Status::success;
  });
}

PER_THREAD(cudaMallocAsync, _ptsz, 3)
PER_THREAD(cudaMallocFromPoolAsync, _ptsz, 4)
PER_THREAD(cudaFreeAsync, _ptsz, 2)
PER_THREAD(cuMemAllocAsync, _ptsz, 3)
PER_THREAD(cuMemAllocFromPoolAsync, _ptsz, 4)
PER_THREAD(cuMemFreeAsync, _ptsz, 2)
PER_THREAD(cudaMemcpy, _ptds, 4)
PER_THREAD(cudaMemcpyAsync, _ptsz, 5)
PER_THREAD(cudaMemcpy2D, _ptds, 7)
PER_THREAD(cudaMemcpy2DAsync, _ptsz, 8)
PER_THREAD(cudaMemset, _ptds, 3)
PER_THREAD(cudaMemsetAsync, _ptsz, 4)
PER_THREAD(cudaMemset2D, _ptds, 5)
PER_THREAD(cudaMemset2DAsync, _ptsz, 6)
PER_THREAD(cudaMemset3D, _ptds, 3)
PER_THREAD(cudaMemset3DAsync, _ptsz, 4)
PER_THREAD(cudaMemcpyToSymbol, _ptds, 5)
PER_THREAD(cudaMemcpyToSymbolAsync, _ptsz, 6)
PER_THREAD(cudaMemcpyFromSymbol, _ptds, 5)
PER_THREAD(cudaMemcpyFromSymbolAsync, _ptsz, 6)
