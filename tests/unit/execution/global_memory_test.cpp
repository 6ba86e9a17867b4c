// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/storage/global_memory.h"

#include <cstdint>
#include <cstring>
#include <set>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using execution::GlobalMemory;
namespace buffer_use = execution::buffer_use;

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

// Of pages of pointers only those are kept that are read again, or written.
TEST(GlobalMemory, KeepsNoPageOfPointersThatIsReadOnce) {
  constexpr std::uint64_t first = 16 * MemoryPage::bytes, pages = 1000;
  ExecutionBuffer buffer;
  buffer.address = first;
  buffer.bytes = pages * MemoryPage::bytes;
  buffer.content.kind = BufferContent::Kind::pointers;
  const auto word = [](const MemoryPage& page) {
    std::uint64_t value = 0;
    std::memcpy(&value, page.data.data(), sizeof value);
    return value;
  };
  GlobalMemory memory(std::span(&buffer, 1), 2 * pages * sizeof(MemoryPage));
  std::set<const MemoryPage*> places;
  std::vector<std::uint64_t> words;
  for (std::uint64_t number = 0; number < pages; ++number) {
    const MemoryPage* page = memory.page(first + number * MemoryPage::bytes, buffer_use::read);
    places.insert(page);
    words.push_back(word(*page));
    EXPECT_GE(words.back(), first);
  }
  EXPECT_LE(places.size(), 64U);
  EXPECT_EQ(std::set(words.begin(), words.end()).size(), pages);

  const MemoryPage* again = memory.page(first, buffer_use::read);
  EXPECT_EQ(word(*again), words[0]);
  EXPECT_EQ(memory.page(first, buffer_use::read), again);
  MemoryPage* written = memory.page(first + MemoryPage::bytes);
  EXPECT_EQ(word(*written), words[1]);
  written->data[0] = static_cast<std::uint8_t>(~words[1]);
  EXPECT_EQ(memory.page(first + MemoryPage::bytes, buffer_use::read), written);
}

// A page that was read once counts towards the limit, and is there when it is read again.
TEST(GlobalMemory, CountsPagesThatAreReadOnce) {
  constexpr std::uint64_t first = 16 * MemoryPage::bytes;
  ExecutionBuffer buffer;
  buffer.address = first;
  buffer.bytes = 4 * MemoryPage::bytes;
  buffer.content.kind = BufferContent::Kind::pointers;
  GlobalMemory memory(std::span(&buffer, 1), 2 * sizeof(MemoryPage));
  for (const std::uint64_t number : {0U, 1U, 0U, 1U})
    EXPECT_FALSE(memory.page(first + number * MemoryPage::bytes, buffer_use::read)->any_unknown);
  EXPECT_FALSE(memory.forgets());
  EXPECT_TRUE(memory.page(first + 2 * MemoryPage::bytes, buffer_use::read)->any_unknown);
  EXPECT_TRUE(memory.forgets());
}

// Three whole pages of zeros, then half a page of another buffer.
class SharedPages : public testing::Test {
 protected:
  static constexpr std::uint64_t first = 16 * MemoryPage::bytes;
  SharedPages() : buffers_(2) {
    buffers_[0].address = first;
    buffers_[0].bytes = 3 * MemoryPage::bytes;
    buffers_[0].content.kind = BufferContent::Kind::zeros;
    buffers_[1].address = first + 3 * MemoryPage::bytes;
    buffers_[1].bytes = MemoryPage::bytes / 2;
  }
  static constexpr std::uint64_t page(std::uint64_t number) {
    return first + number * MemoryPage::bytes;
  }
  std::vector<ExecutionBuffer> buffers_;
};

TEST_F(SharedPages, OneStandsForThoseThatNobodyWrote) {
  GlobalMemory memory(buffers_, 16 * sizeof(MemoryPage));
  const MemoryPage* seen = memory.page(page(0), buffer_use::read);
  EXPECT_EQ(seen, memory.page(page(1), buffer_use::read));
  EXPECT_EQ(seen->data[8], 0);
  EXPECT_NE(seen, memory.page(page(3), buffer_use::read));  // only in part of a buffer
  MemoryPage* own = memory.page(page(1));
  EXPECT_NE(seen, own);
  own->data[8] = 7;
  own->set_written(8, 1);
  EXPECT_EQ(memory.page(page(1), buffer_use::read)->data[8], 7);
  EXPECT_EQ(memory.page(page(2), buffer_use::read)->data[8], 0);
}

// One page may be kept: what was stored to the second is forgotten, and not read as zero.
TEST_F(SharedPages, NoneStandsForWhatMayHaveBeenWrittenAndForgotten) {
  GlobalMemory memory(buffers_, sizeof(MemoryPage));
  EXPECT_FALSE(memory.page(page(1), buffer_use::read)->any_unknown);
  (void)memory.page(page(0));
  EXPECT_FALSE(memory.page(page(1), buffer_use::read)->any_unknown);
  (void)memory.page(page(1), buffer_use::written);
  EXPECT_TRUE(memory.page(page(1), buffer_use::read)->is_unknown(8, 4));
}

// Reading beyond the limit forgets nothing, nor does a store to another buffer.
TEST_F(SharedPages, OneStandsForABufferOfWhichNothingWasForgotten) {
  GlobalMemory memory(buffers_, sizeof(MemoryPage));
  (void)memory.page(page(0));
  EXPECT_TRUE(memory.page(page(3), buffer_use::read)->is_unknown(8, 4));
  EXPECT_FALSE(memory.page(page(1), buffer_use::read)->any_unknown);
  (void)memory.page(page(3), buffer_use::written);
  EXPECT_FALSE(memory.page(page(2), buffer_use::read)->any_unknown);
}

TEST_F(SharedPages, UnknownBytesThatNobodyWroteAreTold) {
  buffers_[0].content.kind = BufferContent::Kind::unknown;
  GlobalMemory memory(buffers_, 16 * sizeof(MemoryPage));
  EXPECT_TRUE(memory.is_unwritten_unknown(page(0) + 8));
  memory.page(page(0))->mark_unknown(8, 4, false);
  EXPECT_FALSE(memory.is_unwritten_unknown(page(0) + 8));
  EXPECT_TRUE(memory.is_unwritten_unknown(page(1) + 8));
  EXPECT_FALSE(memory.is_unwritten_unknown(page(3) + 8));
  buffers_[0].content.kind = BufferContent::Kind::zeros;
  EXPECT_FALSE(GlobalMemory(buffers_, 16 * sizeof(MemoryPage)).is_unwritten_unknown(page(0)));
}

}  // namespace
}  // namespace forewarp::tests
