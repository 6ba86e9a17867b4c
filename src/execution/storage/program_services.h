// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>

#include "execution/storage/texture.h"

namespace forewarp::execution {

/// What a running program has beside memory for its kernels. Nothing changes while one runs.
struct ProgramServices {
  /// By the low word of their handles, which textures and surfaces share.
  std::unordered_map<std::uint32_t, Texture> textures;
};

}  // namespace forewarp::execution
