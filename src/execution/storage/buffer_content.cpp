// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/storage/buffer_content.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <span>
#include <string_view>

#include "base/mixed.h"
#include "execution/state/half_number.h"

namespace forewarp::execution {
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

/// A number from 0 to 1, determined by seed and index alone (splitmix64).
double drawn(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t z = seed * 0x9e3779b97f4a7c15U + (index + 1) * 0xbf58476d1ce4e5b9U;
  return static_cast<double>(mixed(z) >> 11) * 0x1p-53;
}

double random_real(const BufferContent& content, std::uint64_t index) {
  return content.low + drawn(content.seed, index) * (content.high - content.low);
}

std::uint64_t random_element(ElementType type, const BufferContent& content, std::uint64_t index) {
  if (type.kind == 'f' || type.kind == 'b') return encoded(type, random_real(content, index));
  const double share = drawn(content.seed, index);
  const double values = std::floor(content.high) - std::ceil(content.low) + 1;
  return encoded(type, std::ceil(content.low) + std::floor(share * std::max(values, 1.0)));
}

/// A single cycle through all slots of a buffer. Each slot points to the one a golden section of
/// the buffer further, so that successive accesses are not neighbours in memory.
struct Cycle {
  std::uint64_t slots = 0, step = 0, stride = 1;
  std::uint64_t base = 0, scale = 1;  ///< of what is written: base + scale * element
};

Cycle cycle_of(const ExecutionBuffer& buffer, ElementType type) {
  const bool pointers = buffer.content.kind == BufferContent::Kind::pointers;
  if (!pointers && buffer.content.kind != BufferContent::Kind::chain) return {};
  Cycle cycle;
  cycle.stride = std::max<std::uint64_t>(buffer.content.stride, 1);
  cycle.slots = buffer.bytes / type.bytes / cycle.stride;
  if (pointers) {
    cycle.base = buffer.address;
    cycle.scale = type.bytes;
  }
  constexpr double golden = 0.6180339887498949;
  cycle.step = static_cast<std::uint64_t>(static_cast<double>(cycle.slots) * golden);
  while (cycle.slots > 1 && std::gcd(cycle.step, cycle.slots) != 1) ++cycle.step;
  return cycle;
}

/// What the slot at `index` points to; 0 between slots and after the last.
std::uint64_t next_in_cycle(const Cycle& cycle, std::uint64_t index) {
  const std::uint64_t slot = index / cycle.stride;
  if (index % cycle.stride != 0 || slot >= cycle.slots) return 0;
  return cycle.base + cycle.scale * cycle.stride * ((slot + cycle.step) % cycle.slots);
}

/// Values of a buffer's elements by index.
struct Elements {
  explicit Elements(const ExecutionBuffer& buffer)
      : type(buffer.content.kind == BufferContent::Kind::pointers
                 ? ElementType{8, 'u'}
                 : element_type_of(buffer.content.type)),
        content(buffer.content),
        cycle(cycle_of(buffer, type)) {}

  ElementType type;
  const BufferContent& content;
  Cycle cycle;
};

std::uint64_t element(const Elements& elements, std::uint64_t index) {
  const auto& [type, content, cycle] = elements;
  switch (content.kind) {
    case BufferContent::Kind::ones:
      return encoded(type, 1);
    case BufferContent::Kind::iota:
      return encoded(type, static_cast<double>(index));
    case BufferContent::Kind::random:
      return random_element(type, content, index);
    case BufferContent::Kind::fill:
      return encoded(type, content.value);
    case BufferContent::Kind::chain:
      return encoded(type, static_cast<double>(next_in_cycle(cycle, index)));
    case BufferContent::Kind::pointers:
      return next_in_cycle(cycle, index);
    default:
      return 0;
  }
}

/// Random numbers of one type: the most frequent content, so its loop does not test the type.
template <class Word, class Encode>
void put_random(const BufferContent& content, std::uint64_t first, std::span<std::uint8_t> out,
                Encode encode) {
  for (std::size_t i = 0; i < out.size() / sizeof(Word); ++i) {
    const auto value = static_cast<Word>(encode(random_real(content, first + i)));
    std::memcpy(out.data() + i * sizeof value, &value, sizeof value);
  }
}

/// Slots of a cycle and zeros between them.
template <class Word>
void put_cycle(const Elements& elements, std::uint64_t first, std::span<std::uint8_t> out) {
  const std::uint64_t stride = elements.cycle.stride, count = out.size() / sizeof(Word);
  std::fill(out.begin(), out.end(), std::uint8_t{0});
  for (std::uint64_t i = (stride - first % stride) % stride; i < count; i += stride) {
    const auto value = static_cast<Word>(element(elements, first + i));
    std::memcpy(out.data() + i * sizeof value, &value, sizeof value);
  }
}

/// Writes whole elements starting at index `first`.
template <class Word>
void put_elements(const Elements& elements, std::uint64_t first, std::span<std::uint8_t> out) {
  const std::size_t count = out.size() / sizeof(Word);
  const BufferContent::Kind kind = elements.content.kind;
  const char type = elements.type.kind;
  if (kind == BufferContent::Kind::random && type == 'f' && sizeof(Word) == 4) {
    return put_random<Word>(elements.content, first, out, [](double value) {
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    });
  }
  if (kind == BufferContent::Kind::random && type == 'f' && sizeof(Word) == 2)
    return put_random<Word>(elements.content, first, out, double_to_half);
  const bool cycle = kind == BufferContent::Kind::chain || kind == BufferContent::Kind::pointers;
  // Between slots an encoded zero is all zeros in every type.
  if (cycle) return put_cycle<Word>(elements, first, out);
  const bool varies = kind == BufferContent::Kind::iota || kind == BufferContent::Kind::random;
  auto value = static_cast<Word>(element(elements, first));
  for (std::size_t i = 0; i < count; ++i) {
    if (varies) value = static_cast<Word>(element(elements, first + i));
    std::memcpy(out.data() + i * sizeof value, &value, sizeof value);
  }
}

/// Writes any range of bytes, also parts of elements.
void put_bytes(const Elements& elements, std::uint64_t offset, std::span<std::uint8_t> out) {
  const std::uint32_t bytes = elements.type.bytes;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t at = offset + i;
    const std::uint64_t value = element(elements, at / bytes);
    out[i] = static_cast<std::uint8_t>(value >> (8 * (at % bytes)));
  }
}

/// Numbers from 0 to 1 for one page of one type.
OrdinaryPage made_ordinary(ElementType type) {
  OrdinaryPage page{};
  for (std::size_t i = 0; i < page.size() / type.bytes; ++i) {
    const std::uint64_t value = encoded(type, drawn(0, i));
    std::memcpy(page.data() + i * type.bytes, &value, type.bytes);
  }
  return page;
}

}  // namespace

bool holds_floats(const BufferContent& content) {
  if (content.type.empty()) return false;
  const char kind = element_type_of(content.type).kind;
  return kind == 'f' || kind == 'b';
}

const OrdinaryPage& ordinary_page(const BufferContent& content) {
  static const OrdinaryPage brain = made_ordinary({2, 'b'}), half = made_ordinary({2, 'f'}),
                            single = made_ordinary({4, 'f'}), wide = made_ordinary({8, 'f'});
  const ElementType type = element_type_of(content.type);
  if (type.kind == 'b') return brain;
  return type.bytes == 2 ? half : type.bytes == 8 ? wide : single;
}

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
  const Elements elements(buffer);
  const ElementType type = elements.type;
  const std::size_t head =
      std::min<std::size_t>(out.size(), (type.bytes - offset % type.bytes) % type.bytes);
  const std::size_t whole = (out.size() - head) / type.bytes * type.bytes;
  put_bytes(elements, offset, out.first(head));
  const auto middle = out.subspan(head, whole);
  const std::uint64_t first = (offset + head) / type.bytes;
  switch (type.bytes) {
    case 1:
      put_elements<std::uint8_t>(elements, first, middle);
      break;
    case 2:
      put_elements<std::uint16_t>(elements, first, middle);
      break;
    case 8:
      put_elements<std::uint64_t>(elements, first, middle);
      break;
    default:
      put_elements<std::uint32_t>(elements, first, middle);
      break;
  }
  put_bytes(elements, offset + head + whole, out.subspan(head + whole));
}

}  // namespace forewarp::execution
