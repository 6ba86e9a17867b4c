// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda_types.h"
#include "engine.h"

namespace forewarp::cli {

/// The element format of a texture.
void set_format(const cudaChannelFormatDesc& from, execution::Texture& to);
/// The elements of an array.
void set_array(const program_run::Array& from, execution::Texture& to);
/// A handle that no other texture or surface has.
std::uint32_t next_handle(Machine& machine);
/// The array with this handle; null: there is none.
const program_run::Array* array_of(Machine& machine, const void* handle);

/// Gives an array its rows, planes and memory, and the machine the array; false: out of memory.
bool place_array(Machine& machine, program_run::Array& array);

}  // namespace forewarp::cli
