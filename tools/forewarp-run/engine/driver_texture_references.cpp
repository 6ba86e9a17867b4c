// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: texture references of modules, as CUDA 11 and before have them.
#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "driver_calling.h"
#include "textures.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C
using forewarp::execution::Texture;
using forewarp::program_run::Array;
using forewarp::program_run::CodeModule;

namespace {

constexpr unsigned reads_integers = 1, normalized = 2;  // CU_TRSF

struct Reference {
  CodeModule* module = nullptr;
  std::string name;  ///< mangled
  Texture texture;   ///< as far as it was set
  unsigned flags = 0;
  std::size_t line_bytes = 0;  ///< of linear memory: its elements follow from the format
};

/// All that programs asked for, by module and name. The caller has the machine's lock.
std::map<std::pair<const CodeModule*, std::string>, std::unique_ptr<Reference>>& references() {
  static std::map<std::pair<const CodeModule*, std::string>, std::unique_ptr<Reference>> all;
  return all;
}

bool is_known(const Reference* reference) {
  return std::any_of(references().begin(), references().end(),
                     [&](const auto& each) { return each.second.get() == reference; });
}

/// Changes what is set of a reference, and what its module's launches read.
template <class Change>
int change(Reference* reference, Change how) {
  return driver_call([&](Machine& machine) {
    if (!is_known(reference)) return Status::invalid_handle;
    const Status status = how(machine, *reference);
    Texture& texture = reference->texture;
    if (status != Status::success || texture.data == nullptr) return status;
    if (reference->line_bytes != 0)
      texture.width = reference->line_bytes / std::max(1U, texture.element_bytes());
    if (!is_in_memory(machine, texture)) return Status::invalid_value;
    const bool integers = texture.kind != Texture::ChannelKind::floating;
    texture.as_float = integers && (reference->flags & reads_integers) == 0;
    texture.normalized = (reference->flags & normalized) != 0;
    std::uint32_t& handle = reference->module->textures[reference->name];
    if (handle != 0) machine.textures().erase(handle);
    handle = keep_texture(machine, texture);
    return Status::success;
  });
}

}  // namespace

void forewarp::cli::forget_texture_references(const CodeModule* module) {
  std::erase_if(references(), [&](const auto& each) { return each.first.first == module; });
}

FOREWARP_EXPORT int cuModuleGetTexRef(Reference** out, CodeModule* module, const char* name) {
  return driver_call([&](Machine& machine) {
    if (out == nullptr || name == nullptr) return Status::invalid_value;
    if (!machine.modules().has(module)) return Status::invalid_handle;
    auto& known = references()[{module, name}];
    if (!known) known = std::make_unique<Reference>(Reference{module, name, {}, 0});
    *out = known.get();
    return Status::success;
  });
}
FOREWARP_EXPORT int cuTexRefSetArray(Reference* reference, const void* array, unsigned /*flags*/) {
  return change(reference, [&](Machine& machine, Reference& it) {
    const Array* known = array_of(machine, array);
    if (known == nullptr) return Status::invalid_handle;
    set_array(*known, it.texture);
    it.line_bytes = 0;
    return Status::success;
  });
}
FOREWARP_EXPORT int cuTexRefSetFormat(Reference* reference, int format, int channels) {
  return change(reference, [&](Machine& /*machine*/, Reference& it) {
    std::int32_t kind = 0;
    if (!set_format(format, static_cast<unsigned>(channels), it.texture.bits, kind))
      return Status::invalid_value;
    it.texture.kind = static_cast<Texture::ChannelKind>(kind);
    return Status::success;
  });
}
FOREWARP_EXPORT int cuTexRefSetAddress_v2(std::size_t* offset, Reference* reference,
                                          std::uint64_t at, std::size_t bytes) {
  return change(reference, [&](Machine& /*machine*/, Reference& it) {
    if (offset != nullptr) *offset = 0;
    it.texture.data = static_cast<std::uint8_t*>(pointer_to(at));
    it.line_bytes = bytes;
    it.texture.height = it.texture.depth = 1;
    it.texture.pitch = it.texture.slice = bytes;
    return Status::success;
  });
}
FOREWARP_EXPORT int cuTexRefSetAddress2D_v3(Reference* reference, const PlaneDescription* plane,
                                            std::uint64_t at, std::size_t pitch) {
  return change(reference, [&](Machine& /*machine*/, Reference& it) {
    std::int32_t kind = 0;
    if (plane == nullptr || !set_format(plane->format, plane->channels, it.texture.bits, kind))
      return Status::invalid_value;
    it.texture.kind = static_cast<Texture::ChannelKind>(kind);
    it.texture.data = static_cast<std::uint8_t*>(pointer_to(at));
    it.line_bytes = 0;
    it.texture.width = plane->width;
    it.texture.height = plane->height;
    it.texture.depth = 1;
    it.texture.pitch = pitch;
    it.texture.slice = pitch * plane->height;
    return Status::success;
  });
}
FOREWARP_EXPORT int cuTexRefSetAddressMode(Reference* reference, int dimension, int mode) {
  return change(reference, [&](Machine& /*machine*/, Reference& it) {
    if (dimension < 0 || dimension > 2) return Status::invalid_value;
    it.texture.modes[static_cast<std::size_t>(dimension)] =
        static_cast<Texture::AddressMode>(std::clamp(mode, 0, 3));
    return Status::success;
  });
}
FOREWARP_EXPORT int cuTexRefSetFilterMode(Reference* reference, int mode) {
  return change(reference, [&](Machine& /*machine*/, Reference& it) {
    it.texture.linear = mode == 1;
    return Status::success;
  });
}
FOREWARP_EXPORT int cuTexRefSetFlags(Reference* reference, unsigned flags) {
  return change(reference, [&](Machine& /*machine*/, Reference& it) {
    it.flags = flags;
    return Status::success;
  });
}
FOREWARP_EXPORT int cuTexRefGetFlags(unsigned* flags, const Reference* reference) {
  return driver_call([&](Machine& /*machine*/) {
    if (flags == nullptr || !is_known(reference)) return Status::invalid_value;
    *flags = reference->flags;
    return Status::success;
  });
}
