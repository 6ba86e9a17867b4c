// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "driver/predictor.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

Result listed(const std::string& name, const std::string& gpu) {
  Predictor predictor{HardwareDatabase{FOREWARP_DATA_DIR}};
  Case request;
  request.input = std::string(FOREWARP_FIXTURES) + "/listings/" + name;
  request.launch.grid = request.launch.block = {64, 1, 1};
  ResultDetail detail;
  detail.listing = true;
  auto result = predictor.predict(request, gpu, {}, detail);
  EXPECT_TRUE(result) << (result ? "" : result.error().line());
  return result ? *std::move(result) : Result{};
}

// 0x0020 S2R has 0x000e280000002500, 0x0040 IMAD 0x001fca00078e0203 in its upper word. From bit 41
// on: stall (4 bits), not yield, barriers set (3 + 3), barriers waited for (6), operands kept (4).
TEST(ControlWords, AreToldInWords) {
  const Result result = listed("saxpy.sm_70.sass", "v100-pcie-16");
  ASSERT_GT(result.listing.size(), 4U);
  EXPECT_EQ(result.listing[2].control, "stall 4, sets 0 when written");
  EXPECT_EQ(result.listing[4].control, "stall 5, yields, waits for 0");
}

// The listing of a book, without encodings.
TEST(ControlWords, AreEmptyWhereTheListingHasNone) {
  const Result result = listed("volkov2016-vadd-sm30.sass", "gtx680");
  ASSERT_FALSE(result.listing.empty());
  EXPECT_EQ(result.listing.front().control, "");
}

}  // namespace
}  // namespace forewarp::tests
