// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program/scalar_type.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

Argument integer(std::int64_t value) {
  Argument argument;
  argument.integer = value;
  return argument;
}

Argument floating(double value) {
  Argument argument;
  argument.kind = Argument::Kind::floating;
  argument.floating = value;
  return argument;
}

std::optional<std::uint64_t> stored(const Argument& argument, const char* type) {
  return scalar_bits(argument, *scalar_type(type));
}

TEST(ScalarTypeNames, ReadsCAndShortNames) {
  EXPECT_EQ(scalar_type("int"), short_scalar_type("i32"));
  EXPECT_EQ(scalar_type("unsigned"), short_scalar_type("u32"));
  EXPECT_EQ(scalar_type("unsigned int"), short_scalar_type("u32"));
  EXPECT_EQ(scalar_type("const unsigned long long"), short_scalar_type("u64"));
  EXPECT_EQ(scalar_type("long unsigned int"), short_scalar_type("u64"));
  EXPECT_EQ(scalar_type("long long int"), short_scalar_type("i64"));
  EXPECT_EQ(scalar_type("short"), short_scalar_type("i16"));
  EXPECT_EQ(scalar_type("signed char"), short_scalar_type("i8"));
  EXPECT_EQ(scalar_type("bool"), short_scalar_type("u8"));
  EXPECT_EQ(scalar_type("std::size_t"), short_scalar_type("u64"));
  EXPECT_EQ(scalar_type("uint32_t"), short_scalar_type("u32"));
  EXPECT_EQ(scalar_type("const double"), short_scalar_type("f64"));
  EXPECT_EQ(scalar_type("__half"), short_scalar_type("f16"));
  EXPECT_EQ(scalar_type("__nv_bfloat16"), short_scalar_type("bf16"));
}

TEST(ScalarTypeNames, RefusesWhatIsNoScalar) {
  for (const char* name : {"", "const", "float*", "Box", "unsigned float", "float int",
                           "long long long", "short char", "signed unsigned int", "long char"}) {
    EXPECT_FALSE(scalar_type(name)) << name;
  }
  EXPECT_FALSE(short_scalar_type("int"));
}

TEST(ScalarBits, IntegersAtTheirEdges) {
  EXPECT_EQ(stored(integer(127), "i8"), 0x7fU);
  EXPECT_EQ(stored(integer(-128), "i8"), 0x80U);
  EXPECT_FALSE(stored(integer(128), "i8"));
  EXPECT_FALSE(stored(integer(-129), "i8"));
  EXPECT_EQ(stored(integer(255), "u8"), 0xffU);
  EXPECT_FALSE(stored(integer(256), "u8"));
  EXPECT_FALSE(stored(integer(-1), "u64"));
  EXPECT_EQ(stored(integer(-2147483648), "i32"), 0x80000000U);
  EXPECT_FALSE(stored(integer(2147483648), "i32"));
  EXPECT_EQ(stored(integer(4294967295), "u32"), 0xffffffffU);
  EXPECT_FALSE(stored(integer(4294967296), "u32"));
  EXPECT_EQ(stored(integer(-1), "i64"), 0xffffffffffffffffU);
}

TEST(ScalarBits, BeyondSigned) {
  Argument largest = integer(-1);
  largest.type = "u64";
  EXPECT_TRUE(beyond_signed(largest));
  EXPECT_EQ(stored(largest, "u64"), 0xffffffffffffffffU);
  EXPECT_FALSE(stored(largest, "i64"));
  EXPECT_FALSE(stored(largest, "u32"));
  EXPECT_EQ(stored(largest, "f64"), std::bit_cast<std::uint64_t>(18446744073709551616.0));
}

TEST(ScalarBits, WholeFloatingNumbersAreIntegers) {
  EXPECT_EQ(stored(floating(4096.0), "i32"), 4096U);
  EXPECT_FALSE(stored(floating(0.5), "i32"));
  EXPECT_FALSE(stored(floating(1e19), "i64"));
  EXPECT_FALSE(stored(floating(NAN), "i32"));
  EXPECT_FALSE(stored(floating(INFINITY), "i64"));
}

TEST(ScalarBits, Floats) {
  EXPECT_EQ(stored(floating(1.0), "f32"), 0x3f800000U);
  EXPECT_EQ(stored(integer(1), "f32"), 0x3f800000U);
  EXPECT_FALSE(stored(floating(1e39), "f32"));
  EXPECT_EQ(stored(floating(-INFINITY), "f32"), 0xff800000U);
  EXPECT_EQ(stored(floating(0.1), "f64"), std::bit_cast<std::uint64_t>(0.1));
}

TEST(ScalarBits, Halves) {
  EXPECT_EQ(stored(floating(1.0), "f16"), 0x3c00U);
  EXPECT_EQ(stored(floating(-2.0), "f16"), 0xc000U);
  EXPECT_EQ(stored(floating(65504.0), "f16"), 0x7bffU);
  EXPECT_EQ(stored(floating(65519.0), "f16"), 0x7bffU);
  EXPECT_FALSE(stored(floating(65520.0), "f16"));
  EXPECT_EQ(stored(floating(std::ldexp(1.0, -14)), "f16"), 0x0400U);  // smallest normal
  EXPECT_EQ(stored(floating(std::ldexp(1.0, -24)), "f16"), 0x0001U);  // smallest subnormal
  EXPECT_EQ(stored(floating(std::ldexp(1.0, -26)), "f16"), 0x0000U);
  EXPECT_EQ(stored(floating(2047.5 / 1024), "f16"), 0x4000U);  // the fraction carries over
  EXPECT_EQ(stored(floating(-0.0), "f16"), 0x8000U);
  EXPECT_EQ(stored(floating(INFINITY), "f16"), 0x7c00U);
}

TEST(ScalarBits, BrainFloats) {
  EXPECT_EQ(stored(floating(1.0), "bf16"), 0x3f80U);
  EXPECT_EQ(stored(floating(1.00390625), "bf16"), 0x3f80U);  // a tie goes to the even fraction
  EXPECT_EQ(stored(floating(1.01171875), "bf16"), 0x3f82U);  // and so does the next
  EXPECT_EQ(stored(floating(-INFINITY), "bf16"), 0xff80U);
  EXPECT_FALSE(stored(floating(3.4e38), "bf16"));
}

}  // namespace
}  // namespace forewarp::tests
