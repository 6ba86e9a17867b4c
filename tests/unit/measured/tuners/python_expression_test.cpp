// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/tuners/python_expression.h"

#include <cmath>

#include <gtest/gtest.h>

#include "measured/points/row_scope.h"

namespace forewarp::tests {
namespace {

double value(const std::string& python) {
  static const CsvTable table{{"a", "b", "ProblemSize_0"}, {{"7", "-2", "4096"}}};
  RowScope row(table);
  row.load(0);
  const auto formula = formula_of(python, [](std::string_view name, bool largest) {
    return name == "a" ? std::optional<double>(largest ? 64 : 2) : std::nullopt;
  });
  if (!formula) return NAN;
  const auto result = row.value(*formula);
  return result ? *result : NAN;
}

std::string refusal(const std::string& python) {
  const auto formula = formula_of(python);
  return formula ? "read as " + *formula : formula.error().line();
}

TEST(PythonExpression, PrecedenceIsPythons) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * 3"), 9);
  EXPECT_EQ(value("2 ** 3 ** 2"), 512);  // to the right
  EXPECT_EQ(value("-2 ** 2"), -4);       // the sign is weaker
  EXPECT_EQ(value("2 ** -1"), 0.5);
  EXPECT_EQ(value("10 - 4 - 3"), 3);
  EXPECT_EQ(value("100 // 8 // 2"), 6);
  EXPECT_EQ(value("1 if a > 8 else 2 if a > 6 else 3"), 2);
}

TEST(PythonExpression, WholeDivisionAndRemainderRoundDown) {
  EXPECT_EQ(value("a // 2"), 3);
  EXPECT_EQ(value("a // b"), -4);  // -3.5
  EXPECT_EQ(value("a % b"), -1);   // 7 - (-2) * (-4)
  EXPECT_EQ(value("(262144 // a) // 3"), 12483);
  EXPECT_EQ(value("a / 2"), 3.5);
}

TEST(PythonExpression, WordsAndComparisons) {
  EXPECT_EQ(value("a == 7 and b < 0"), 1);
  EXPECT_EQ(value("a == 8 or not b == -2"), 0);
  EXPECT_EQ(value("1 < a <= 7 < 8"), 1);
  EXPECT_EQ(value("1 < a < 7"), 0);
  EXPECT_EQ(value("True + True"), 2);
}

TEST(PythonExpression, FunctionsAndIndices) {
  EXPECT_EQ(value("ceil(1048576 / (a * 2)) * a"), 74899 * 7);
  EXPECT_EQ(value("math.ceil(a / 2) + np.floor(a / 2)"), 7);
  EXPECT_EQ(value("int(-3.7) + int(3.7) + round(2.5)"), 2);
  EXPECT_EQ(value("min(a, b, 3) + max(1, b)"), -1);
  EXPECT_EQ(value("ProblemSize[0] + max(a) - 1"), 4096 + 64 - 1);
  EXPECT_EQ(value("min(a)"), 2);
  EXPECT_EQ(value("1e3 + 0.5"), 1000.5);
  EXPECT_EQ(value("float(a)"), 7);
}

TEST(PythonExpression, FieldsOfStructuresAreNames) {
  EXPECT_EQ(*formula_of("ceil(p.size.n/8)"), "ceil((p.size.n / 8))");
  EXPECT_EQ(refusal("p. + 1"), "'p. + 1' cannot be read from '+ 1'; expected a field's name");
}

TEST(PythonExpression, RefusalsShowWhereTheyStopped) {
  EXPECT_EQ(refusal("block_size_x +"),
            "'block_size_x +' cannot be read from its end; expected a value");
  EXPECT_EQ(refusal("[32 * i for i in range(1, 9)]"),
            "'[32 * i for i in range(1, 9)]' cannot be read from '[32 * i for i in ran'; "
            "expected a number, a name or a parenthesis");
  EXPECT_EQ(refusal("len(a)"),
            "'len(a)' cannot be read from 'len(a)'; expected a function such as ceil, floor, min, "
            "max");
  EXPECT_NE(refusal("a b").find("from 'b'; expected an operator"), std::string::npos);
  EXPECT_NE(refusal("(a").find("a closing parenthesis"), std::string::npos);
  EXPECT_NE(refusal("a if b").find("else"), std::string::npos);
  EXPECT_NE(refusal("'abc'").find("a number, a name"), std::string::npos);
  EXPECT_NE(refusal(std::string(3000, '(')).find("less nesting"), std::string::npos);
  EXPECT_NE(refusal(std::string(5000, '1')).find("longer"), std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
