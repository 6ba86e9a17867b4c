// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Contents whose elements name each other.
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "execution/storage/buffer_content.h"

namespace forewarp::tests {
namespace {

ExecutionBuffer buffer(BufferContent::Kind kind, std::uint64_t bytes, std::uint64_t stride) {
  ExecutionBuffer made;
  made.address = 0x1000;
  made.bytes = bytes;
  made.content.kind = kind;
  made.content.stride = stride;
  made.content.type = "i32";
  return made;
}

template <class T>
std::vector<T> content(const ExecutionBuffer& from) {
  std::vector<T> values(from.bytes / sizeof(T));
  buffer_content(from, 0, {reinterpret_cast<std::uint8_t*>(values.data()), from.bytes});
  return values;
}

TEST(ChainContent, IsOneCycleThroughEverySlot) {
  for (const std::uint64_t slots : {1U, 2U, 7U, 16U, 1000U}) {
    const auto values = content<std::int32_t>(buffer(BufferContent::Kind::chain, slots * 12, 3));
    std::size_t at = 0, passed = 0;
    do {
      at = static_cast<std::size_t>(values[at]);
      ASSERT_EQ(at % 3, 0U);
      ++passed;
    } while (at != 0 && passed <= slots);
    EXPECT_EQ(passed, slots);
    EXPECT_EQ(values[1], 0);  // between slots
  }
}

TEST(ChainContent, NextLiesAGoldenSectionFurther) {
  // 10 slots: floor(10 * 0.618) = 6 divides with 10, 7 does not
  const auto values = content<std::int32_t>(buffer(BufferContent::Kind::chain, 40, 1));
  EXPECT_EQ(values, (std::vector<std::int32_t>{7, 8, 9, 0, 1, 2, 3, 4, 5, 6}));
}

TEST(ChainContent, PointersAreAddressesOfEightBytes) {
  // 5 slots of 16 bytes: floor(5 * 0.618) = 3
  const auto values = content<std::uint64_t>(buffer(BufferContent::Kind::pointers, 80, 2));
  EXPECT_EQ(values[0], 0x1000U + 16 * 3);
  EXPECT_EQ(values[2], 0x1000U + 16 * 4);
  EXPECT_EQ(values[4], 0x1000U);
}

TEST(ChainContent, PartsAreThoseOfTheWhole) {
  const ExecutionBuffer whole = buffer(BufferContent::Kind::pointers, 800, 1);
  const auto values = content<std::uint64_t>(whole);
  std::vector<std::uint8_t> part(41);
  buffer_content(whole, 13, part);
  EXPECT_EQ(std::memcmp(part.data(), reinterpret_cast<const std::uint8_t*>(values.data()) + 13, 41),
            0);
}

}  // namespace
}  // namespace forewarp::tests
