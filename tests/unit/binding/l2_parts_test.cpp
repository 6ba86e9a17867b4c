// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/l2_parts.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

Gpu divided() {
  Gpu gpu;
  gpu.l2.bytes = 40e6;
  gpu.l2.far_from = 0.4;
  gpu.l2.far_to = 0.6;
  return gpu;
}

// Copies lie in both parts up to 16 MB, in their own part alone from 24 MB on.
TEST(FarShare, GrowsOnceTheDataExceedOnePart) {
  EXPECT_EQ(far_share(16e6, divided()), 0);
  EXPECT_NEAR(far_share(18e6, divided()), 0.25, 1e-12);  // (18 / 40 - 0.4) / 0.2
  EXPECT_NEAR(far_share(24e6, divided()), 1, 1e-12);
  EXPECT_EQ(far_share(80e6, divided()), 1);
}

TEST(FarShare, IsNoneWhereL2IsWhole) {
  Gpu gpu = divided();
  gpu.l2.far_to = gpu.l2.far_from;
  EXPECT_EQ(far_share(80e6, gpu), 0);
}

}  // namespace
}  // namespace forewarp::tests
