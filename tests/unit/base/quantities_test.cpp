// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/quantities.h"

#include <type_traits>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

template <class A, class B>
concept Adds = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Multiplies = requires(A a, B b) {
  a* b;
};
template <class A, class B>
concept Divides = requires(A a, B b) {
  a / b;
};

TEST(Quantities, UnitsDoNotMix) {
  static_assert(Adds<Cycles, Cycles>);
  static_assert(!Adds<Cycles, Milliseconds> && !Adds<Cycles, double> && !Adds<double, Cycles>);
  static_assert(!Adds<Milliseconds, Microseconds> && !Adds<Bytes, BytesPerCycle>);
  static_assert(!Multiplies<Cycles, Cycles> && !Multiplies<Cycles, Megahertz>);
  static_assert(!Divides<double, Cycles> && !Divides<Cycles, Milliseconds>);
  static_assert(!std::is_convertible_v<double, Cycles> && !std::is_convertible_v<Cycles, double>);
  static_assert(!std::is_convertible_v<Cycles, Milliseconds>);
  static_assert(std::is_trivially_copyable_v<Cycles> && sizeof(Cycles) == sizeof(double));
}

TEST(Quantities, OneUnitAddsUpAndHasARatio) {
  constexpr Cycles sum = Cycles(3) + Cycles(4) - Cycles(2);
  EXPECT_EQ(sum.value(), 5);
  EXPECT_EQ((sum * 2).value(), 10);
  EXPECT_EQ((2 * sum).value(), 10);
  EXPECT_EQ((sum / 2).value(), 2.5);
  EXPECT_EQ(Cycles(6) / Cycles(4), 1.5);
  Cycles grown = sum;
  grown += Cycles(1);
  grown *= 0.5;
  EXPECT_EQ(grown, Cycles(3));
  EXPECT_LT(Cycles(2), Cycles(3));
  EXPECT_EQ(Cycles().value(), 0);
}

// A cycle at f MHz takes 1 / f us = 1 / (1000 f) ms.
TEST(Quantities, CyclesAndTimeMeetAtAClock) {
  EXPECT_DOUBLE_EQ(time_of(Cycles(3e6), Megahertz(1500)).value(), 2);
  EXPECT_DOUBLE_EQ(cycles_in(Milliseconds(2), Megahertz(1500)).value(), 3e6);
  EXPECT_DOUBLE_EQ(time_of(Cycles(3e6), 10 * Megahertz(1500)).value(), 0.2) << "10 SMs share them";
  EXPECT_DOUBLE_EQ(to_milliseconds(Microseconds(16.5)).value(), 0.0165);
}

// 300 GB/s = 300 000 bytes per us; at 1500 MHz a us has 1500 cycles.
TEST(Quantities, BytesAndBandwidth) {
  const BytesPerCycle rate = per_cycle(GigabytesPerSecond(300), Megahertz(1500));
  EXPECT_DOUBLE_EQ(rate.value(), 200);
  EXPECT_DOUBLE_EQ(per_second(rate, Megahertz(1500)).value(), 300);
  EXPECT_DOUBLE_EQ((Bytes(1000) / rate).value(), 5);
  EXPECT_DOUBLE_EQ((Bytes(1000) / Cycles(5)).value(), 200);
  EXPECT_DOUBLE_EQ((Bytes(3e6) / Milliseconds(0.01)).value(), 300);
  EXPECT_DOUBLE_EQ((GigabytesPerSecond(300) * Share(0.8)).value(), 240);
  EXPECT_DOUBLE_EQ(share_of(Milliseconds(1), Milliseconds(4)).value(), 0.25);
}

}  // namespace
}  // namespace forewarp::tests
