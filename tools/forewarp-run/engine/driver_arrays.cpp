// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: arrays, textures and surfaces, and copies of rows and planes.
#include <algorithm>
#include <cstring>

#include "engine.h"
#include "launching.h"
#include "textures.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C
using forewarp::execution::Texture;
using forewarp::program_run::Array;
using forewarp::program_run::CopyOrder;
using forewarp::program_run::MemoryKind;

namespace {

// The interface's structures, as they lie in memory.
struct ArrayDescription {
  std::size_t width, height;
  int format;
  unsigned channels;
};
struct VolumeDescription {
  std::size_t width, height, depth;
  int format;
  unsigned channels, flags;
};
/// One side of a copy of rows.
struct PlaneSide {
  std::size_t x, y;
  int type;  // 1 host, 2 device, 3 array, 4 by address
  const void* host;
  std::uint64_t device;
  void* array;
  std::size_t pitch;
};
struct PlaneCopy {
  PlaneSide from, to;
  std::size_t width, height;
};
struct VolumeSide {
  std::size_t x, y, z, level;
  int type;
  const void* host;
  std::uint64_t device;
  void* array;
  void* reserved;
  std::size_t pitch, height;
};
struct VolumeCopy {
  VolumeSide from, to;
  std::size_t width, height, depth;
};
struct Resource {
  int kind;  // 0 array, 1 mipmapped array, 2 linear, 3 pitched
  union {
    void* array;
    struct {
      std::uint64_t at;
      int format;
      unsigned channels;
      std::size_t bytes;
    } line;
    struct {
      std::uint64_t at;
      int format;
      unsigned channels;
      std::size_t width, height, pitch;
    } plane;
    int reserved[32];
  };
  unsigned flags;
};
struct Reading {
  int address[3], filter;
  unsigned flags, anisotropy;
  int mipmap_filter;
  float mipmap_bias, least_level, most_level, border[4];
  int reserved[12];
};
static_assert(sizeof(PlaneCopy) == 128 && sizeof(VolumeCopy) == 200);
static_assert(sizeof(Resource) == 144 && sizeof(Reading) == 104);

constexpr unsigned reads_integers = 1, normalized = 2;  // flags of a texture
constexpr int type_array = 3;
constexpr int type_host = 1;

/// The elements of a format: signed and unsigned integers of 8 to 32 bits, halves and floats.
bool set_format(int format, unsigned channels, std::array<std::uint8_t, 4>& bits, int& kind) {
  struct Format {
    int number;
    std::uint8_t bits;
    int kind;
  };
  constexpr Format formats[] = {{1, 8, 1},  {2, 16, 1},  {3, 32, 1},  {8, 8, 0},
                                {9, 16, 0}, {10, 32, 0}, {16, 16, 2}, {32, 32, 2}};
  const auto* known = std::find_if(std::begin(formats), std::end(formats),
                                   [&](const Format& f) { return f.number == format; });
  if (known == std::end(formats) || (channels != 1 && channels != 2 && channels != 4)) return false;
  bits = {};
  for (unsigned i = 0; i < channels; ++i) bits[i] = known->bits;
  kind = known->kind;
  return true;
}

int create(void** out, const VolumeDescription& from) {
  return driver_call([&](Machine& machine) {
    Array made;
    if (out == nullptr || !set_format(from.format, from.channels, made.bits, made.kind))
      return Status::invalid_value;
    made.flags = from.flags;
    std::uint64_t handle = 0;
    const Status status = make_array(machine, made, {from.width, from.height, from.depth}, handle);
    *out = pointer_to(handle);
    return status;
  });
}

/// Where a side of a copy begins, and its distances; false: an array that is not known.
template <class Side>
bool set_side(Machine& machine, const Side& from, std::size_t z, std::size_t rows,
              std::uint64_t& at, std::uint64_t& pitch, std::uint64_t& slice) {
  if (from.type == type_array) {
    const Array* const array = array_of(machine, from.array);
    if (array == nullptr) return false;
    pitch = array->pitch;
    slice = array->slice;
    at = array->address;
  } else {
    pitch = from.pitch;
    slice = from.pitch * rows;
    at = from.type == type_host ? address_of(from.host) : from.device;
  }
  at += z * slice + from.y * pitch + from.x;
  return true;
}

int copy_plane(const PlaneCopy* from, StreamId stream, bool asynchronous) {
  return driver_call(
      [&](Machine& machine) {
        CopyOrder order;
        const bool known =
            from != nullptr &&
            set_side(machine, from->from, 0, 0, order.from, order.from_pitch, order.from_slice) &&
            set_side(machine, from->to, 0, 0, order.to, order.to_pitch, order.to_slice);
        if (!known) return Status::invalid_value;
        order.width = from->width;
        order.height = from->height;
        order.stream = stream;
        order.asynchronous = asynchronous;
        return machine.copy(order, thread_state().device);
      },
      true);
}

int copy_volume(const VolumeCopy* from, StreamId stream, bool asynchronous) {
  return driver_call(
      [&](Machine& machine) {
        CopyOrder order;
        const bool known = from != nullptr &&
                           set_side(machine, from->from, from->from.z, from->from.height,
                                    order.from, order.from_pitch, order.from_slice) &&
                           set_side(machine, from->to, from->to.z, from->to.height, order.to,
                                    order.to_pitch, order.to_slice);
        if (!known) return Status::invalid_value;
        order.width = from->width;
        order.height = from->height;
        order.depth = from->depth;
        order.stream = stream;
        order.asynchronous = asynchronous;
        return machine.copy(order, thread_state().device);
      },
      true);
}

/// The elements of a resource; false: it has none that are known.
bool set_resource(Machine& machine, const Resource& from, Texture& to) {
  int kind = 0;
  if (from.kind == 0) {
    const Array* const array = array_of(machine, from.array);
    if (array != nullptr) set_array(*array, to);
    return array != nullptr;
  }
  if (from.kind == 2) {
    if (!set_format(from.line.format, from.line.channels, to.bits, kind)) return false;
    to.data = static_cast<std::uint8_t*>(pointer_to(from.line.at));
    to.width = from.line.bytes / to.element_bytes();
    to.pitch = to.slice = from.line.bytes;
  } else if (from.kind == 3) {
    if (!set_format(from.plane.format, from.plane.channels, to.bits, kind)) return false;
    to.data = static_cast<std::uint8_t*>(pointer_to(from.plane.at));
    to.width = from.plane.width;
    to.height = from.plane.height;
    to.pitch = from.plane.pitch;
    to.slice = from.plane.pitch * from.plane.height;
  } else {
    return false;
  }
  to.kind = static_cast<Texture::ChannelKind>(kind);
  return to.data != nullptr;
}

void set_reading(const Reading& from, Texture& to) {
  for (std::size_t i = 0; i < 3; ++i)
    to.modes[i] = static_cast<Texture::AddressMode>(std::clamp(from.address[i], 0, 3));
  to.linear = from.filter == 1;
  to.normalized = (from.flags & normalized) != 0;
  to.as_float = (from.flags & reads_integers) == 0 && to.kind != Texture::ChannelKind::floating;
  std::copy(std::begin(from.border), std::end(from.border), to.border.begin());
}

int end_object(std::uint64_t object) {
  return driver_call([&](Machine& machine) {
    const bool known = machine.textures().erase(static_cast<std::uint32_t>(object)) != 0;
    return known ? Status::success : Status::invalid_value;
  });
}

}  // namespace

FOREWARP_EXPORT int cuArrayCreate_v2(void** out, const ArrayDescription* from) {
  return create(out, {from->width, from->height, 0, from->format, from->channels, 0});
}
FOREWARP_EXPORT int cuArray3DCreate_v2(void** out, const VolumeDescription* from) {
  return create(out, *from);
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
  constexpr std::size_t row_unit = 512;  // as cudaMallocPitch
  return driver_call([&](Machine& machine) {
    if (out == nullptr || pitch == nullptr || width == 0) return Status::invalid_value;
    *pitch = (width + row_unit - 1) / row_unit * row_unit;
    *out = machine.memory().allocate(*pitch * height, MemoryKind::device, thread_state().device);
    return *out == 0 ? Status::memory_allocation : Status::success;
  });
}
FOREWARP_EXPORT int cuMemcpy2D_v2(const PlaneCopy* from) {
  return copy_plane(from, 0, false);
}
FOREWARP_EXPORT int cuMemcpy2DUnaligned_v2(const PlaneCopy* from) {
  return copy_plane(from, 0, false);
}
FOREWARP_EXPORT int cuMemcpy2DAsync_v2(const PlaneCopy* from, void* stream) {
  return copy_plane(from, stream_of(stream), true);
}
FOREWARP_EXPORT int cuMemcpy3D_v2(const VolumeCopy* from) {
  return copy_volume(from, 0, false);
}
FOREWARP_EXPORT int cuMemcpy3DAsync_v2(const VolumeCopy* from, void* stream) {
  return copy_volume(from, stream_of(stream), true);
}
FOREWARP_EXPORT int cuMemcpyHtoA_v2(void* array, std::size_t offset, const void* from,
                                    std::size_t bytes) {
  PlaneCopy copy{};
  copy.from = {0, 0, type_host, from, 0, nullptr, bytes};
  copy.to = {offset, 0, type_array, nullptr, 0, array, 0};
  copy.width = bytes;
  copy.height = 1;
  return copy_plane(&copy, 0, false);
}
FOREWARP_EXPORT int cuMemcpyAtoH_v2(void* to, void* array, std::size_t offset, std::size_t bytes) {
  PlaneCopy copy{};
  copy.from = {offset, 0, type_array, nullptr, 0, array, 0};
  copy.to = {0, 0, type_host, to, 0, nullptr, bytes};
  copy.width = bytes;
  copy.height = 1;
  return copy_plane(&copy, 0, false);
}
FOREWARP_EXPORT int cuTexObjectCreate(std::uint64_t* out, const Resource* resource,
                                      const Reading* reading, const void* /*view*/) {
  return driver_call([&](Machine& machine) {
    Texture made;
    if (out == nullptr || resource == nullptr || reading == nullptr) return Status::invalid_value;
    if (!set_resource(machine, *resource, made)) return Status::not_supported;
    set_reading(*reading, made);
    *out = keep_texture(machine, made);
    return Status::success;
  });
}
FOREWARP_EXPORT int cuTexObjectDestroy(std::uint64_t object) {
  return end_object(object);
}
FOREWARP_EXPORT int cuSurfObjectCreate(std::uint64_t* out, const Resource* resource) {
  return driver_call([&](Machine& machine) {
    Texture made;
    if (out == nullptr || resource == nullptr || !set_resource(machine, *resource, made))
      return Status::invalid_value;
    *out = keep_texture(machine, made);
    return Status::success;
  });
}
FOREWARP_EXPORT int cuSurfObjectDestroy(std::uint64_t object) {
  return end_object(object);
}
