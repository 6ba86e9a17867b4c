// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/buffer_footprint.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

Gpu lines_of_128() {
  Gpu gpu;
  gpu.line_bytes = 128;
  gpu.sector_bytes = 32;
  return gpu;
}

TEST(BufferFootprint, ALineLiesInTheBufferThatReachesIntoIt) {
  const std::vector<BufferRange> buffers = {{1024, 200}, {2048, 64}};
  const Gpu gpu = lines_of_128();
  EXPECT_EQ(buffer_of(buffers, 7, gpu), 2U);   // 896 to 1023: before the first
  EXPECT_EQ(buffer_of(buffers, 8, gpu), 0U);   // begins with it
  EXPECT_EQ(buffer_of(buffers, 9, gpu), 0U);   // 1152 to 1279: it ends at 1224
  EXPECT_EQ(buffer_of(buffers, 10, gpu), 2U);  // behind its end
  EXPECT_EQ(buffer_of(buffers, 16, gpu), 1U);
}

TEST(BufferFootprint, GrowsToTheWholeSectorsOfEachBufferAndNoFurther) {
  const std::vector<BufferRange> buffers = {{1024, 200}, {2048, 4096}};
  const std::vector<UniqueBytes> touched = {{128, 0, 128, 0}, {64, 32, 96, 0}, {32, 32, 32, 0}};
  const Touched all = grown_in_buffers(buffers, touched, {10, 10, 5}, lines_of_128());
  const UniqueBytes& grown = all.unique;
  EXPECT_DOUBLE_EQ(grown.read, 224 + 640 + 160);  // 200 bytes are seven sectors
  EXPECT_DOUBLE_EQ(grown.written, 0 + 320 + 160);
  EXPECT_DOUBLE_EQ(grown.any, 224 + 960 + 160);
  ASSERT_EQ(all.by_buffer.size(), 3U);
  EXPECT_DOUBLE_EQ(all.by_buffer[1].written, 320);
}

TEST(BufferFootprint, PagesGrowToThoseOfTheBufferAndOneMore) {
  Gpu gpu = lines_of_128();
  gpu.page_bytes = 4096;
  const std::vector<BufferRange> buffers = {{1024, 3 * 4096}, {1 << 20, 1 << 20}};
  const std::vector<UniqueBytes> touched = {{32, 0, 32, 1}, {32, 0, 32, 2}, {}};
  EXPECT_DOUBLE_EQ(grown_in_buffers(buffers, touched, {9, 9, 9}, gpu).unique.pages, 4 + 18);
}

// Bytes grow with blocks^p, p = log(now / before) / log(blocks / blocks before).
TEST(BufferFootprint, GrowsOnAsItGrewInEachBuffer) {
  Touched some, all;
  some.by_buffer = {{0, 0, 100, 0}, {0, 0, 100, 0}, {0, 0, 100, 0}, {}};
  all.by_buffer = {{0, 0, 100, 0}, {0, 0, 300, 0}, {0, 0, 400, 0}, {0, 0, 50, 0}};
  const std::vector<double> growth = growth_of(some, 1.0 / 3, all, 16);
  ASSERT_EQ(growth.size(), 4U);
  EXPECT_DOUBLE_EQ(growth[0], 1);   // a table that the first blocks had read
  EXPECT_DOUBLE_EQ(growth[1], 16);  // in proportion
  EXPECT_DOUBLE_EQ(growth[2], 16);  // later blocks touched more: no faster than in proportion
  EXPECT_DOUBLE_EQ(growth[3], 16);  // not seen before
  some.by_buffer[1].any = 150;
  EXPECT_NEAR(growth_of(some, 0.25, all, 16)[1], 4, 1e-9);  // log 2 / log 4 = 1/2
  EXPECT_DOUBLE_EQ(growth_of(all, 1, all, 16)[0], 16);      // nothing is known of growth
}

}  // namespace
}  // namespace forewarp::tests
