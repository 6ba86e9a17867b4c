// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace forewarp::execution {

/// How a texture or surface instruction passes its coordinates and results (MicroOp::immediate).
/// The first coordinates lie in the cells of source 0, the others in those of source 1, behind
/// which, in textures, are other operands; source 2 is the handle.
struct FetchForm {
  enum class Mode : std::uint8_t { zero, clamp, trap };  ///< of a surface, outside of it

  std::uint32_t dimensions : 2 = 2;
  std::uint32_t layered : 1 = 0;     ///< a layer goes with the coordinates
  std::uint32_t cube : 1 = 0;        ///< three coordinates say a direction
  std::uint32_t channels : 4 = 0xf;  ///< a bit for each channel that is returned
  std::uint32_t in_first : 3 = 2;    ///< coordinates in source 0
  std::uint32_t by_element : 1 = 0;  ///< coordinates are indices
  std::uint32_t gather : 1 = 0;      ///< one channel of four neighbours
  std::uint32_t component : 2 = 0;   ///< .. which
  std::uint32_t mode : 2 = 0;
  std::uint32_t one_destination : 1 = 0;  ///< all results follow the first; else two follow it
  std::uint32_t computed : 1 = 0;         ///< the form is known
  std::uint32_t unused : 12 = 0;

  /// With the layer.
  [[nodiscard]] unsigned coordinates() const { return dimensions + layered; }
};

}  // namespace forewarp::execution
