// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/order/shared_words.h"

#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using execution::GlobalMemory;
using execution::SharedWords;

constexpr std::uint64_t first = 16 * MemoryPage::bytes;

/// A buffer of zeros at `first`.
class Words : public ::testing::Test {
 protected:
  Words() {
    buffer_.address = first;
    buffer_.bytes = 64;
    buffer_.content.kind = BufferContent::Kind::zeros;
  }
  /// What lanes 0, 1, .. access.
  static MemoryAccess access(const std::vector<std::uint64_t>& addresses, std::uint8_t bytes = 4) {
    MemoryAccess made;
    made.bytes = bytes;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      made.address[i] = addresses[i];
      made.lanes |= LaneMask{1} << i;
    }
    return made;
  }
  ExecutionBuffer buffer_;
  GlobalMemory memory_{std::span(&buffer_, 1), 4 * sizeof(MemoryPage)};
  SharedWords words_{memory_};
};

TEST_F(Words, HoldWhatMemoryHolds) {
  memory_.page(first)->data[8] = 7;
  EXPECT_EQ(words_.value_at(first + 8), 7U);
  EXPECT_EQ(words_.value_at(first + 64), 0U);  // outside of the buffer
}

// Each atomic occupies its word for 3: at 10 the second begins at 13 and has waited 3, the third 6.
TEST_F(Words, AreOccupiedByOneAtomicAfterTheOther) {
  EXPECT_EQ(words_.queue_up(access({first}), 10, 3), 0);
  EXPECT_EQ(words_.queue_up(access({first}), 10, 3), 3);
  EXPECT_EQ(words_.queue_up(access({first}), 10, 3), 6);
  EXPECT_EQ(words_.queue_up(access({first + 4}), 10, 3), 0);  // another word
  EXPECT_EQ(words_.queue_up(access({first}), 18, 3), 1);      // free at 19
  EXPECT_EQ(words_.queue_up(access({first}), 22, 3), 0);      // free at 22, not a cycle later
  // Of two words the later one counts; neighbouring lanes of one word take one turn.
  EXPECT_EQ(words_.queue_up(access({first + 4, first + 4, first}), 12, 3), 13);
  EXPECT_EQ(words_.queue_up(access({first + 4}), 13, 3), 3);  // 13 to 16, not to 19
}

TEST_F(Words, RememberWhoWroteThemLast) {
  EXPECT_EQ(words_.writer_of(first), nullptr);
  words_.wrote(access({first, first + 16}, 8), {.at = 5, .block = 3, .chain = {}});
  for (const std::uint64_t word : {first, first + 4, first + 16, first + 20}) {
    ASSERT_NE(words_.writer_of(word), nullptr) << word;
    EXPECT_EQ(words_.writer_of(word)->block, 3U);
  }
  EXPECT_EQ(words_.writer_of(first + 8), nullptr);
  words_.wrote(access({first + 6}, 1),
               {.at = 6, .block = 4, .chain = {}});  // a byte is of its word
  EXPECT_EQ(words_.writer_of(first + 4)->block, 4U);
  EXPECT_EQ(words_.writer_of(first)->block, 3U);
}

}  // namespace
}  // namespace forewarp::tests
