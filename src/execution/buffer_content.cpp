// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <string_view>

#include "execution/global_memory.h"
#include "execution/half_number.h"

namespace forewarp {
namespace {

/// Element types by their short names; f32 where nothing is stated.
struct ElementType {
  std::uint32_t bytes = 4;
  char kind = 'f';  // f, i, u, or b for bfloat
};

ElementType element_type_of(std::string_view name) {
  if (name == "bf16") return {2, 'b'};
  ElementType type;
  if (name.size() < 2) return type;
  type.kind = name.front();
  std::uint32_t bits = 0;
  for (const char c : name.substr(1))
    bits = c >= '0' && c <= '9' ? bits * 10 + static_cast<std::uint32_t>(c - '0') : 0;
  type.bytes = bits == 8 || bits == 16 || bits == 64 ? bits / 8 : 4;
  return type;
}

std::uint64_t encoded(ElementType type, double value) {
  if (type.kind == 'b') return double_to_bfloat(value);
  if (type.kind == 'f' && type.bytes == 2) return double_to_half(value);
  if (type.kind == 'f' && type.bytes == 8) return std::bit_cast<std::uint64_t>(value);
  if (type.kind == 'f') return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (value < 0) return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  return value < 0x1p64 ? static_cast<std::uint64_t>(value) : ~std::uint64_t{0};
}

/// A number that only seed and index decide (splitmix64).
std::uint64_t mixed(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed * 0x9e3779b97f4a7c15U + (index + 1) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

std::uint64_t random_element(ElementType type, const BufferContent& content, std::uint64_t index) {
  const double share = static_cast<double>(mixed(content.seed, index) >> 11) * 0x1p-53;
  if (type.kind == 'f' || type.kind == 'b') {
    return encoded(type, content.low + share * (content.high - content.low));
  }
  const double values = std::floor(content.high) - std::ceil(content.low) + 1;
  return encoded(type, std::ceil(content.low) + std::floor(share * std::max(values, 1.0)));
}

std::uint64_t element(ElementType type, const BufferContent& content, std::uint64_t index) {
  switch (content.kind) {
    case BufferContent::Kind::ones:
      return encoded(type, 1);
    case BufferContent::Kind::iota:
      return encoded(type, static_cast<double>(index));
    case BufferContent::Kind::random:
      return random_element(type, content, index);
    case BufferContent::Kind::fill:
      return encoded(type, content.value);
    default:
      return 0;
  }
}

/// Whole elements from index `first` on.
template <class Word>
void put_elements(ElementType type, const BufferContent& content, std::uint64_t first,
                  std::span<std::uint8_t> out) {
  const std::size_t count = out.size() / sizeof(Word);
  const bool varies =
      content.kind == BufferContent::Kind::iota || content.kind == BufferContent::Kind::random;
  auto value = static_cast<Word>(element(type, content, first));
  for (std::size_t i = 0; i < count; ++i) {
    if (varies) value = static_cast<Word>(element(type, content, first + i));
    std::memcpy(out.data() + i * sizeof value, &value, sizeof value);
  }
}

/// The same for any first and last byte.
void put_bytes(ElementType type, const BufferContent& content, std::uint64_t offset,
               std::span<std::uint8_t> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t at = offset + i;
    const std::uint64_t value = element(type, content, at / type.bytes);
    out[i] = static_cast<std::uint8_t>(value >> (8 * (at % type.bytes)));
  }
}

}  // namespace

void buffer_content(const ExecutionBuffer& buffer, std::uint64_t offset,
                    std::span<std::uint8_t> out) {
  if (buffer.content.kind == BufferContent::Kind::file) {
    const std::size_t there =
        buffer.data.size() - std::min<std::size_t>(offset, buffer.data.size());
    const std::size_t copied = std::min(there, out.size());
    if (copied != 0) std::memcpy(out.data(), buffer.data.data() + offset, copied);
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(copied), out.end(), std::uint8_t{0});
    return;
  }
  const ElementType type = element_type_of(buffer.content.type);
  const std::size_t head =
      std::min<std::size_t>(out.size(), (type.bytes - offset % type.bytes) % type.bytes);
  const std::size_t whole = (out.size() - head) / type.bytes * type.bytes;
  put_bytes(type, buffer.content, offset, out.first(head));
  const auto middle = out.subspan(head, whole);
  const std::uint64_t first = (offset + head) / type.bytes;
  switch (type.bytes) {
    case 1:
      put_elements<std::uint8_t>(type, buffer.content, first, middle);
      break;
    case 2:
      put_elements<std::uint16_t>(type, buffer.content, first, middle);
      break;
    case 8:
      put_elements<std::uint64_t>(type, buffer.content, first, middle);
      break;
    default:
      put_elements<std::uint32_t>(type, buffer.content, first, middle);
      break;
  }
  put_bytes(type, buffer.content, offset + head + whole, out.subspan(head + whole));
}

}  // namespace forewarp
