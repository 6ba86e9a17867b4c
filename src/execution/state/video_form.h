// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace forewarp::execution {

/// A video instruction (MicroOp::immediate): parts of a and b are combined with their signs, the
/// result is cut to a word or saturates, and goes with c into the register.
struct VideoForm {
  enum class First : std::uint8_t {
    add,
    minimum,
    maximum,
    absolute_difference,
    multiply,
    compare,
    shift_left,
    shift_right
  };
  enum class Second : std::uint8_t {
    none,
    add,
    minimum,
    maximum,
    // The result's lowest bits replace a part of c.
    into_b0,
    into_b2,
    into_h0,
    into_h1
  };
  /// Which part of a word is meant: 8 << `width` bits from byte `byte` on.
  struct Part {
    std::uint8_t byte = 0;
    std::uint8_t width = 2;
    bool is_signed = true;
    bool negative = false;  ///< subtracted; of a product, a's is that of the product
  };

  First first = First::add;
  Second second = Second::none;
  Part a, b;
  bool subtracts_c = false;  ///< from a product
  bool plus_one = false;     ///< a product and c
  bool wraps = false;        ///< a shift's count: else it counts to 32
  bool is_signed = true;     ///< the result, where it saturates or is compared with c
  bool saturates = false;
  std::uint8_t scale = 0;  ///< a product with c is shifted right: by 7 for 1, 15 for 2
  std::uint8_t holds = 0;  ///< a comparison: bits for less, equal and greater

  [[nodiscard]] constexpr std::uint32_t packed() const {
    return static_cast<std::uint32_t>(first) | static_cast<std::uint32_t>(second) << 3 |
           packed(a) << 6 | packed(b) << 12 | std::uint32_t{subtracts_c} << 18 |
           std::uint32_t{plus_one} << 19 | std::uint32_t{wraps} << 20 |
           std::uint32_t{is_signed} << 21 | std::uint32_t{saturates} << 22 |
           std::uint32_t{scale} << 23 | std::uint32_t{holds} << 25;
  }
  [[nodiscard]] static constexpr VideoForm unpacked(std::uint32_t word) {
    const auto bits = [word](unsigned from, std::uint32_t mask) {
      return static_cast<std::uint8_t>(word >> from & mask);
    };
    const auto part = [bits](unsigned from) {
      return Part{bits(from, 3), bits(from + 2, 3), bits(from + 4, 1) != 0, bits(from + 5, 1) != 0};
    };
    VideoForm form;
    form.first = static_cast<First>(bits(0, 7));
    form.second = static_cast<Second>(bits(3, 7));
    form.a = part(6), form.b = part(12);
    form.subtracts_c = bits(18, 1) != 0, form.plus_one = bits(19, 1) != 0;
    form.wraps = bits(20, 1) != 0, form.is_signed = bits(21, 1) != 0;
    form.saturates = bits(22, 1) != 0;
    form.scale = bits(23, 3), form.holds = bits(25, 7);
    return form;
  }

 private:
  [[nodiscard]] static constexpr std::uint32_t packed(Part part) {
    return std::uint32_t{part.byte} | std::uint32_t{part.width} << 2 |
           std::uint32_t{part.is_signed} << 4 | std::uint32_t{part.negative} << 5;
  }
};

/// Products of two words and words shifted by 32 need more than 64 bits.
__extension__ using VideoNumber = __int128;

[[nodiscard]] constexpr VideoNumber video_part(std::uint32_t word, VideoForm::Part part) {
  const unsigned above = 32U - (8U << part.width);
  const std::uint32_t top = word >> 8U * part.byte << above;
  return part.is_signed ? VideoNumber{static_cast<std::int32_t>(top) >> above}
                        : VideoNumber{top >> above};
}

/// a * b + c, of which the parts' signs decide c's, and that of the result.
[[nodiscard]] constexpr VideoNumber video_product(const VideoForm& form, VideoNumber x,
                                                  VideoNumber y, std::uint32_t c) {
  const VideoNumber product = form.a.negative ? -(x * y) : x * y;
  VideoNumber addend = form.is_signed ? VideoNumber{static_cast<std::int32_t>(c)} : VideoNumber{c};
  if (form.subtracts_c) addend = -addend;
  const unsigned shift = form.scale == 0 ? 0 : 8U * form.scale - 1;
  return (product + addend + (form.plus_one ? 1 : 0)) >> shift;
}

/// What a and b make, before it is cut to a word.
[[nodiscard]] constexpr VideoNumber video_first(const VideoForm& form, std::uint32_t a,
                                                std::uint32_t b, std::uint32_t c) {
  const VideoNumber x = video_part(a, form.a), y = video_part(b, form.b);
  const unsigned by = form.wraps ? static_cast<unsigned>(y & 31)
                                 : static_cast<unsigned>(y < 32 ? y : VideoNumber{32});
  switch (form.first) {
    case VideoForm::First::add:
      return form.b.negative ? x - y : x + y;
    case VideoForm::First::minimum:
      return x < y ? x : y;
    case VideoForm::First::maximum:
      return x < y ? y : x;
    case VideoForm::First::absolute_difference:
      return x < y ? y - x : x - y;
    case VideoForm::First::multiply:
      return video_product(form, x, y, c);
    case VideoForm::First::compare:
      return form.holds >> (x < y ? 0 : (x == y ? 1 : 2)) & 1;
    case VideoForm::First::shift_left:
      return x << by;
    default:
      return x >> by;
  }
}

/// .SAT: the nearest number of the result's type, which is a part's where it replaces one.
[[nodiscard]] constexpr VideoNumber video_saturated(const VideoForm& form, VideoNumber value) {
  unsigned bits = 32;
  if (form.second >= VideoForm::Second::into_b0) bits = 8;
  if (form.second >= VideoForm::Second::into_h0) bits = 16;
  const VideoNumber range = VideoNumber{1} << bits;
  const VideoNumber least = form.is_signed ? -range / 2 : 0, most = least + range - 1;
  return value < least ? least : (value > most ? most : value);
}

/// The whole instruction in one lane.
[[nodiscard]] constexpr std::uint32_t video_value(const VideoForm& form, std::uint32_t a,
                                                  std::uint32_t b, std::uint32_t c) {
  VideoNumber wide = video_first(form, a, b, c);
  if (form.saturates) wide = video_saturated(form, wide);
  // A larger result is cut before it meets c.
  const auto value = static_cast<std::uint32_t>(wide);
  const std::uint32_t bias = form.is_signed ? 0x80000000U : 0;
  const bool less = (value ^ bias) < (c ^ bias);
  const auto into = [&](std::uint32_t mask, unsigned at) {
    return (c & ~(mask << at)) | (value & mask) << at;
  };
  switch (form.second) {
    case VideoForm::Second::add:
      return value + c;
    case VideoForm::Second::minimum:
      return less ? value : c;
    case VideoForm::Second::maximum:
      return less ? c : value;
    case VideoForm::Second::into_b0:
      return into(0xffU, 0);
    case VideoForm::Second::into_b2:
      return into(0xffU, 16);
    case VideoForm::Second::into_h0:
      return into(0xffffU, 0);
    case VideoForm::Second::into_h1:
      return into(0xffffU, 16);
    default:
      return value;
  }
}

}  // namespace forewarp::execution
