// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "cuda_types.h"
#include "engine.h"

namespace forewarp::cli {

/// The element format of a texture.
void set_format(const cudaChannelFormatDesc& from, execution::Texture& to);
/// Channels of the driver interface's CUarray_format; false: there is no such format.
bool set_format(int format, unsigned channels, std::array<std::uint8_t, 4>& bits,
                std::int32_t& kind);
/// The elements of an array.
void set_array(const program_run::Array& from, execution::Texture& to);
/// A new array in the device's memory; `from` has its elements and flags. Fails as the interface
/// does.
Status make_array(Machine& machine, program_run::Array from, const cudaExtent& extent,
                  std::uint64_t& handle);
/// Whether all elements lie in one allocation, and there is one.
[[nodiscard]] bool is_in_memory(Machine& machine, const execution::Texture& texture);
/// Keeps a texture or surface under a new handle.
std::uint32_t keep_texture(Machine& machine, const execution::Texture& made);
/// A handle that no other texture or surface has.
std::uint32_t next_handle(Machine& machine);
/// What an interface tells of its texture and surface objects, in its own structures, by handle.
template <class Resource, class Reading, class View>
class ObjectDescriptions {
 public:
  /// A surface has no reading; null: none was given.
  void keep(std::uint64_t handle, const Resource* resource, const Reading* reading,
            const View* view) {
    Object& made = objects_[handle];
    made = {*resource, {}, {}};
    if (reading != nullptr) made.reading = *reading;
    if (view != nullptr) made.view = *view;
  }
  void erase(std::uint64_t handle) { objects_.erase(handle); }
  Status resource(std::uint64_t handle, Resource* out) const {
    const auto found = objects_.find(handle);
    if (out == nullptr || found == objects_.end()) return Status::invalid_value;
    *out = found->second.resource;
    return Status::success;
  }
  Status reading(std::uint64_t handle, Reading* out) const {
    const auto found = objects_.find(handle);
    if (out == nullptr || found == objects_.end() || !found->second.reading)
      return Status::invalid_value;
    *out = *found->second.reading;
    return Status::success;
  }
  Status view(std::uint64_t handle, View* out) const {
    const auto found = objects_.find(handle);
    if (out == nullptr || found == objects_.end()) return Status::invalid_value;
    *out = found->second.view.value_or(View{});  // as a board answers where there is none
    return Status::success;
  }

 private:
  struct Object {
    Resource resource{};
    std::optional<Reading> reading;
    std::optional<View> view;
  };
  std::map<std::uint64_t, Object> objects_;
};

/// The array with this handle; null: there is none.
const program_run::Array* array_of(Machine& machine, const void* handle);

}  // namespace forewarp::cli
