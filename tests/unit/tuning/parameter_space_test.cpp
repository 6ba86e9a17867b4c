// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "tuning/parameter_space.h"

#include <gtest/gtest.h>

#include "tuning/parameter_values.h"

namespace forewarp::tests {
namespace {

using Words = std::vector<std::string>;
using Rows = std::vector<Words>;

Words words(std::string_view text) {
  const auto read = parameter_words(text, "--param T");
  return read ? *read : Words{read.error().line()};
}

Words python(std::string_view text) {
  const auto read = python_words(text);
  return read ? *read : Words{read.error().line()};
}

Rows shapes(std::string_view text) {
  const auto read = block_shapes(text, "--param block");
  return read ? *read : Rows{{read.error().line()}};
}

TEST(ParameterWords, ListsAndRanges) {
  EXPECT_EQ(words("8,16, 32"), (Words{"8", "16", "32"}));
  EXPECT_EQ(words("1:8"), (Words{"1", "2", "4", "8"}));
  EXPECT_EQ(words("1:7"), (Words{"1", "2", "4"}));  // doubling never passes the end
  EXPECT_EQ(words("2:8:3"), (Words{"2", "5", "8"}));
  EXPECT_EQ(words("1:27:*3"), (Words{"1", "3", "9", "27"}));
  EXPECT_EQ(words("float,double"), (Words{"float", "double"}));
  EXPECT_EQ(words("4,1:4,4"), (Words{"4", "1", "2"}));  // each once, where it first stands
  EXPECT_EQ(words("1,,2"), (Words{"--param T: '1,,2' lacks a value; expected A,B,.. or FROM:TO"}));
  EXPECT_EQ(words("1:2:0.5"), (Words{"--param T: '1:2:0.5' is no range; expected whole numbers; "
                                     "list other values: A,B,.."}));
}

TEST(ParameterWords, ShapesDoubleOnEveryAxis) {
  EXPECT_EQ(shapes("32x4,64x2"), (Rows{{"32", "4"}, {"64", "2"}}));
  EXPECT_EQ(shapes("32x4:128x8"),
            (Rows{{"32", "4"}, {"32", "8"}, {"64", "4"}, {"64", "8"}, {"128", "4"}, {"128", "8"}}));
  EXPECT_EQ(shapes("64:128"), (Rows{{"64"}, {"128"}}));
  EXPECT_EQ(shapes("32x4,64")[0][0],
            "--param block: '32x4,64' has shapes of different numbers of axes; expected as many "
            "sizes in each; write 32x1 for 32");
  EXPECT_EQ(shapes("32x0")[0][0],
            "--param block: '32x0' is no shape of a block; expected 32x4, or 32x4:256x8");
}

TEST(PythonWords, ListsRangesAndComprehensions) {
  EXPECT_EQ(python("[1, 2, 4]"), (Words{"1", "2", "4"}));
  EXPECT_EQ(python("[2**i for i in range(5, 8)]"), (Words{"32", "64", "128"}));
  EXPECT_EQ(python("list(range(1, 10, 3))"), (Words{"1", "4", "7"}));
  EXPECT_EQ(python("range(3)"), (Words{"0", "1", "2"}));
  EXPECT_EQ(python("[16*i for i in range(1, 9) if i % 3 != 0]"),
            (Words{"16", "32", "64", "80", "112", "128"}));
  EXPECT_EQ(python("[0] + [2**i for i in range(2)]"), (Words{"0", "1", "2"}));
  EXPECT_EQ(python("['float', \"half\"]"), (Words{"float", "half"}));
  EXPECT_EQ(python("[True, False]"), (Words{"1", "0"}));
  EXPECT_EQ(python("[0.5, 1.5]"), (Words{"0.5", "1.5"}));
  EXPECT_EQ(python("[]"), (Words{"a parameter has no value; expected [1, 2, 4]"}));
  EXPECT_EQ(python("range(1, 2, 0)"),
            (Words{"'1, 2, 0' is no list of values; expected [1, 2, 4] or [2**i for i in "
                   "range(5)]"}));
  EXPECT_EQ(python("range(0, 1000000)"),
            (Words{"more than 10000 values of a parameter; expected fewer"}));
}

ParameterSpace space(const Words& axes, Words restrictions = {}) {
  ParameterSpace made;
  for (const std::string& axis : axes) {
    auto parsed = parse_axis(axis, "--param");
    EXPECT_TRUE(parsed) << parsed.error().line();
    const auto added = made.add(std::move(*parsed));
    EXPECT_TRUE(added) << added.error().line();
  }
  made.restrictions = std::move(restrictions);
  return made;
}

std::string refusal(const ParameterSpace& of) {
  const auto found = configurations_of(of);
  return found ? "found" : found.error().line();
}

TEST(ParameterSpace, LastParameterChangesFastestAndABlockIsSeveral) {
  const auto found = configurations_of(space({"block=32x1,16x2", "T=1:2"}));
  ASSERT_TRUE(found) << found.error().line();
  EXPECT_EQ(found->table.columns, (Words{"block_size_x", "block_size_y", "T"}));
  EXPECT_EQ(found->table.rows,
            (Rows{{"32", "1", "1"}, {"32", "1", "2"}, {"16", "2", "1"}, {"16", "2", "2"}}));
  EXPECT_DOUBLE_EQ(found->whole, 4);
}

TEST(ParameterSpace, EveryRestrictionHoldsAndMayNameNumbers) {
  ParameterSpace made = space({"A=1:8", "B=1:8"}, {"A * B <= 8", "n % (A * B) == 0", "B >= A"});
  made.numbers["n"] = 12;
  const auto found = configurations_of(made);
  ASSERT_TRUE(found) << found.error().line();
  // B >= A with A * B <= 8: 11 12 14 18 22 24; 12 is no multiple of 8, which leaves out 18 and 24.
  EXPECT_EQ(found->table.rows, (Rows{{"1", "1"}, {"1", "2"}, {"1", "4"}, {"2", "2"}}));
  EXPECT_DOUBLE_EQ(found->whole, 16);
}

TEST(ParameterSpace, RestrictionsAsCWritesThemAndExtremesOfAParameter) {
  const auto found = configurations_of(space({"A=1:4", "B=1:4"}, {"A == max(A) && !(B == 1)"}));
  ASSERT_TRUE(found) << found.error().line();
  EXPECT_EQ(found->table.rows, (Rows{{"4", "2"}, {"4", "4"}}));
  EXPECT_EQ(configurations_of(space({"A=1:4"}, {"A == 1 || A == 4"}))->table.rows.size(), 2U);
}

TEST(ParameterSpace, Refusals) {
  EXPECT_EQ(refusal(space({"A=1:4"}, {"A > 4"})),
            "no configuration meets every restriction; expected one at least; of 3 without "
            "restrictions");
  EXPECT_EQ(refusal({}), "no parameter is given; expected one at least");
  const std::string unknown = refusal(space({"A=1:4"}, {"A > C"}));
  EXPECT_NE(unknown.find("the restriction "), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("expected an expression of A"), std::string::npos) << unknown;
  ParameterSpace twice = space({"A=1"});
  EXPECT_EQ(twice.add({{"A"}, {{"2"}}}).error().line(),
            "the parameter 'A' stands twice; expected once");
  EXPECT_EQ(twice.add({{"2A"}, {{"2"}}}).error().line(),
            "the parameter '2A' is no identifier; expected a macro's name");
  EXPECT_EQ(parse_axis("TILE", "--param").error().line(),
            "--param: 'TILE' names no parameter; expected NAME=VALUES: TILE=8,16,32 or "
            "block=32x4:256x8");
  const std::string many = refusal(space({"A=1:10000:1", "B=1:1000:1"}));
  EXPECT_EQ(many, "more than 100000 configurations; expected fewer; add restrictions");
}

}  // namespace
}  // namespace forewarp::tests
