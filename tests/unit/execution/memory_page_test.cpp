// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/storage/memory_page.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

TEST(MemoryPage, UnknownRangesBeginAndEndAtAnyByte) {
  constexpr std::uint32_t page = MemoryPage::bytes;
  const std::pair<std::uint32_t, std::uint32_t> ranges[] = {
      {0, page}, {5, 1}, {63, 2}, {64, 64}, {60, 136}, {page - 1, 1}, {7, 0}};
  for (const auto& [offset, count] : ranges) {
    MemoryPage filled;
    filled.fill_unknown(offset, count);
    for (std::uint32_t i = 0; i < page; ++i) {
      ASSERT_EQ(filled.is_unknown(i, 1), i >= offset && i < offset + count)
          << offset << " " << count << " at " << i;
    }
  }
}

}  // namespace
}  // namespace forewarp::tests
