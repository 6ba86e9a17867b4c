// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/tensor_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include "base/text.h"
#include "program/scalar_type.h"
#include "request/text/count_text.h"
#include "request/text/refusal.h"

namespace forewarp::request {
namespace {

constexpr std::string_view word = "tensor:";
constexpr std::string_view forms =
    "tensor:TYPE:SIZExSIZE:box=SIZExSIZE:swizzle=128B:BUFFER, innermost dimension first";
// The driver's own limits (cuTensorMapEncodeTiled).
constexpr std::uint64_t most_box = 256, granule = 16;

std::optional<std::vector<std::uint64_t>> sizes_of(std::string_view text) {
  std::vector<std::uint64_t> sizes;
  for (const auto& part : split(text, 'x')) {
    const auto size = parse_count(part);
    if (!size || *size == 0) return std::nullopt;
    sizes.push_back(*size);
  }
  if (sizes.size() > TensorMap::most_dimensions) return std::nullopt;
  return sizes;
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view place) : text_(text), place_(place) {}

  Expected<TensorArgument> read() {
    const auto parts = split(text_, ':');
    const auto type = short_scalar_type(parts[0]);
    if (!type) return wrong("has no element type", short_scalar_names());
    TensorMap& map = result_.map;
    map.element_bytes = type->bytes;
    const auto sizes = parts.size() > 1 ? sizes_of(parts[1]) : std::nullopt;
    if (!sizes) return wrong("has no sizes of one to five dimensions", forms);
    map.rank = static_cast<std::uint32_t>(sizes->size());
    map.stride[0] = map.element_bytes;
    for (std::uint32_t d = 0; d < map.rank; ++d) {
      map.size[d] = (*sizes)[d];
      map.box[d] = static_cast<std::uint32_t>(std::min((*sizes)[d], most_box));
      if (d > 0) map.stride[d] = map.stride[d - 1] * map.size[d - 1];
    }
    for (std::size_t i = 2; i < parts.size(); ++i) {
      if (auto done = part(parts[i], i + 1 == parts.size()); !done) return done.error();
    }
    if (auto done = check(); !done) return done.error();
    return std::move(result_);
  }

 private:
  [[nodiscard]] Diagnostic wrong(std::string_view what, std::string_view expected) const {
    return refusal(place_, std::string(word) + std::string(text_), what, expected);
  }

  Expected<void> part(std::string_view text, bool last) {
    TensorMap& map = result_.map;
    const std::size_t equals = text.find('=');
    const std::string_view key = text.substr(0, equals);
    if (equals == std::string_view::npos) {
      if (!last || text.empty()) return wrong("has a part that is not known", forms);
      result_.buffer = text;
      return {};
    }
    const std::string_view value = text.substr(equals + 1);
    if (key == "box" || key == "stride") {
      const auto sizes = sizes_of(value);
      const std::uint32_t first = key == "box" ? 0 : 1;
      const bool channels = key == "box" && map.pixels != 0 && sizes && sizes->size() == 1;
      const bool columns = key == "box" && map.pixels != 0;
      if (!channels && (columns || !sizes || sizes->size() + first != map.rank)) {
        return wrong("has no " + std::string(key) + " for each dimension",
                     columns        ? "box=CHANNELS, as pixels= says the rest"
                     : key == "box" ? "box=SIZExSIZE.., as many as dimensions"
                                    : "stride=BYTESxBYTES.., one fewer than dimensions");
      }
      for (std::uint32_t d = 0; d < sizes->size(); ++d) {
        if (key == "stride") map.stride[d + 1] = (*sizes)[d];
        if (key == "box" && (*sizes)[d] > most_box)
          return wrong("has a box of more than 256 elements", "at most 256 along each dimension");
        if (key == "box") map.box[d] = static_cast<std::uint32_t>((*sizes)[d]);
      }
      return {};
    }
    if (key == "pixels") return pixels(value);
    if (key == "lower" || key == "upper" || key == "step") return corner(key, value);
    if (key == "swizzle") {
      constexpr std::array<std::string_view, 4> names{"none", "32B", "64B", "128B"};
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (value != names[i]) continue;
        map.swizzle = i == 0 ? 0 : 16U << i;
        return {};
      }
      return wrong("has an unknown swizzle", "none, 32B, 64B or 128B");
    }
    if (key == "fill" && (value == "nan" || value == "zero")) {
      map.fill_nan = value == "nan";
      return {};
    }
    if (key == "then") return then(value);
    return wrong("has a part that is not known",
                 "box=, stride=, swizzle=, fill=, then= or a buffer; with pixels= also lower=, "
                 "upper= and step=");
  }

  /// Of columns (im2col), whose box has channels alone.
  Expected<void> pixels(std::string_view text) {
    constexpr std::uint64_t most = 1024;  // cuTensorMapEncodeIm2col
    constexpr std::uint32_t least_rank = 3;
    TensorMap& map = result_.map;
    const auto count = parse_count(text);
    if (!count || *count == 0 || *count > most)
      return wrong("has no number of pixels in a column", "pixels=1 to 1024");
    if (map.rank < least_rank)
      return wrong("has columns of pixels in " + std::to_string(map.rank) + " dimensions",
                   "three to five: channels, width, height, depth, images");
    map.pixels = static_cast<std::uint32_t>(*count);
    for (std::uint32_t d = 1; d < map.rank; ++d) map.box[d] = d == 1 ? map.pixels : 1;
    return {};
  }

  /// Of the pixels' dimensions, which are all but channels and images.
  Expected<void> corner(std::string_view key, std::string_view text) {
    TensorMap& map = result_.map;
    const auto parts = split(text, 'x');
    if (map.pixels == 0)
      return wrong("has " + std::string(key) + " without pixels", "pixels=NUMBER before it");
    const std::string expected = std::string(key) + "=NUMBERxNUMBER.., two fewer than dimensions" +
                                 (key == "step" ? ", 1 to 8 each" : ", that fit 16 bits together");
    if (parts.size() + 2 != map.rank) return wrong("has no such " + std::string(key), expected);
    const std::int32_t bound = 1 << (16 / parts.size() - 1);
    constexpr std::int32_t most_step = 8;
    for (std::uint32_t d = 0; d < parts.size(); ++d) {
      std::int32_t number = 0;
      const char* end = parts[d].data() + parts[d].size();
      const auto read = std::from_chars(parts[d].data(), end, number);
      const bool whole = read.ptr == end && read.ec == std::errc();
      const bool fits =
          key == "step" ? number >= 1 && number <= most_step : number >= -bound && number < bound;
      if (parts[d].empty() || !whole || !fits)
        return wrong("has no such " + std::string(key), expected);
      if (key == "lower") map.lower[d + 1] = number;
      if (key == "upper") map.upper[d + 1] = number;
      if (key == "step") map.step[d + 1] = static_cast<std::uint32_t>(number);
    }
    return {};
  }

  Expected<void> then(std::string_view digits) {
    for (; digits.size() > 1; digits.remove_prefix(2)) {
      std::uint8_t byte = 0;
      const char* end = digits.data() + 2;
      if (std::from_chars(digits.data(), end, byte, 16).ptr != end) break;
      result_.then.push_back(byte);
    }
    if (digits.empty()) return {};
    return wrong("is followed by what is no bytes", "then= and two hexadecimal digits per byte");
  }

  Expected<void> check() const {
    const TensorMap& map = result_.map;
    const std::uint64_t row = std::uint64_t{map.box[0]} * map.element_bytes;
    if (row % granule != 0) {
      return wrong("has a box with rows of " + std::to_string(row) + " bytes",
                   "a multiple of 16 bytes");
    }
    if (map.swizzle != 0 && row > map.swizzle) {
      return wrong("has a box with rows of " + std::to_string(row) + " bytes",
                   "at most the " + std::to_string(map.swizzle) + " bytes of its swizzle");
    }
    for (std::uint32_t d = 1; d < map.rank; ++d) {
      if (map.stride[d] % granule == 0) continue;
      return wrong("has a stride of " + std::to_string(map.stride[d]) + " bytes",
                   "a multiple of 16 bytes");
    }
    return {};
  }

  std::string_view text_, place_;
  TensorArgument result_;
};

}  // namespace

Expected<TensorArgument> parse_tensor(std::string_view text, std::string_view place) {
  return Reader(text, place).read();
}

Expected<Argument> parse_tensor_argument(std::string_view text, std::string_view place) {
  auto checked = parse_tensor(text, place);
  if (!checked) return checked.error();
  Argument argument;
  argument.kind = Argument::Kind::bytes;
  argument.type = std::string(word) + std::string(text);
  argument.bytes.assign(TensorMap::bytes, 0);
  argument.bytes.insert(argument.bytes.end(), checked->then.begin(), checked->then.end());
  return argument;
}

bool is_tensor(const Argument& argument) {
  return argument.kind == Argument::Kind::bytes && argument.type.starts_with(word);
}

std::string_view tensor_text(const Argument& argument) {
  return std::string_view(argument.type).substr(word.size());
}

}  // namespace forewarp::request
