// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "result/labels.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

Result with_bounds() {
  Result result;
  result.bounds = {{"dram", "device memory", 1, 1, 0.5, ""}, {"issue", "", 1, 1, 0.5, ""}};
  return result;
}

TEST(Labels, AreThoseOfTheBoundElseTheResourcesName) {
  const Result result = with_bounds();
  EXPECT_EQ(resource_label(result, "dram"), "device memory");
  EXPECT_EQ(resource_label(result, "issue"), "issue");
  EXPECT_EQ(resource_label(result, "latency"), "latency");
  ASSERT_NE(bound_of(result, "issue"), nullptr);
  EXPECT_EQ(bound_of(result, "latency"), nullptr);
}

TEST(Labels, OfStallsNameTheBoundThatIsWaitedFor) {
  const Result result = with_bounds();
  EXPECT_EQ(stall_label(result, "bandwidth_dram"), "waiting for device memory");
  EXPECT_EQ(stall_label(result, "bandwidth_issue"), "waiting for issue");
  EXPECT_EQ(stall_label(result, "bandwidth_fma"), "waiting for fma units");
  EXPECT_EQ(stall_label(result, "memory_l2"), "latency of L2");
  EXPECT_EQ(stall_label(result, "new_cause"), "new_cause");
}

}  // namespace
}  // namespace forewarp::tests
