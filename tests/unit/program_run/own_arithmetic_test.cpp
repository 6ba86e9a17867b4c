// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/own_arithmetic.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using program_run::OwnArithmetic;

// A trap would end the test's process.
TEST(OwnArithmetic, NeitherTrapsNorRoundsAsTheProgramDoes) {
  std::fenv_t kept;
  std::fegetenv(&kept);
  feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
  std::fesetround(FE_UPWARD);
  volatile double zero = 0, one = 1, three = 3;
  {
    const OwnArithmetic own;
    EXPECT_TRUE(std::isnan(zero / zero));
    EXPECT_TRUE(std::isinf(one / zero));
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    EXPECT_LT(one / three * three - one, std::numeric_limits<double>::epsilon());
  }
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  EXPECT_EQ(fegetexcept() & FE_DIVBYZERO, FE_DIVBYZERO);
  std::fesetenv(&kept);
}

}  // namespace
}  // namespace forewarp::tests
