// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime interface: arrays, textures and surfaces.
#include <algorithm>
#include <cstring>

#include "cuda_types.h"
#include "engine.h"
#include "launching.h"
#include "per_thread.h"
#include "textures.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C
using forewarp::execution::Texture;
using forewarp::program_run::Array;
using forewarp::program_run::CopyKind;
using forewarp::program_run::CopyOrder;
using forewarp::program_run::MemoryKind;

namespace forewarp::cli {
namespace {
constexpr std::uint64_t row_unit = 32;  // rows of arrays begin at multiples of it
}

void set_format(const cudaChannelFormatDesc& from, Texture& to) {
  const int bits[] = {from.x, from.y, from.z, from.w};
  for (std::size_t i = 0; i < 4; ++i) to.bits[i] = static_cast<std::uint8_t>(bits[i]);
  to.kind = from.f == 0   ? Texture::ChannelKind::signed_integer
            : from.f == 1 ? Texture::ChannelKind::unsigned_integer
                          : Texture::ChannelKind::floating;
}

void set_array(const Array& from, Texture& to) {
  to.data = static_cast<std::uint8_t*>(pointer_to(from.address));
  to.width = from.width;
  to.height = std::max<std::uint64_t>(1, from.height);
  to.depth = std::max<std::uint64_t>(1, from.depth);
  to.pitch = from.pitch;
  to.slice = from.slice;
  to.bits = from.bits;
  to.kind = static_cast<Texture::ChannelKind>(std::clamp(from.kind, 0, 2));
}

std::uint32_t next_handle(Machine& machine) {
  std::uint32_t handle = static_cast<std::uint32_t>(machine.textures().size()) + 1;
  while (machine.textures().contains(handle)) ++handle;
  return handle;
}

const Array* array_of(Machine& machine, const void* handle) {
  const auto found = machine.arrays().find(address_of(handle));
  return found == machine.arrays().end() ? nullptr : &found->second;
}

Status make_array(Machine& machine, Array from, const cudaExtent& extent, std::uint64_t& handle) {
  if (extent.width == 0) return Status::invalid_value;
  from.width = extent.width;
  from.height = extent.height;
  from.depth = extent.depth;
  from.pitch = (extent.width * from.element_bytes() + row_unit - 1) / row_unit * row_unit;
  from.slice = from.pitch * std::max<std::size_t>(1, extent.height);
  const std::uint64_t bytes = from.slice * std::max<std::size_t>(1, extent.depth);
  from.address = machine.memory().allocate(bytes, MemoryKind::device, thread_state().device);
  if (from.address == 0) return bytes == 0 ? Status::invalid_value : Status::memory_allocation;
  handle = from.address;
  machine.arrays()[handle] = from;
  return Status::success;
}

bool is_in_memory(Machine& machine, const Texture& texture) {
  if (texture.data == nullptr || texture.element_bytes() == 0) return false;
  if (texture.width == 0 || texture.height == 0 || texture.depth == 0) return false;
  const auto* found = machine.memory().find(address_of(texture.data));
  return found != nullptr &&
         address_of(texture.data) + texture.bytes() <= found->address + found->bytes;
}

std::uint32_t keep_texture(Machine& machine, const Texture& made) {
  const std::uint32_t handle = next_handle(machine);
  Texture& kept = machine.textures()[handle] = made;
  kept.address = address_of(kept.data);
  return handle;
}

}  // namespace forewarp::cli

namespace {

struct ResourceDescription {
  enum Kind : int { array, mipmap, linear, pitched } kind;
  union {
    void* array_handle;
    struct {
      void* at;
      cudaChannelFormatDesc format;
      std::size_t bytes;
    } line;
    struct {
      void* at;
      cudaChannelFormatDesc format;
      std::size_t width, height, pitch;
    } plane;
  };
};
struct TextureDescription {
  int address[3], filter, read, srgb;
  float border[4];
  int normalized;
  unsigned anisotropy;
  int mipmap_filter;
  float mipmap_bias, least_level, most_level;
  int no_trilinear;
};
struct ViewDescription {
  int format;
  std::size_t width, height, depth;
  unsigned first_level, last_level, first_layer, last_layer;
};
static_assert(sizeof(ResourceDescription) == 64 && sizeof(TextureDescription) == 68 &&
              sizeof(ViewDescription) == 48);

/// As what an object was made, by its handle. The caller has the machine's lock.
using Described = ObjectDescriptions<ResourceDescription, TextureDescription, ViewDescription>;
Described& described() {
  static Described all;
  return all;
}

/// The elements of a resource; false: it has none that are known.
bool set_resource(Machine& machine, const ResourceDescription& from, Texture& to) {
  if (from.kind == ResourceDescription::array) {
    const auto array = machine.arrays().find(address_of(from.array_handle));
    if (array == machine.arrays().end()) return false;
    set_array(array->second, to);
    return true;
  }
  if (from.kind == ResourceDescription::linear) {
    set_format(from.line.format, to);
    to.data = static_cast<std::uint8_t*>(from.line.at);
    to.width = to.element_bytes() == 0 ? 0 : from.line.bytes / to.element_bytes();
    to.pitch = to.slice = from.line.bytes;
    return to.data != nullptr;
  }
  if (from.kind == ResourceDescription::pitched) {
    set_format(from.plane.format, to);
    to.data = static_cast<std::uint8_t*>(from.plane.at);
    to.width = from.plane.width;
    to.height = from.plane.height;
    to.pitch = from.plane.pitch;
    to.slice = from.plane.pitch * from.plane.height;
    return to.data != nullptr;
  }
  return false;
}

void set_reading(const TextureDescription& from, Texture& to) {
  for (std::size_t i = 0; i < 3; ++i)
    to.modes[i] = static_cast<Texture::AddressMode>(std::clamp(from.address[i], 0, 3));
  to.linear = from.filter == 1;
  to.as_float = from.read == 1;
  to.normalized = from.normalized != 0;
  std::copy(std::begin(from.border), std::end(from.border), to.border.begin());
}

int create_array(void** out, const cudaChannelFormatDesc* format, const cudaExtent& extent,
                 unsigned flags) {
  return runtime_call([&](Machine& machine) {
    if (out == nullptr || format == nullptr) return Status::invalid_value;
    Array from;
    const int bits[] = {format->x, format->y, format->z, format->w};
    for (std::size_t i = 0; i < 4; ++i) from.bits[i] = static_cast<std::uint8_t>(bits[i]);
    from.kind = format->f;
    from.flags = flags;
    std::uint64_t handle = 0;
    const Status status = make_array(machine, from, extent, handle);
    *out = pointer_to(handle);
    return status;
  });
}

/// Whether an array has so many rows of a width in bytes from (x bytes, y) on.
bool has_rows(const Array& array, std::size_t x, std::size_t y, std::size_t width,
              std::size_t height) {
  const std::size_t row = array.width * array.element_bytes();
  const std::size_t rows = std::max<std::size_t>(1, array.height);
  return x <= row && width <= row - x && y <= rows && height <= rows - y;
}

/// A copy of rows between an array, from (x bytes, y) on, and memory. `to_array` says the
/// direction.
int array_rows(const void* array, std::size_t x, std::size_t y, const void* memory,
               std::size_t pitch, std::size_t width, std::size_t height, bool to_array, int kind,
               StreamId stream, bool asynchronous) {
  return runtime_call([&](Machine& machine) {
    const Array* known = array_of(machine, array);
    if (known == nullptr) return Status::invalid_handle;
    if (width > pitch) return Status::invalid_pitch;
    if (!has_rows(*known, x, y, width, height)) return Status::invalid_value;
    if (!machine.has_stream(stream)) return Status::invalid_handle;
    CopyOrder order;
    order.kind = static_cast<CopyKind>(kind);
    const std::uint64_t inside = known->address + y * known->pitch + x;
    order.to = to_array ? inside : address_of(memory);
    order.from = to_array ? address_of(memory) : inside;
    order.to_pitch = to_array ? known->pitch : pitch;
    order.from_pitch = to_array ? pitch : known->pitch;
    order.width = width;
    order.height = height;
    order.stream = stream;
    order.asynchronous = asynchronous;
    return machine.copy(order, thread_state().device);
  });
}

/// Bytes without a pitch: the rest of a row, whole rows, and a part of one.
int array_line(const void* array, std::size_t x, std::size_t y, const void* memory,
               std::size_t bytes, bool to_array, int kind, StreamId stream, bool asynchronous) {
  std::size_t row = 0;
  int failed = runtime_call([&](Machine& machine) {
    const Array* known = array_of(machine, array);
    if (known == nullptr) return Status::invalid_handle;
    row = known->width * known->element_bytes();
    const std::size_t rows = std::max<std::size_t>(1, known->height);
    const bool fits = x < row && y < rows && bytes <= (rows - y) * row - x;
    return fits ? Status::success : Status::invalid_value;
  });
  std::uint64_t at = address_of(memory);
  while (failed == 0 && bytes > 0) {
    const std::size_t width = std::min(bytes, row - x);
    const std::size_t height = width == row ? bytes / row : 1;
    failed = array_rows(array, x, y, pointer_to(at), width, width, height, to_array, kind, stream,
                        asynchronous);
    at += width * height;
    bytes -= width * height;
    x = 0;
    y += height;
  }
  return failed;
}

/// A copy of rows from one array into another.
int between_arrays(const void* to, std::size_t to_x, std::size_t to_y, const void* from,
                   std::size_t from_x, std::size_t from_y, std::size_t width, std::size_t height,
                   int kind) {
  return runtime_call([&](Machine& machine) {
    const Array *target = array_of(machine, to), *source = array_of(machine, from);
    if (target == nullptr || source == nullptr) return Status::invalid_handle;
    if (!has_rows(*target, to_x, to_y, width, height) ||
        !has_rows(*source, from_x, from_y, width, height))
      return Status::invalid_value;
    CopyOrder order;
    order.kind = static_cast<CopyKind>(kind);
    order.to = target->address + to_y * target->pitch + to_x;
    order.from = source->address + from_y * source->pitch + from_x;
    order.to_pitch = target->pitch;
    order.from_pitch = source->pitch;
    order.width = width;
    order.height = height;
    order.stream = stream_of(nullptr);
    return machine.copy(order, thread_state().device);
  });
}

/// cudaMemcpy3DPeerParms.
struct PeerVolume {
  void* from_array;
  cudaPos from_at;
  cudaPitchedPtr from;
  int from_device;
  void* to_array;
  cudaPos to_at;
  cudaPitchedPtr to;
  int to_device;
  cudaExtent extent;
};
static_assert(sizeof(PeerVolume) == 168);

cudaMemcpy3DParms volume_of(const PeerVolume& peers) {
  constexpr int by_address = 4;  // cudaMemcpyDefault
  return {peers.from_array, peers.from_at, peers.from,   peers.to_array,
          peers.to_at,      peers.to,      peers.extent, by_address};
}

int copy_volume(const cudaMemcpy3DParms& from, StreamId stream, bool asynchronous) {
  return runtime_call([&](Machine& machine) {
    CopyOrder order = volume_copy(from);
    const Array* to_array = array_of(machine, from.dstArray);
    const Array* from_array = array_of(machine, from.srcArray);
    const Array* any = to_array != nullptr ? to_array : from_array;
    if ((from.dstArray != nullptr && to_array == nullptr) ||
        (from.srcArray != nullptr && from_array == nullptr))
      return Status::invalid_handle;
    // With an array, the extent's width counts elements.
    if (any != nullptr) order.width = from.extent.width * any->element_bytes();
    const bool rows = from.extent.height * from.extent.depth > 1;
    if (rows && ((to_array == nullptr && order.width > from.dstPtr.pitch) ||
                 (from_array == nullptr && order.width > from.srcPtr.pitch)))
      return Status::invalid_pitch;
    const auto inside = [](const Array& array, const cudaPos& at) {
      return array.address + at.z * array.slice + at.y * array.pitch + at.x * array.element_bytes();
    };
    if (to_array != nullptr) {
      order.to = inside(*to_array, from.dstPos);
      order.to_pitch = to_array->pitch;
      order.to_slice = to_array->slice;
    }
    if (from_array != nullptr) {
      order.from = inside(*from_array, from.srcPos);
      order.from_pitch = from_array->pitch;
      order.from_slice = from_array->slice;
    }
    order.stream = stream;
    order.asynchronous = asynchronous;
    return machine.copy(order, thread_state().device);
  });
}

int end_object(unsigned long long object) {
  return runtime_call([&](Machine& machine) {
    const auto handle = static_cast<std::uint32_t>(object);
    described().erase(handle);
    return machine.textures().erase(handle) != 0 ? Status::success : Status::invalid_value;
  });
}

}  // namespace

FOREWARP_EXPORT cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return {x, y, z, w, kind};
}
FOREWARP_EXPORT int cudaMallocArray(void** out, const cudaChannelFormatDesc* format,
                                    std::size_t width, std::size_t height, unsigned flags) {
  return create_array(out, format, {width, height, 0}, flags);
}
FOREWARP_EXPORT int cudaMalloc3DArray(void** out, const cudaChannelFormatDesc* format,
                                      cudaExtent extent, unsigned flags) {
  return create_array(out, format, extent, flags);
}
FOREWARP_EXPORT int cudaFreeArray(void* array) {
  return runtime_call([&](Machine& machine) {
    if (array == nullptr) return Status::success;
    if (machine.arrays().erase(address_of(array)) == 0) return Status::invalid_value;
    machine.memory().release(address_of(array));
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent,
                                     unsigned* flags, void* array) {
  return runtime_call([&](Machine& machine) {
    const Array* known = array_of(machine, array);
    if (known == nullptr) return Status::invalid_handle;
    if (format != nullptr)
      *format = {known->bits[0], known->bits[1], known->bits[2], known->bits[3], known->kind};
    if (extent != nullptr) *extent = {known->width, known->height, known->depth};
    if (flags != nullptr) *flags = known->flags;
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGetChannelDesc(cudaChannelFormatDesc* format, void* array) {
  return cudaArrayGetInfo(format, nullptr, nullptr, array);
}
FOREWARP_EXPORT int cudaMemcpyToArray(void* array, std::size_t x, std::size_t y, const void* from,
                                      std::size_t bytes, int kind) {
  return array_line(array, x, y, from, bytes, true, kind, stream_of(nullptr), false);
}
FOREWARP_EXPORT int cudaMemcpyFromArray(void* to, const void* array, std::size_t x, std::size_t y,
                                        std::size_t bytes, int kind) {
  return array_line(array, x, y, to, bytes, false, kind, stream_of(nullptr), false);
}
FOREWARP_EXPORT int cudaMemcpyToArrayAsync(void* array, std::size_t x, std::size_t y,
                                           const void* from, std::size_t bytes, int kind,
                                           void* stream) {
  return array_line(array, x, y, from, bytes, true, kind, stream_of(stream), true);
}
FOREWARP_EXPORT int cudaMemcpy2DToArray(void* array, std::size_t x, std::size_t y, const void* from,
                                        std::size_t pitch, std::size_t width, std::size_t height,
                                        int kind) {
  return array_rows(array, x, y, from, pitch, width, height, true, kind, stream_of(nullptr), false);
}
FOREWARP_EXPORT int cudaMemcpy2DToArrayAsync(void* array, std::size_t x, std::size_t y,
                                             const void* from, std::size_t pitch, std::size_t width,
                                             std::size_t height, int kind, void* stream) {
  return array_rows(array, x, y, from, pitch, width, height, true, kind, stream_of(stream), true);
}
FOREWARP_EXPORT int cudaMemcpy2DFromArray(void* to, std::size_t pitch, const void* array,
                                          std::size_t x, std::size_t y, std::size_t width,
                                          std::size_t height, int kind) {
  return array_rows(array, x, y, to, pitch, width, height, false, kind, stream_of(nullptr), false);
}
FOREWARP_EXPORT int cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, const void* array,
                                               std::size_t x, std::size_t y, std::size_t width,
                                               std::size_t height, int kind, void* stream) {
  return array_rows(array, x, y, to, pitch, width, height, false, kind, stream_of(stream), true);
}
FOREWARP_EXPORT int cudaMemcpy3D(const cudaMemcpy3DParms* from) {
  return copy_volume(*from, stream_of(nullptr), false);
}
FOREWARP_EXPORT int cudaMemcpy3DAsync(const cudaMemcpy3DParms* from, void* stream) {
  return copy_volume(*from, stream_of(stream), true);
}
FOREWARP_EXPORT int cudaCreateTextureObject(unsigned long long* out,
                                            const ResourceDescription* resource,
                                            const TextureDescription* reading,
                                            const ViewDescription* view) {
  return runtime_call([&](Machine& machine) {
    if (out == nullptr || resource == nullptr || reading == nullptr) return Status::invalid_value;
    Texture made;
    if (resource->kind == ResourceDescription::mipmap) {
      machine.unsupported("cudaCreateTextureObject of a mipmapped array");
      return Status::not_supported;
    }
    if (reading->srgb != 0) machine.unsupported("sRGB values of a texture");
    if (!set_resource(machine, *resource, made) || !is_in_memory(machine, made))
      return Status::invalid_value;
    set_reading(*reading, made);
    if (view != nullptr && view->format != 0)
      machine.unsupported("a view of a texture's resource in another format");
    const std::uint32_t handle = keep_texture(machine, made);
    described().keep(handle, resource, reading, view);
    *out = handle;
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGetTextureObjectResourceDesc(ResourceDescription* out,
                                                     unsigned long long object) {
  return runtime_call([&](Machine& /*machine*/) { return described().resource(object, out); });
}
FOREWARP_EXPORT int cudaGetTextureObjectTextureDesc(TextureDescription* out,
                                                    unsigned long long object) {
  return runtime_call([&](Machine& /*machine*/) { return described().reading(object, out); });
}
FOREWARP_EXPORT int cudaGetTextureObjectResourceViewDesc(ViewDescription* out,
                                                         unsigned long long object) {
  return runtime_call([&](Machine& /*machine*/) { return described().view(object, out); });
}
FOREWARP_EXPORT int cudaGetSurfaceObjectResourceDesc(ResourceDescription* out,
                                                     unsigned long long object) {
  return runtime_call([&](Machine& /*machine*/) { return described().resource(object, out); });
}
FOREWARP_EXPORT int cudaDestroyTextureObject(unsigned long long object) {
  return end_object(object);
}
FOREWARP_EXPORT int cudaCreateSurfaceObject(unsigned long long* out,
                                            const ResourceDescription* resource) {
  return runtime_call([&](Machine& machine) {
    Texture made;
    if (out == nullptr || resource == nullptr || !set_resource(machine, *resource, made))
      return Status::invalid_value;
    const std::uint32_t handle = keep_texture(machine, made);
    described().keep(handle, resource, nullptr, nullptr);
    *out = handle;
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaDestroySurfaceObject(unsigned long long object) {
  return end_object(object);
}
FOREWARP_EXPORT int cudaMemcpyFromArrayAsync(void* to, const void* array, std::size_t x,
                                             std::size_t y, std::size_t bytes, int kind,
                                             void* stream) {
  return array_line(array, x, y, to, bytes, false, kind, stream_of(stream), true);
}
FOREWARP_EXPORT int cudaMemcpy2DArrayToArray(void* to, std::size_t to_x, std::size_t to_y,
                                             const void* from, std::size_t from_x,
                                             std::size_t from_y, std::size_t width,
                                             std::size_t height, int kind) {
  return between_arrays(to, to_x, to_y, from, from_x, from_y, width, height, kind);
}
FOREWARP_EXPORT int cudaMemcpyArrayToArray(void* to, std::size_t to_x, std::size_t to_y,
                                           const void* from, std::size_t from_x, std::size_t from_y,
                                           std::size_t bytes, int kind) {
  return between_arrays(to, to_x, to_y, from, from_x, from_y, bytes, 1, kind);
}
FOREWARP_EXPORT int cudaMemcpy3DPeer(const PeerVolume* from) {
  if (from == nullptr) return static_cast<int>(Status::invalid_value);
  return copy_volume(volume_of(*from), stream_of(nullptr), false);
}
FOREWARP_EXPORT int cudaMemcpy3DPeerAsync(const PeerVolume* from, void* stream) {
  if (from == nullptr) return static_cast<int>(Status::invalid_value);
  return copy_volume(volume_of(*from), stream_of(stream), true);
}

PER_THREAD(cudaMemcpyToArray, _ptds, 6)
PER_THREAD(cudaMemcpyFromArray, _ptds, 6)
PER_THREAD(cudaMemcpyToArrayAsync, _ptsz, 7)
PER_THREAD(cudaMemcpy2DToArray, _ptds, 8)
PER_THREAD(cudaMemcpy2DToArrayAsync, _ptsz, 9)
PER_THREAD(cudaMemcpy2DFromArray, _ptds, 8)
PER_THREAD(cudaMemcpy2DFromArrayAsync, _ptsz, 9)
PER_THREAD(cudaMemcpy3D, _ptds, 1)
PER_THREAD(cudaMemcpy3DAsync, _ptsz, 2)
PER_THREAD(cudaMemcpyFromArrayAsync, _ptsz, 7)
PER_THREAD(cudaMemcpy2DArrayToArray, _ptds, 9)
PER_THREAD(cudaMemcpyArrayToArray, _ptds, 8)
PER_THREAD(cudaMemcpy3DPeer, _ptds, 1)
PER_THREAD(cudaMemcpy3DPeerAsync, _ptsz, 2)
