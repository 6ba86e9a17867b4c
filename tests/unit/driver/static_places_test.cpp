// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "saxpy2_case.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

Result answer(const Case& request, const PredictOptions& options) {
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  Result result = predictor.predict_all(request, options, {}).front();
  EXPECT_FALSE(result.error) << result.error->line();
  return result;
}

// Where data say which element of x a lane takes, an analysis alone takes neighbouring words: a
// word alone in its sector moves eight times as much.
TEST(StaticPlaces, ThoseThatFollowDataWidenTheAnswer) {
  Case request;
  request.input = FOREWARP_FIXTURES "/listings/sparse_rows.sm_70.sass";
  request.gpu = "v100-sxm2-32";
  request.launch.grid = {640, 1, 1};
  request.launch.block = {256, 1, 1};
  PredictOptions options;
  options.execute = false;
  options.trips = {{0x270, 2}, {0x470, 2}};
  const Result wide = answer(request, options);
  ASSERT_EQ(wide.findings.size(), 1U);
  EXPECT_EQ(wide.findings[0].kind, "assumed-stride");
  EXPECT_GT(wide.interval_ms[1], 16 * wide.time_ms);
  EXPECT_NE(wide.interval_meaning.find("taken as neighbours"), std::string::npos);
}

TEST(StaticPlaces, KnownOnesAreNoFinding) {
  PredictOptions options;
  options.execute = false;
  const Result plain = answer(saxpy2_case(3), options);
  EXPECT_TRUE(plain.findings.empty());
  EXPECT_LT(plain.interval_ms[1], 16 * plain.time_ms);
}

}  // namespace
}  // namespace forewarp::tests
