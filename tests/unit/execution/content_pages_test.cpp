// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Random contents: made at once or byte by byte, kept or not, they are the same.
#include "execution/storage/content_pages.h"

#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "execution/storage/buffer_content.h"
#include "execution/storage/global_memory.h"

namespace forewarp::tests {
namespace {

ExecutionBuffer random_buffer(const std::string& type, std::uint64_t seed, double high) {
  ExecutionBuffer made;
  made.address = 0x1000;
  made.bytes = 4096;
  made.content.kind = BufferContent::Kind::random;
  made.content.type = type;
  made.content.seed = seed;
  made.content.low = -4;
  made.content.high = high;
  return made;
}

std::vector<std::uint8_t> made(const ExecutionBuffer& from, std::uint64_t offset,
                               std::size_t bytes) {
  std::vector<std::uint8_t> out(bytes);
  buffer_content(from, offset, out);
  return out;
}

TEST(ContentPages, ManyElementsAtOnceAreThoseOfOneByOne) {
  for (const char* type : {"f32", "f16", "bf16", "f64", "i32", "u8"}) {
    const ExecutionBuffer buffer = random_buffer(type, 3, 4);
    const std::vector<std::uint8_t> whole = made(buffer, 0, 512);
    for (std::uint64_t at = 0; at < whole.size(); ++at)
      ASSERT_EQ(made(buffer, at, 1).front(), whole[at]) << type << " at " << at;
  }
}

// Integers between -4 and 3.9 are -4 .. 3, each drawn; of a real range both ends are cut inwards.
TEST(ContentPages, RandomIntegersKeepWithinARealRange) {
  const ExecutionBuffer buffer = random_buffer("i32", 5, 3.9);
  const std::vector<std::uint8_t> bytes = made(buffer, 0, 4096);
  std::set<std::int32_t> seen;
  for (std::size_t at = 0; at < bytes.size(); at += 4) {
    std::int32_t value = 0;
    std::memcpy(&value, bytes.data() + at, 4);
    seen.insert(value);
  }
  EXPECT_EQ(*seen.begin(), -4);
  EXPECT_EQ(*seen.rbegin(), 3);
  EXPECT_EQ(seen.size(), 8U);
}

TEST(ContentPages, KeepsWhatBelongsTogether) {
  ContentPages pages;
  const std::vector<ExecutionBuffer> buffers = {
      random_buffer("f32", 1, 4), random_buffer("f32", 2, 4), random_buffer("f32", 1, 5),
      random_buffer("i32", 1, 4)};
  for (int again = 0; again < 2; ++again) {
    for (const ExecutionBuffer& buffer : buffers) {
      for (const std::uint64_t offset : {0U, 1024U}) {
        for (const std::size_t bytes : {512U, 1024U}) {
          std::vector<std::uint8_t> out(bytes);
          pages.fill(buffer, offset, out);
          EXPECT_EQ(out, made(buffer, offset, bytes));
        }
      }
    }
  }
}

}  // namespace
}  // namespace forewarp::tests
