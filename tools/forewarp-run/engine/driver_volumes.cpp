// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: arrays, and copies and fills of rows and planes.
#include <algorithm>
#include <array>
#include <optional>

#include "driver_calling.h"
#include "per_thread.h"
#include "textures.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C
using forewarp::program_run::Array;
using forewarp::program_run::CopyKind;
using forewarp::program_run::CopyOrder;
using forewarp::program_run::FillOrder;
using forewarp::program_run::MemoryKind;

namespace {

/// CUarray_format beside the bits and the kind of a channel.
struct Format {
  int number;
  std::uint8_t bits;
  std::int32_t kind;
};
constexpr std::array<Format, 8> formats{{{0x01, 8, 1},
                                         {0x02, 16, 1},
                                         {0x03, 32, 1},
                                         {0x08, 8, 0},
                                         {0x09, 16, 0},
                                         {0x0a, 32, 0},
                                         {0x10, 16, 2},
                                         {0x20, 32, 2}}};

/// 0: no format of the interface.
int format_of(const Array& array) {
  const auto* known = std::find_if(formats.begin(), formats.end(), [&](const Format& each) {
    return each.bits == array.bits[0] && each.kind == array.kind;
  });
  return known == formats.end() ? 0 : known->number;
}

}  // namespace

bool forewarp::cli::set_format(int format, unsigned channels, std::array<std::uint8_t, 4>& bits,
                               std::int32_t& kind) {
  const auto* known = std::find_if(formats.begin(), formats.end(),
                                   [&](const Format& each) { return each.number == format; });
  const bool counted = channels == 1 || channels == 2 || channels == 4;
  if (known == formats.end() || !counted) return false;
  bits = {};
  std::fill_n(bits.begin(), channels, known->bits);
  kind = known->kind;
  return true;
}

namespace {

/// CUDA_ARRAY3D_DESCRIPTOR.
struct VolumeDescription {
  std::size_t width, height, depth;
  int format;
  unsigned channels, flags;
};

/// One side of CUDA_MEMCPY2D, of CUDA_MEMCPY3D and of CUDA_MEMCPY3D_PEER, whose context lies where
/// the second one has a reserved word.
struct PlaneSide {
  std::size_t x, y;  ///< x in bytes
  unsigned memory;
  const void* host;
  std::uint64_t device;
  void* array;
  std::size_t pitch;
};
struct PlaneCopy {
  PlaneSide from, to;
  std::size_t width, height;  ///< width in bytes
};
struct VolumeSide {
  std::size_t x, y, z, level;
  unsigned memory;
  const void* host;
  std::uint64_t device;
  void* array;
  void* context;
  std::size_t pitch, height;
};
struct VolumeCopy {
  VolumeSide from, to;
  std::size_t width, height, depth;
};
static_assert(sizeof(PlaneCopy) == 128 && sizeof(VolumeCopy) == 200);

constexpr unsigned host_memory = 1, array_memory = 3, any_memory = 4;  // CUmemorytype
constexpr std::size_t pitch_unit = 512;                                // of cuMemAllocPitch

int create_array(void** out, const VolumeDescription& wanted) {
  return driver_call([&](Machine& machine) {
    Array made;
    if (out == nullptr || !set_format(wanted.format, wanted.channels, made.bits, made.kind))
      return Status::invalid_value;
    made.flags = wanted.flags;
    std::uint64_t handle = 0;
    const Status status =
        make_array(machine, made, {wanted.width, wanted.height, wanted.depth}, handle);
    *out = pointer_to(handle);
    return status;
  });
}

int describe(const void* array, VolumeDescription& out) {
  return driver_call([&](Machine& machine) {
    const Array* known = array_of(machine, array);
    if (known == nullptr) return Status::invalid_handle;
    const auto channels = std::count_if(known->bits.begin(), known->bits.end(),
                                        [](std::uint8_t bits) { return bits != 0; });
    out = {known->width,
           known->height,
           known->depth,
           format_of(*known),
           static_cast<unsigned>(channels),
           known->flags};
    return Status::success;
  });
}

struct Side {
  std::uint64_t at = 0, pitch = 0, slice = 0;
};

/// Where a side's rows begin; nullopt: its array is none.
std::optional<Side> side_of(Machine& machine, const VolumeSide& given, std::size_t row) {
  Side side;
  if (given.memory == array_memory) {
    const Array* known = array_of(machine, given.array);
    if (known == nullptr) return std::nullopt;
    side = {known->address, known->pitch, known->slice};
  } else {
    side.at = given.memory == host_memory ? address_of(given.host) : given.device;
    side.pitch = given.pitch != 0 ? given.pitch : row;
    side.slice = side.pitch * given.height;
  }
  side.at += given.z * side.slice + given.y * side.pitch + given.x;
  return side;
}

/// Whether a side's rows reach beyond its pitch, which none of an array's does: it has no pitch.
bool overruns(const VolumeSide& side, std::size_t width) {
  return side.memory != array_memory && side.pitch != 0 &&
         (side.x > side.pitch || width > side.pitch - side.x);
}

/// CUmemorytype of both sides; a kind that it leaves open follows from the addresses.
CopyKind kind_of(const VolumeCopy& given) {
  const bool from_host = given.from.memory == host_memory, to_host = given.to.memory == host_memory;
  const bool by_address = given.from.memory == any_memory || given.to.memory == any_memory;
  if (by_address) return CopyKind::by_address;
  if (from_host) return to_host ? CopyKind::on_host : CopyKind::to_device;
  return to_host ? CopyKind::to_host : CopyKind::on_device;
}

int copy(const VolumeCopy* given, const void* stream = nullptr, bool asynchronous = false) {
  return driver_call([&](Machine& machine) {
    if (given == nullptr) return Status::invalid_value;
    if (overruns(given->from, given->width) || overruns(given->to, given->width))
      return Status::invalid_value;
    const auto from = side_of(machine, given->from, given->width);
    const auto to = side_of(machine, given->to, given->width);
    if (!from || !to) return Status::invalid_handle;
    CopyOrder order;
    order.from = from->at;
    order.from_pitch = from->pitch;
    order.from_slice = from->slice;
    order.to = to->at;
    order.to_pitch = to->pitch;
    order.to_slice = to->slice;
    order.kind = kind_of(*given);
    order.width = given->width;
    order.height = given->height;
    order.depth = given->depth;
    order.stream = stream_of(stream);
    order.asynchronous = asynchronous;
    if (!machine.has_stream(order.stream)) return Status::invalid_handle;
    return machine.copy(order, thread_state().device);
  });
}

VolumeSide in_space(const PlaneSide& side) {
  return {side.x,     side.y,  0,          0, side.memory, side.host, side.device,
          side.array, nullptr, side.pitch, 0};
}

int copy(const PlaneCopy* given, const void* stream = nullptr, bool asynchronous = false) {
  if (given == nullptr) return static_cast<int>(Status::invalid_value);
  const VolumeCopy whole{in_space(given->from), in_space(given->to), given->width, given->height,
                         1};
  return copy(&whole, stream, asynchronous);
}

/// Bytes between arrays, from a byte of their first row on, and memory.
int copy_line(VolumeSide to, VolumeSide from, std::size_t bytes, const void* stream = nullptr,
              bool asynchronous = false) {
  const VolumeCopy line{from, to, bytes, 1, 1};
  return copy(&line, stream, asynchronous);
}
VolumeSide array_side(void* array, std::size_t at) {
  return {at, 0, 0, 0, array_memory, nullptr, 0, array, nullptr, 0, 0};
}
VolumeSide memory_side(std::uint64_t at) {
  return {0, 0, 0, 0, 2, nullptr, at, nullptr, nullptr, 0, 0};
}
VolumeSide host_side(const void* at) {
  return {0, 0, 0, 0, host_memory, at, 0, nullptr, nullptr, 0, 0};
}

int fill(std::uint64_t to, std::size_t pitch, std::uint32_t value, std::uint32_t element,
         std::size_t width, std::size_t height, const void* stream = nullptr) {
  return driver_call([&](Machine& machine) {
    if (height > 1 && width * element > pitch) return Status::invalid_value;
    FillOrder order;
    order.to = to;
    order.pitch = pitch;
    order.value = value;
    order.element = element;
    order.width = width * element;
    order.height = height;
    order.stream = stream_of(stream);
    if (!machine.has_stream(order.stream)) return Status::invalid_handle;
    return machine.fill(order, thread_state().device);
  });
}

}  // namespace

FOREWARP_EXPORT int cuArrayCreate_v2(void** out, const PlaneDescription* wanted) {
  if (wanted == nullptr) return static_cast<int>(Status::invalid_value);
  return create_array(out, {wanted->width, wanted->height, 0, wanted->format, wanted->channels, 0});
}
FOREWARP_EXPORT int cuArray3DCreate_v2(void** out, const VolumeDescription* wanted) {
  return wanted == nullptr ? static_cast<int>(Status::invalid_value) : create_array(out, *wanted);
}
FOREWARP_EXPORT int cuArrayGetDescriptor_v2(PlaneDescription* out, const void* array) {
  VolumeDescription whole{};
  const int failed = describe(array, whole);
  if (failed == 0) *out = {whole.width, whole.height, whole.format, whole.channels};
  return failed;
}
FOREWARP_EXPORT int cuArray3DGetDescriptor_v2(VolumeDescription* out, const void* array) {
  return describe(array, *out);
}
FOREWARP_EXPORT int cuArrayDestroy(void* array) {
  return driver_call([&](Machine& machine) {
    if (machine.arrays().erase(address_of(array)) == 0) return Status::invalid_handle;
    machine.memory().release(address_of(array));
    return Status::success;
  });
}

FOREWARP_EXPORT int cuMemAllocPitch_v2(std::uint64_t* out, std::size_t* pitch, std::size_t width,
                                       std::size_t height, unsigned /*element*/) {
  return driver_call([&](Machine& machine) {
    if (out == nullptr || pitch == nullptr || width == 0 || height == 0)
      return Status::invalid_value;
    *pitch = (width + pitch_unit - 1) / pitch_unit * pitch_unit;
    *out = machine.memory().allocate(*pitch * height, MemoryKind::device, thread_state().device);
    return *out == 0 ? Status::memory_allocation : Status::success;
  });
}

FOREWARP_EXPORT int cuMemcpy2D_v2(const PlaneCopy* given) {
  return copy(given);
}
FOREWARP_EXPORT int cuMemcpy2DUnaligned_v2(const PlaneCopy* given) {
  return copy(given);
}
FOREWARP_EXPORT int cuMemcpy2DAsync_v2(const PlaneCopy* given, void* stream) {
  return copy(given, stream, true);
}
FOREWARP_EXPORT int cuMemcpy3D_v2(const VolumeCopy* given) {
  return copy(given);
}
FOREWARP_EXPORT int cuMemcpy3DAsync_v2(const VolumeCopy* given, void* stream) {
  return copy(given, stream, true);
}
FOREWARP_EXPORT int cuMemcpy3DPeer(const VolumeCopy* given) {
  return copy(given);
}
FOREWARP_EXPORT int cuMemcpy3DPeerAsync(const VolumeCopy* given, void* stream) {
  return copy(given, stream, true);
}
FOREWARP_EXPORT int cuMemcpyDtoA_v2(void* to, std::size_t offset, std::uint64_t from,
                                    std::size_t bytes) {
  return copy_line(array_side(to, offset), memory_side(from), bytes);
}
FOREWARP_EXPORT int cuMemcpyAtoD_v2(std::uint64_t to, void* from, std::size_t offset,
                                    std::size_t bytes) {
  return copy_line(memory_side(to), array_side(from, offset), bytes);
}
FOREWARP_EXPORT int cuMemcpyHtoA_v2(void* to, std::size_t offset, const void* from,
                                    std::size_t bytes) {
  return copy_line(array_side(to, offset), host_side(from), bytes);
}
FOREWARP_EXPORT int cuMemcpyAtoH_v2(void* to, void* from, std::size_t offset, std::size_t bytes) {
  return copy_line(host_side(to), array_side(from, offset), bytes);
}
FOREWARP_EXPORT int cuMemcpyHtoAAsync_v2(void* to, std::size_t offset, const void* from,
                                         std::size_t bytes, void* stream) {
  return copy_line(array_side(to, offset), host_side(from), bytes, stream, true);
}
FOREWARP_EXPORT int cuMemcpyAtoHAsync_v2(void* to, void* from, std::size_t offset,
                                         std::size_t bytes, void* stream) {
  return copy_line(host_side(to), array_side(from, offset), bytes, stream, true);
}
FOREWARP_EXPORT int cuMemcpyAtoA_v2(void* to, std::size_t to_offset, void* from,
                                    std::size_t from_offset, std::size_t bytes) {
  return copy_line(array_side(to, to_offset), array_side(from, from_offset), bytes);
}

FOREWARP_EXPORT int cuMemsetD2D8_v2(std::uint64_t to, std::size_t pitch, unsigned char value,
                                    std::size_t width, std::size_t height) {
  return fill(to, pitch, value, 1, width, height);
}
FOREWARP_EXPORT int cuMemsetD2D16_v2(std::uint64_t to, std::size_t pitch, unsigned short value,
                                     std::size_t width, std::size_t height) {
  return fill(to, pitch, value, 2, width, height);
}
FOREWARP_EXPORT int cuMemsetD2D32_v2(std::uint64_t to, std::size_t pitch, unsigned value,
                                     std::size_t width, std::size_t height) {
  return fill(to, pitch, value, 4, width, height);
}
FOREWARP_EXPORT int cuMemsetD2D8Async(std::uint64_t to, std::size_t pitch, unsigned char value,
                                      std::size_t width, std::size_t height, void* stream) {
  return fill(to, pitch, value, 1, width, height, stream);
}
FOREWARP_EXPORT int cuMemsetD2D16Async(std::uint64_t to, std::size_t pitch, unsigned short value,
                                       std::size_t width, std::size_t height, void* stream) {
  return fill(to, pitch, value, 2, width, height, stream);
}
FOREWARP_EXPORT int cuMemsetD2D32Async(std::uint64_t to, std::size_t pitch, unsigned value,
                                       std::size_t width, std::size_t height, void* stream) {
  return fill(to, pitch, value, 4, width, height, stream);
}

PER_THREAD(cuMemcpy2D_v2, _ptds, 1)
PER_THREAD(cuMemcpy2DUnaligned_v2, _ptds, 1)
PER_THREAD(cuMemcpy2DAsync_v2, _ptsz, 2)
PER_THREAD(cuMemcpy3D_v2, _ptds, 1)
PER_THREAD(cuMemcpy3DAsync_v2, _ptsz, 2)
PER_THREAD(cuMemcpy3DPeer, _ptds, 1)
PER_THREAD(cuMemcpy3DPeerAsync, _ptsz, 2)
PER_THREAD(cuMemcpyDtoA_v2, _ptds, 4)
PER_THREAD(cuMemcpyAtoD_v2, _ptds, 4)
PER_THREAD(cuMemcpyHtoA_v2, _ptds, 4)
PER_THREAD(cuMemcpyAtoH_v2, _ptds, 4)
PER_THREAD(cuMemcpyAtoA_v2, _ptds, 5)
PER_THREAD(cuMemcpyHtoAAsync_v2, _ptsz, 5)
PER_THREAD(cuMemcpyAtoHAsync_v2, _ptsz, 5)
PER_THREAD(cuMemsetD2D8_v2, _ptds, 5)
PER_THREAD(cuMemsetD2D16_v2, _ptds, 5)
PER_THREAD(cuMemsetD2D32_v2, _ptds, 5)
PER_THREAD(cuMemsetD2D8Async, _ptsz, 6)
PER_THREAD(cuMemsetD2D16Async, _ptsz, 6)
PER_THREAD(cuMemsetD2D32Async, _ptsz, 6)
