// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/rates/rate_conversion.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

/// Volkov 2016, 1.3: Kepler's vector add, 8 SMs at 1.124 GHz, 128 bytes an instruction.
const RateBasis kepler{8, 1124, 4, 32, 128, 3};

double in(RateUnit unit, double value, RateUnit from, const RateBasis& basis = kepler) {
  const auto rates = convert_rate(value, from, basis);
  return rates ? (*rates)[static_cast<std::size_t>(unit)].value : -1;
}

TEST(RateConversion, KeplersVectorAdd) {
  // 154 / (8 x 1.124) = 17.126 B/cycle/SM; / 128 = 0.13380 IPC/SM; x 32 / 4 = 1.0704; / 3 = 0.04460
  EXPECT_NEAR(in(RateUnit::bytes, 154, RateUnit::gigabytes), 17.1263, 1e-4);
  EXPECT_NEAR(in(RateUnit::instructions, 154, RateUnit::gigabytes), 0.133799, 1e-6);
  EXPECT_NEAR(in(RateUnit::operations, 154, RateUnit::gigabytes), 1.07039, 1e-5);
  EXPECT_NEAR(in(RateUnit::warps, 154, RateUnit::gigabytes), 0.0445998, 1e-7);
}

TEST(RateConversion, EveryUnitLeadsBackFromEveryOther) {
  for (std::size_t from = 0; from < rate_units; ++from) {
    for (std::size_t to = 0; to < rate_units; ++to) {
      const auto a = static_cast<RateUnit>(from), b = static_cast<RateUnit>(to);
      EXPECT_NEAR(in(a, in(b, 7.25, a), b), 7.25, 1e-12) << from << ' ' << to;
    }
  }
}

TEST(RateConversion, NamesAndFormulas) {
  EXPECT_EQ(rate_unit_named("ipc/sm"), RateUnit::instructions);
  EXPECT_FALSE(rate_unit_named("GB"));
  const auto rates = convert_rate(1, RateUnit::instructions, kepler);
  ASSERT_TRUE(rates);
  EXPECT_EQ((*rates)[0].formula, "IPC/SM x 128 bytes an instruction x 8 SMs x 1.124 GHz");
  EXPECT_EQ((*rates)[3].formula, "IPC/SM x 32 lanes / 4 schedulers");
}

TEST(RateConversion, RefusesWhatIsNoRate) {
  EXPECT_FALSE(convert_rate(-1, RateUnit::bytes, kepler));
  RateBasis none = kepler;
  none.schedulers = 0;
  const auto refused = convert_rate(1, RateUnit::bytes, none);
  ASSERT_FALSE(refused);
  EXPECT_EQ(
      refused.error().line(),
      "convert: a basis of 0; expected SMs, clock, schedulers, bytes and instructions above zero");
}

}  // namespace
}  // namespace forewarp::tests
