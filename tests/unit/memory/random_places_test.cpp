// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Places that a hash of the index decides, and others that only seem irregular.
#include "memory/random_places.h"

#include <functional>

#include <gtest/gtest.h>

#include "base/mixed.h"
#include "stream_builder.h"

namespace forewarp::tests {
namespace {

constexpr std::uint64_t buffer = 0x7f0000000000;

/// Blocks that access one place of their own each, and `streamed` of theirs in order.
bool random(const std::function<std::uint64_t(std::uint64_t)>& place, std::uint32_t blocks = 40,
            std::uint64_t streamed = 1, MemorySpace space = MemorySpace::global) {
  StreamBuilder built(blocks);
  for (std::uint64_t block = 0; block < blocks; ++block) {
    std::vector<PlainAccess> accesses{{buffer + place(block), AccessKind::load, 4, 4, 0, space}};
    for (std::uint64_t k = 0; k < streamed; ++k)
      accesses.push_back({2 * buffer + (block * streamed + k) * 128, AccessKind::store, 4, 4, 1});
    built.block(accesses);
  }
  return memory::places_look_random(built.streams());
}

std::uint64_t reversed(std::uint64_t block, unsigned bits) {
  std::uint64_t out = 0;
  for (unsigned bit = 0; bit < bits; ++bit) out |= (block >> bit & 1U) << (bits - 1 - bit);
  return out;
}

TEST(RandomPlaces, AHashOfTheIndexIs) {
  EXPECT_TRUE(random([](std::uint64_t block) { return mixed(block) % 65'536 * 128; }));
  EXPECT_TRUE(random([](std::uint64_t block) {  // xorshift of Knuth's product
    auto h = static_cast<std::uint32_t>(block * 256 * 2654435761U + 12345);
    h ^= h << 13U;
    h ^= h >> 17U;
    h ^= h << 5U;
    return std::uint64_t{h} % (1U << 23U) * 4;
  }));
}

TEST(RandomPlaces, AnOrderOfItsOwnIsNot) {
  constexpr std::uint64_t words = 4'000'003;
  EXPECT_FALSE(random([](std::uint64_t block) { return block * 4096; }));
  EXPECT_FALSE(random([](std::uint64_t block) { return block * 777'777 % words * 4; }));
  EXPECT_FALSE(random([](std::uint64_t block) { return reversed(block, 16) * 1024; }));
  EXPECT_FALSE(random([](std::uint64_t block) { return block * 37 % 64 * 4096; }));
  EXPECT_FALSE(random([](std::uint64_t block) { return block % 7 * (block / 7) * 65'536; }));
  EXPECT_FALSE(random([](std::uint64_t) { return 0; }));
  // An irregular place near that of the block before, as in a grid of points that have moved.
  EXPECT_FALSE(random([](std::uint64_t block) { return block * 4096 + mixed(block) % 4096; }));
}

// Sixteen neighbours must say so, a tenth of the accesses, and in global memory.
TEST(RandomPlaces, OfEnoughThatLieInGlobalMemory) {
  const auto hash = [](std::uint64_t block) { return mixed(block) % 65'536 * 128; };
  EXPECT_FALSE(random(hash, 16));
  EXPECT_TRUE(random(hash, 17));
  EXPECT_TRUE(random(hash, 40, 8));
  EXPECT_FALSE(random(hash, 40, 9));
  EXPECT_FALSE(random(hash, 40, 0, MemorySpace::local));
}

}  // namespace
}  // namespace forewarp::tests
