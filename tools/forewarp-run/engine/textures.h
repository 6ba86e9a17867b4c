// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

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
/// The array with this handle; null: there is none.
const program_run::Array* array_of(Machine& machine, const void* handle);

}  // namespace forewarp::cli
