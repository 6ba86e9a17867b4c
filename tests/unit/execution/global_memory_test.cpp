// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/storage/global_memory.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using execution::GlobalMemory;

// Two pages are kept; further ones are unknown, whatever was stored there before.
TEST(GlobalMemory, ForgetsWhatLiesBeyondItsLimit) {
  constexpr std::uint64_t first = 16 * MemoryPage::bytes;
  ExecutionBuffer buffer;
  buffer.address = first;
  buffer.bytes = 4 * MemoryPage::bytes;
  buffer.content.kind = BufferContent::Kind::zeros;
  GlobalMemory memory(std::span(&buffer, 1), 2 * sizeof(MemoryPage));
  for (const std::uint64_t number : {0U, 1U}) {
    MemoryPage& page = *memory.page(first + number * MemoryPage::bytes);
    EXPECT_FALSE(page.is_unknown(8, 4));
    page.data[8] = static_cast<std::uint8_t>(7 + number);
    page.set_written(8, 4);
  }
  EXPECT_FALSE(memory.forgets());
  for (const std::uint64_t number : {2U, 3U, 2U}) {
    MemoryPage& page = *memory.page(first + number * MemoryPage::bytes);
    EXPECT_TRUE(page.is_unknown(8, 4)) << number;
    page.data[8] = 9;
    page.mark_unknown(8, 4, false);
    page.set_written(8, 4);
  }
  EXPECT_TRUE(memory.forgets());
  std::uint8_t byte = 0;
  EXPECT_TRUE(memory.read(first + MemoryPage::bytes + 8, std::span(&byte, 1)));
  EXPECT_EQ(byte, 8);
  EXPECT_FALSE(memory.read(first + 2 * MemoryPage::bytes + 8, std::span(&byte, 1)));
}

}  // namespace
}  // namespace forewarp::tests
