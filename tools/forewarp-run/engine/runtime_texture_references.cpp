// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime interface: references of textures and surfaces, as CUDA 11 and before have them.
// What is bound to one is a texture like those of texture objects; launches pass its handle where
// the code expects it.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "cuda_types.h"
#include "engine.h"
#include "textures.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C
using forewarp::execution::Texture;
using forewarp::program_run::TextureVariable;

namespace {

/// As the program's own variable lies in memory.
struct Reference {
  int normalized, filter, address[3];
  cudaChannelFormatDesc format;
  int srgb;
  unsigned anisotropy;
  int mipmap_filter;
  float mipmap_bias, least_level, most_level;
  int no_trilinear, reserved[14];
};
static_assert(sizeof(Reference) == 124);

constexpr std::uint64_t base_alignment = 512;  // of what is bound: textureAlignment

void set_reading(const Reference& from, bool as_float, Texture& to) {
  for (std::size_t i = 0; i < 3; ++i)
    to.modes[i] = static_cast<Texture::AddressMode>(std::clamp(from.address[i], 0, 3));
  to.linear = from.filter == 1;
  to.as_float = as_float;
  to.normalized = from.normalized != 0;
}

void unbind(Machine& machine, TextureVariable& variable) {
  const auto bound = variable.module->textures.find(variable.mangled);
  if (bound == variable.module->textures.end()) return;
  machine.textures().erase(bound->second);
  variable.module->textures.erase(bound);
}

void keep(Machine& machine, TextureVariable& variable, const Texture& made) {
  unbind(machine, variable);
  variable.module->textures[variable.mangled] = keep_texture(machine, made);
}

/// `format`, if it is stated, is to be the reference's own. Binds what `describe(machine, texture,
/// variable)` says to the reference.
template <class Describe>
int bind(const Reference* reference, const cudaChannelFormatDesc* format, Describe describe) {
  constexpr auto invalid_texture = Status::invalid_texture;
  return runtime_call([&](Machine& machine) {
    TextureVariable* const variable = machine.modules().texture_of(reference);
    if (variable == nullptr) return invalid_texture;
    if (format != nullptr && std::memcmp(format, &reference->format, sizeof *format) != 0)
      return Status::invalid_channel;
    Texture made;
    variable->alignment = 0;
    const Status status = describe(machine, made, *variable);
    if (status != Status::success) return status;
    set_reading(*reference, variable->as_float, made);
    keep(machine, *variable, made);
    return Status::success;
  });
}

/// Where the texture begins: at an aligned address if the program is told the distance.
std::uint8_t* base_of(const void* at, std::size_t* offset, TextureVariable& variable) {
  const std::uint64_t address = address_of(at);
  if (offset == nullptr) return static_cast<std::uint8_t*>(pointer_to(address));
  variable.alignment = *offset = address % base_alignment;
  return static_cast<std::uint8_t*>(pointer_to(address - *offset));
}

}  // namespace

FOREWARP_EXPORT int cudaBindTexture(std::size_t* offset, const Reference* reference, const void* at,
                                    const cudaChannelFormatDesc* format, std::size_t bytes) {
  return bind(reference, format, [&](Machine& machine, Texture& made, TextureVariable& variable) {
    if (at == nullptr || format == nullptr) return Status::invalid_value;
    set_format(*format, made);
    if (made.element_bytes() == 0) return Status::invalid_value;
    made.data = base_of(at, offset, variable);
    // Without a size: to the end of what is allocated there.
    const auto* allocation = machine.memory().find(address_of(at));
    const std::uint64_t left =
        allocation != nullptr ? allocation->address + allocation->bytes - address_of(at) : bytes;
    const std::uint64_t size = std::min<std::uint64_t>(bytes, left) + variable.alignment;
    made.width = size / made.element_bytes();
    made.pitch = made.slice = size;
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaBindTexture2D(std::size_t* offset, const Reference* reference,
                                      const void* at, const cudaChannelFormatDesc* format,
                                      std::size_t width, std::size_t height, std::size_t pitch) {
  return bind(reference, format,
              [&](Machine& /*machine*/, Texture& made, TextureVariable& variable) {
                if (at == nullptr || format == nullptr) return Status::invalid_value;
                set_format(*format, made);
                if (made.element_bytes() == 0) return Status::invalid_value;
                made.data = base_of(at, offset, variable);
                made.width = width + variable.alignment / made.element_bytes();
                made.height = height;
                made.pitch = pitch;
                made.slice = pitch * height;
                return Status::success;
              });
}
FOREWARP_EXPORT int cudaBindTextureToArray(const Reference* reference, const void* array,
                                           const cudaChannelFormatDesc* format) {
  return bind(reference, format,
              [&](Machine& machine, Texture& made, TextureVariable& /*variable*/) {
                const auto* known = array_of(machine, array);
                if (known == nullptr) return Status::invalid_handle;
                set_array(*known, made);
                return Status::success;
              });
}
FOREWARP_EXPORT int cudaUnbindTexture(const Reference* reference) {
  return runtime_call([&](Machine& machine) {
    TextureVariable* const variable = machine.modules().texture_of(reference);
    if (variable == nullptr) return Status::invalid_texture;
    unbind(machine, *variable);
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGetTextureReference(const Reference** out, const void* symbol) {
  return runtime_call([&](Machine& machine) {
    if (out == nullptr || machine.modules().texture_of(symbol) == nullptr)
      return Status::invalid_texture;
    *out = static_cast<const Reference*>(symbol);
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGetTextureAlignmentOffset(std::size_t* offset, const Reference* reference) {
  return runtime_call([&](Machine& machine) {
    const TextureVariable* const variable = machine.modules().texture_of(reference);
    if (variable == nullptr) return Status::invalid_texture;
    *offset = variable->alignment;
    return Status::success;
  });
}
// Of a surface's reference nothing counts but which one it is.
FOREWARP_EXPORT int cudaBindSurfaceToArray(const void* reference, const void* array,
                                           const cudaChannelFormatDesc* /*format*/) {
  return runtime_call([&](Machine& machine) {
    TextureVariable* const variable = machine.modules().texture_of(reference);
    if (variable == nullptr) return Status::invalid_surface;
    const auto* known = array_of(machine, array);
    if (known == nullptr) return Status::invalid_handle;
    Texture made;
    set_array(*known, made);
    keep(machine, *variable, made);
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGetSurfaceReference(const void** out, const void* symbol) {
  return runtime_call([&](Machine& machine) {
    if (out == nullptr || machine.modules().texture_of(symbol) == nullptr)
      return Status::invalid_surface;
    *out = symbol;
    return Status::success;
  });
}
