// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/tensor_text.h"

#include <gtest/gtest.h>

#include "request/argument_text.h"

namespace forewarp::tests {
namespace {

TEST(TensorText, ReadsAMap) {
  const auto read = parse_tensor("f16:4096x1024:box=64x128:swizzle=128B:A", "--arg");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->buffer, "A");
  EXPECT_EQ(read->map.rank, 2U);
  EXPECT_EQ(read->map.element_bytes, 2U);
  EXPECT_EQ(read->map.stride[1], 8192U);
  EXPECT_EQ(read->map.box_bytes(), 64U * 128 * 2);
  EXPECT_EQ(read->map.reach(), 4096U * 1024 * 2);
  EXPECT_EQ(read->map.swizzle, 128U);
  EXPECT_FALSE(read->map.fill_nan);
}

TEST(TensorText, StridesBoxesAndFillings) {
  const auto read = parse_tensor("f32:64x8x4:box=32x8x1:stride=512x4096:fill=nan", "--arg");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->map.stride[2], 4096U);
  EXPECT_EQ(read->map.reach(), 4U + 63 * 4 + 7 * 512 + 3 * 4096);
  EXPECT_TRUE(read->map.fill_nan);
  EXPECT_TRUE(read->buffer.empty());
}

TEST(TensorText, ColumnsOfPixels) {
  const auto read = parse_tensor(
      "f16:64x28x28x8:pixels=128:box=64:lower=-1x-2:upper=1x2:step=2x3:swizzle=128B:A", "--arg");
  ASSERT_TRUE(read);
  const TensorMap& map = read->map;
  EXPECT_EQ(map.pixels, 128U);
  EXPECT_EQ(map.box_bytes(), 128U * 64 * 2);
  EXPECT_EQ(map.lower, (decltype(map.lower){0, -1, -2}));
  EXPECT_EQ(map.upper, (decltype(map.upper){0, 1, 2}));
  EXPECT_EQ(map.step, (decltype(map.step){1, 2, 3, 1, 1}));
}

TEST(TensorText, ReadsBackWhatItWrites) {
  const auto argument = parse_argument_value("tensor:bf16:64x64:box=64x64:B", "--arg");
  ASSERT_TRUE(argument);
  EXPECT_TRUE(is_tensor(*argument));
  EXPECT_EQ(argument->bytes.size(), 128U);
  EXPECT_EQ(text_of(*argument), "tensor:bf16:64x64:box=64x64:B");
}

TEST(TensorText, SaysWhatFollowsInItsStructure) {
  const auto argument = parse_tensor_argument("f16:64x64:then=0a00ff:A", "--arg");
  ASSERT_TRUE(argument);
  ASSERT_EQ(argument->bytes.size(), TensorMap::bytes + 3U);
  EXPECT_EQ(argument->bytes[TensorMap::bytes], 10);
  EXPECT_EQ(argument->bytes.back(), 255);
}

struct Refused {
  const char* text;
  const char* part;
};

TEST(TensorText, RefusesWhatTheDriverRefuses) {
  const Refused all[] = {
      {"half:64x64", "element type"},
      {"f16:", "sizes"},
      {"f16:2x2x2x2x2x2", "sizes"},
      {"f16:64x64:box=64", "box"},
      {"f16:64x64:pixels=16", "2 dimensions"},
      {"f16:64x64x2:pixels=1025", "number of pixels"},
      {"f16:64x64x2:lower=-1", "without pixels"},
      {"f16:64x8x8x2:pixels=16:lower=-1", "no such lower"},
      {"f16:64x8x8x2:pixels=16:lower=-129x0", "no such lower"},
      {"f16:64x8x8x2:pixels=16:upper=128x0", "no such upper"},
      {"f16:64x8x8x2:pixels=16:lower=-99999999999x0", "no such lower"},
      {"f16:64x8x8x2:pixels=16:box=64x16x1x1", "no box"},
      {"f16:64x8x8x2:pixels=16:step=0x1", "no such step"},
      {"f16:64x8x8x2:pixels=16:step=1x9", "no such step"},
      {"f16:64x8x8x2:pixels=16:step=1x", "no such step"},
      {"f16:1024x64:box=512x8", "more than 256"},
      {"f16:64x64:box=4x8", "rows of 8 bytes"},
      {"f16:256x64:box=128x8:swizzle=128B", "rows of 256 bytes"},
      {"f16:64x64:box=64x8:swizzle=256B", "swizzle"},
      {"f16:60x64:box=8x8", "stride of 120 bytes"},
      {"f16:64x64:wide=2:A", "not known"},
      {"f16:64x64:then=012:A", "no bytes"},
  };
  for (const Refused& refused : all) {
    const auto read = parse_tensor(refused.text, "--arg");
    ASSERT_FALSE(read) << refused.text;
    EXPECT_NE(read.error().found.find(refused.part), std::string::npos)
        << refused.text << ": " << read.error().found;
  }
}

}  // namespace
}  // namespace forewarp::tests
