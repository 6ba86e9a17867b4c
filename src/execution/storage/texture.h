// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace forewarp::execution {

/// A texture or surface of a running program: elements in its memory, and how they are read. The
/// rules are those of the CUDA C++ Programming Guide, appendix "Texture Fetching".
struct Texture {
  enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };
  enum class ChannelKind : std::uint8_t { signed_integer, unsigned_integer, floating };

  std::uint64_t address = 0;                       ///< of the first element, as kernels see it
  std::uint8_t* data = nullptr;                    ///< where it lies
  std::uint64_t width = 0, height = 1, depth = 1;  ///< elements; depth: planes or layers
  std::uint64_t pitch = 0, slice = 0;              ///< bytes between rows and planes
  std::array<std::uint8_t, 4> bits{32, 0, 0, 0};   ///< of each channel; 0: there is none
  ChannelKind kind = ChannelKind::floating;
  std::array<AddressMode, 3> modes{AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
  std::array<float, 4> border{};
  bool linear = false;      ///< between neighbouring elements; else the nearest is read
  bool normalized = false;  ///< coordinates from 0 to 1
  bool as_float = false;    ///< integers are read as numbers from 0 or -1 to 1

  [[nodiscard]] std::uint32_t element_bytes() const;
  /// From the first element to the end of the last.
  [[nodiscard]] std::uint64_t bytes() const;
};

/// The four channels of a fetch, as the bits that registers get.
using Texel = std::array<std::uint32_t, 4>;

/// Reads at coordinates as a texture instruction passes them: x, y, z in units of elements or from
/// 0 to 1; `layer` is a plane, which is clamped and not filtered. `dimensions` counts coordinates.
[[nodiscard]] Texel fetch_texture(const Texture& texture, const std::array<float, 3>& at,
                                  unsigned dimensions, bool layered, std::uint32_t layer);

/// Reads the element with these indices, without filtering; zero outside.
[[nodiscard]] Texel fetch_element(const Texture& texture, const std::array<std::int32_t, 3>& at);

/// One channel of the four elements around the coordinates, counter-clockwise from the lower left.
[[nodiscard]] Texel gather_texture(const Texture& texture, const std::array<float, 3>& at,
                                   unsigned component, bool layered, std::uint32_t layer);

/// Where a direction meets a cube ("Cubemap Textures"): coordinates from 0 to 1 on a face.
struct CubePlace {
  std::array<float, 3> at{};
  std::uint32_t face = 0;
};
[[nodiscard]] CubePlace cube_place(const std::array<float, 3>& direction);

/// Where an access to a surface lies: x in bytes, y in rows, z in planes or layers.
using SurfacePlace = std::array<std::int64_t, 3>;
/// Whether `bytes` from a place on lie in the surface.
[[nodiscard]] bool in_surface(const Texture& surface, const SurfacePlace& at, std::uint32_t bytes);
/// The nearest place that does.
[[nodiscard]] SurfacePlace clamped(const Texture& surface, SurfacePlace at, std::uint32_t bytes);
[[nodiscard]] std::uint64_t surface_address(const Texture& surface, const SurfacePlace& at);

}  // namespace forewarp::execution
