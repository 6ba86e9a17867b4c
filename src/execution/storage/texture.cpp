// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/storage/texture.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "execution/state/half_number.h"

namespace forewarp::execution {
namespace {

constexpr float fraction_steps = 256;  // filtering weights have 8 fractional bits
constexpr float half_element = 0.5F;

/// An index along one axis after the address mode; below zero: outside, the border is read.
std::int64_t placed(std::int64_t index, std::int64_t size, Texture::AddressMode mode,
                    bool normalized) {
  using Mode = Texture::AddressMode;
  if (index >= 0 && index < size) return index;
  if (mode == Mode::border) return -1;
  // Wrapping and mirroring are defined for coordinates from 0 to 1 alone.
  if (normalized && mode == Mode::wrap) return ((index % size) + size) % size;
  if (normalized && mode == Mode::mirror) {
    const std::int64_t period = ((index % (2 * size)) + 2 * size) % (2 * size);
    return period < size ? period : 2 * size - 1 - period;
  }
  return std::clamp<std::int64_t>(index, 0, size - 1);
}

/// One channel's bits as the register gets them; `as_float` makes integers numbers up to 1.
std::uint32_t channel_value(const Texture& texture, const std::uint8_t* from, std::uint32_t bits) {
  std::uint32_t value = 0;
  std::memcpy(&value, from, bits / 8);
  if (texture.kind == Texture::ChannelKind::floating) {
    if (bits == 16) return std::bit_cast<std::uint32_t>(static_cast<float>(half_to_float(value)));
    return value;
  }
  const bool negative = texture.kind == Texture::ChannelKind::signed_integer && bits < 32 &&
                        (value >> (bits - 1)) != 0;
  if (negative) value |= ~std::uint32_t{0} << bits;
  if (!texture.as_float || bits == 32) return value;
  const auto most = static_cast<float>((1U << (bits - 1)) - 1);
  if (texture.kind == Texture::ChannelKind::signed_integer) {
    const float number = static_cast<float>(static_cast<std::int32_t>(value)) / most;
    return std::bit_cast<std::uint32_t>(std::max(-1.0F, number));
  }
  return std::bit_cast<std::uint32_t>(static_cast<float>(value) / (2 * most + 1));
}

Texel element_at(const Texture& texture, const std::array<std::int64_t, 3>& at) {
  Texel texel{};
  if (at[0] < 0 || at[1] < 0 || at[2] < 0) {
    for (std::size_t i = 0; i < texel.size(); ++i)
      texel[i] = std::bit_cast<std::uint32_t>(texture.border[i]);
    return texel;
  }
  const std::uint8_t* from = texture.data + static_cast<std::uint64_t>(at[2]) * texture.slice +
                             static_cast<std::uint64_t>(at[1]) * texture.pitch +
                             static_cast<std::uint64_t>(at[0]) * texture.element_bytes();
  for (std::size_t i = 0; i < texel.size(); ++i) {
    if (texture.bits[i] == 0) continue;
    texel[i] = channel_value(texture, from, texture.bits[i]);
    from += texture.bits[i] / 8;
  }
  return texel;
}

std::array<std::int64_t, 3> sizes(const Texture& texture) {
  return {static_cast<std::int64_t>(texture.width), static_cast<std::int64_t>(texture.height),
          static_cast<std::int64_t>(texture.depth)};
}

}  // namespace

std::uint32_t Texture::element_bytes() const {
  return (std::uint32_t{bits[0]} + bits[1] + bits[2] + bits[3]) / 8;
}

std::uint64_t Texture::bytes() const {
  if (width == 0 || height == 0 || depth == 0) return 0;
  return (depth - 1) * slice + (height - 1) * pitch + width * element_bytes();
}

Texel fetch_element(const Texture& texture, const std::array<std::int32_t, 3>& at) {
  const auto size = sizes(texture);
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] < 0 || at[i] >= size[i]) return {};
  }
  return element_at(texture, {at[0], at[1], at[2]});
}

Texel fetch_texture(const Texture& texture, const std::array<float, 3>& at, unsigned dimensions,
                    bool layered, std::uint32_t layer) {
  const auto size = sizes(texture);
  std::array<std::int64_t, 3> low{}, high{};
  std::array<float, 3> weight{};
  for (unsigned i = 0; i < dimensions; ++i) {
    float x = texture.normalized ? at[i] * static_cast<float>(size[i]) : at[i];
    if (!std::isfinite(x)) x = 0;
    x = std::clamp(x, -1e9F, 1e9F);
    const float from = texture.linear ? x - half_element : x;
    const auto index = static_cast<std::int64_t>(std::floor(from));
    const float part = std::nearbyint((from - std::floor(from)) * fraction_steps) / fraction_steps;
    weight[i] = texture.linear ? part : 0;
    low[i] = placed(index, size[i], texture.modes[i], texture.normalized);
    high[i] = placed(index + 1, size[i], texture.modes[i], texture.normalized);
  }
  if (layered) {
    const auto plane = std::min<std::int64_t>(layer, std::max<std::int64_t>(size[2], 1) - 1);
    low[2] = high[2] = plane;
  }
  if (!texture.linear) return element_at(texture, low);
  std::array<float, 4> sum{};
  for (unsigned corner = 0; corner < (1U << dimensions); ++corner) {
    std::array<std::int64_t, 3> place = low;
    float share = 1;
    for (unsigned i = 0; i < dimensions; ++i) {
      const bool upper = (corner >> i & 1U) != 0;
      if (upper) place[i] = high[i];
      share *= upper ? weight[i] : 1 - weight[i];
    }
    if (share == 0) continue;
    const Texel texel = element_at(texture, place);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += share * std::bit_cast<float>(texel[i]);
  }
  Texel texel{};
  for (std::size_t i = 0; i < sum.size(); ++i) texel[i] = std::bit_cast<std::uint32_t>(sum[i]);
  return texel;
}

Texel gather_texture(const Texture& texture, const std::array<float, 3>& at, unsigned component,
                     bool layered, std::uint32_t layer) {
  const auto size = sizes(texture);
  std::array<std::array<std::int64_t, 2>, 2> index{};  // by axis: the lower and the upper
  for (unsigned i = 0; i < 2; ++i) {
    float x = texture.normalized ? at[i] * static_cast<float>(size[i]) : at[i];
    if (!std::isfinite(x)) x = 0;
    const auto low =
        static_cast<std::int64_t>(std::floor(std::clamp(x, -1e9F, 1e9F) - half_element));
    for (unsigned k = 0; k < 2; ++k)
      index[i][k] = placed(low + k, size[i], texture.modes[i], texture.normalized);
  }
  const std::int64_t plane = layered ? std::min<std::int64_t>(layer, size[2] - 1) : 0;
  constexpr std::array<std::array<unsigned, 2>, 4> order{{{0, 1}, {1, 1}, {1, 0}, {0, 0}}};
  Texel texel{};
  for (std::size_t i = 0; i < texel.size(); ++i)
    texel[i] =
        element_at(texture, {index[0][order[i][0]], index[1][order[i][1]], plane})[component];
  return texel;
}

CubePlace cube_place(const std::array<float, 3>& direction) {
  const auto [x, y, z] = direction;
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  float m = az, s = z < 0 ? -x : x, t = -y;
  std::uint32_t face = z < 0 ? 5 : 4;
  if (ax >= ay && ax >= az) {
    m = ax, s = x < 0 ? z : -z, t = -y;
    face = x < 0 ? 1 : 0;
  } else if (ay >= az) {
    m = ay, s = x, t = y < 0 ? -z : z;
    face = y < 0 ? 3 : 2;
  }
  if (m == 0) return {{half_element, half_element, 0}, face};
  return {{(s / m + 1) / 2, (t / m + 1) / 2, 0}, face};
}

bool in_surface(const Texture& surface, const SurfacePlace& at, std::uint32_t bytes) {
  const auto size = sizes(surface);
  const std::int64_t row = size[0] * surface.element_bytes();
  return at[0] >= 0 && at[0] + bytes <= row && at[1] >= 0 && at[1] < size[1] && at[2] >= 0 &&
         at[2] < size[2];
}

SurfacePlace clamped(const Texture& surface, SurfacePlace at, std::uint32_t bytes) {
  const auto size = sizes(surface);
  const std::int64_t row = size[0] * surface.element_bytes();
  at[0] = std::clamp<std::int64_t>(at[0], 0, std::max<std::int64_t>(0, row - bytes));
  for (std::size_t i = 1; i < at.size(); ++i)
    at[i] = std::clamp<std::int64_t>(at[i], 0, std::max<std::int64_t>(0, size[i] - 1));
  return at;
}

std::uint64_t surface_address(const Texture& surface, const SurfacePlace& at) {
  return surface.address + static_cast<std::uint64_t>(at[2]) * surface.slice +
         static_cast<std::uint64_t>(at[1]) * surface.pitch + static_cast<std::uint64_t>(at[0]);
}

}  // namespace forewarp::execution
