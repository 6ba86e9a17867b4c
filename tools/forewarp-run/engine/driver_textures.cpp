// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: texture and surface objects.
#include <algorithm>
#include <iterator>

#include "driver_calling.h"
#include "textures.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C
using forewarp::execution::Texture;
using forewarp::program_run::Array;

namespace {

// The interface's structures, as they lie in memory.
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
struct View {
  int format;
  std::size_t width, height, depth;
  unsigned first_level, last_level, first_layer, last_layer;
  unsigned reserved[16];
};
static_assert(sizeof(Resource) == 144 && sizeof(Reading) == 104 && sizeof(View) == 112);

/// As what an object was made, by its handle. The caller has the machine's lock.
using Described = ObjectDescriptions<Resource, Reading, View>;
Described& described() {
  static Described all;
  return all;
}

constexpr unsigned reads_integers = 1, normalized = 2, srgb = 0x10;  // flags of a texture
constexpr int mipmapped = 1;                                         // kind of a resource

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
    described().erase(object);
    const bool known = machine.textures().erase(static_cast<std::uint32_t>(object)) != 0;
    return known ? Status::success : Status::invalid_value;
  });
}

}  // namespace

FOREWARP_EXPORT int cuTexObjectCreate(std::uint64_t* out, const Resource* resource,
                                      const Reading* reading, const View* view) {
  return driver_call([&](Machine& machine) {
    Texture made;
    if (out == nullptr || resource == nullptr || reading == nullptr) return Status::invalid_value;
    if (resource->kind == mipmapped) {
      machine.unsupported("cuTexObjectCreate of a mipmapped array");
      return Status::not_supported;
    }
    if ((reading->flags & srgb) != 0) machine.unsupported("sRGB values of a texture");
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
FOREWARP_EXPORT int cuTexObjectGetResourceDesc(Resource* out, std::uint64_t object) {
  return driver_call([&](Machine& /*machine*/) { return described().resource(object, out); });
}
FOREWARP_EXPORT int cuTexObjectGetTextureDesc(Reading* out, std::uint64_t object) {
  return driver_call([&](Machine& /*machine*/) { return described().reading(object, out); });
}
FOREWARP_EXPORT int cuTexObjectGetResourceViewDesc(View* out, std::uint64_t object) {
  return driver_call([&](Machine& /*machine*/) { return described().view(object, out); });
}
FOREWARP_EXPORT int cuSurfObjectGetResourceDesc(Resource* out, std::uint64_t object) {
  return driver_call([&](Machine& /*machine*/) { return described().resource(object, out); });
}
FOREWARP_EXPORT int cuTexObjectDestroy(std::uint64_t object) {
  return end_object(object);
}
FOREWARP_EXPORT int cuSurfObjectCreate(std::uint64_t* out, const Resource* resource) {
  return driver_call([&](Machine& machine) {
    Texture made;
    if (out == nullptr || resource == nullptr || !set_resource(machine, *resource, made))
      return Status::invalid_value;
    const std::uint32_t handle = keep_texture(machine, made);
    described().keep(handle, resource, nullptr, nullptr);
    *out = handle;
    return Status::success;
  });
}
FOREWARP_EXPORT int cuSurfObjectDestroy(std::uint64_t object) {
  return end_object(object);
}
