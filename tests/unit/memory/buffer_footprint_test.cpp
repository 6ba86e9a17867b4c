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
  const UniqueBytes grown = grown_in_buffers(buffers, touched, 10, lines_of_128());
  EXPECT_DOUBLE_EQ(grown.read, 224 + 640 + 320);  // 200 bytes are seven sectors
  EXPECT_DOUBLE_EQ(grown.written, 0 + 320 + 320);
  EXPECT_DOUBLE_EQ(grown.any, 224 + 960 + 320);
}

}  // namespace
}  // namespace forewarp::tests
