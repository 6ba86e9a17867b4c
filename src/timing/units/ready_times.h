// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "timing/machine/ticks.h"

namespace forewarp::timing {

/// When each warp of a scheduler may issue next. Beside the times themselves, their distances from
/// a base not long ago are kept in 32 bits, of which 16 are compared at once and without a branch.
class ReadyTimes {
 public:
  static constexpr std::size_t most = 64;

  ReadyTimes() {
    at_.fill(never);
    near_.fill(far);
  }

  /// The time of the warp at `place`; `never`: it waits for others, or there is none.
  [[nodiscard]] Ticks operator[](std::uint32_t place) const { return at_[place]; }

  void set(std::uint32_t place, Ticks at) {
    at_[place] = at;
    near_[place] = distance(at);
    places_ = std::max(places_, place / row * row + row);
  }

  /// Mask of the warps that may issue at `now`.
  [[nodiscard]] std::uint64_t at(Ticks now) {
    if (!is_near(now)) rebase(now);
    std::uint64_t mask = 0;
    for (std::uint32_t p = 0; p < places_; p += row) mask |= not_after(p, distance(now)) << p;
    return mask;
  }

  /// The first time from `from` on at which a warp may issue; `never`: none will.
  [[nodiscard]] Ticks next(Ticks from) const {
    const std::int32_t first = is_near(from) ? nearest() : far;
    if (first == far) return next_far(from);
    return std::max(from, base_ + first);
  }

 private:
  static constexpr std::uint32_t row = 16;  ///< times that are compared at once
  static constexpr std::int32_t far = std::numeric_limits<std::int32_t>::max();
  static constexpr Ticks nearer = Ticks{1} << 30;  ///< times asked for are less far from the base

  [[nodiscard]] bool is_near(Ticks at) const { return at >= base_ && at - base_ < nearer; }
  [[nodiscard]] std::int32_t distance(Ticks at) const {
    return static_cast<std::int32_t>(std::clamp<Ticks>(at - base_, -far, far));
  }
  void rebase(Ticks now) {
    base_ = now;
    for (std::uint32_t p = 0; p < places_; ++p) near_[p] = distance(at_[p]);
  }
  [[nodiscard]] Ticks next_far(Ticks from) const {
    const Ticks first = *std::min_element(at_.begin(), at_.begin() + std::max(places_, 1U));
    return first == never ? never : std::max(from, first);
  }

#ifdef __SSE2__
  using Four = __m128i;

  [[nodiscard]] Four four(std::uint32_t place) const {
    return _mm_load_si128(reinterpret_cast<const Four*>(near_.data() + place));
  }
  /// Of a row of times those that are not after `now`, as bits.
  [[nodiscard]] std::uint64_t not_after(std::uint32_t place, std::int32_t now) const {
    const Four limit = _mm_set1_epi32(now);
    const auto after = [&](std::uint32_t p) { return _mm_cmpgt_epi32(four(place + p), limit); };
    const Four low = _mm_packs_epi32(after(0), after(4));
    const Four high = _mm_packs_epi32(after(8), after(12));
    const auto late = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
    return late ^ 0xffffU;
  }
  [[nodiscard]] std::int32_t nearest() const {
    const auto least = [](Four a, Four b) {
      const Four b_is_less = _mm_cmpgt_epi32(a, b);
      return _mm_or_si128(_mm_and_si128(b_is_less, b), _mm_andnot_si128(b_is_less, a));
    };
    Four all = _mm_set1_epi32(far);
    for (std::uint32_t p = 0; p < places_; p += row) {
      const Four low = least(four(p), four(p + 4)), high = least(four(p + 8), four(p + 12));
      all = least(all, least(low, high));
    }
    all = least(all, _mm_shuffle_epi32(all, 0b01001110));
    return _mm_cvtsi128_si32(least(all, _mm_shuffle_epi32(all, 0b10110001)));
  }
#else
  [[nodiscard]] std::uint64_t not_after(std::uint32_t place, std::int32_t now) const {
    std::uint64_t mask = 0;
    for (std::uint32_t p = 0; p < row; ++p) {
      mask |= static_cast<std::uint64_t>(near_[place + p] <= now) << p;
    }
    return mask;
  }
  [[nodiscard]] std::int32_t nearest() const {
    std::int32_t least = far;
    for (std::uint32_t p = 0; p < places_; ++p) least = std::min(least, near_[p]);
    return least;
  }
#endif

  alignas(16) std::array<std::int32_t, most> near_;  ///< times from the base on, none beyond `far`
  std::array<Ticks, most> at_;
  Ticks base_ = 0;
  std::uint32_t places_ = 0;  ///< in use: whole rows
};

}  // namespace forewarp::timing
