// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/points/row_scope.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

CsvTable table() {
  return {{"gpu", "n", "block", "time (ms)"},
          {{"T4", "1000", "128", "2.5"}, {"A40", "x", "0", ""}}};
}

TEST(RowScope, ExpressionsFollowTheRow) {
  const CsvTable rows = table();
  RowScope row(rows);
  row.load(0);
  EXPECT_EQ(*row.value("ceil(n / block)"), 8);  // 7.8125
  EXPECT_EQ(*row.value("floor(n / block) + (n > 999 ? 2 : 1)"), 9);
  EXPECT_EQ(*row.value("2^3 - min(n, 3)"), 5);
  row.set_number("blocks", 8);
  EXPECT_EQ(*row.value("blocks * block"), 1024);
  EXPECT_EQ(*row.text("{gpu}/{blocks}"), "T4/8");
  EXPECT_EQ(*row.text("{{ {n} }"), "{ 1000 }");
}

// Arguments that are fields of a structure are named so.
TEST(RowScope, NamesMayHaveDots) {
  const CsvTable rows = table();
  RowScope row(rows);
  row.load(0);
  row.set_number("p.n", 300);
  EXPECT_EQ(*row.value("ceil(p.n/block)+1.5"), 4.5);  // 2.34
}

TEST(RowScope, AWordOrAZeroDivisorHasNoValue) {
  const CsvTable rows = table();
  RowScope row(rows);
  row.load(0);
  ASSERT_TRUE(row.value("ceil(n / block)"));
  row.load(1);
  EXPECT_EQ(row.value("ceil(n / block)").error().line(),
            "'ceil(n / block)' has no value in this row; expected numbers in all of its columns");
  EXPECT_FALSE(row.value("7 / block"));
  EXPECT_EQ(*row.value("block + 1"), 1);
}

TEST(RowScope, ColumnsSetByHandAreForgottenWithTheRow) {
  const CsvTable rows = table();
  RowScope row(rows);
  row.load(0);
  row.set_number("extra", 5);
  ASSERT_TRUE(row.value("extra"));
  row.load(1);
  EXPECT_FALSE(row.value("extra"));
}

TEST(RowScope, RefusesWhatIsNoColumnAndNoExpression) {
  const CsvTable rows = table();
  RowScope row(rows);
  row.load(0);
  EXPECT_EQ(row.text("{clock}").error().line(),
            "there is no column 'clock'; columns: gpu, n, block, time (ms)");
  EXPECT_EQ(row.text("{gpu").error().line(), "'{gpu' has no '}'; expected {COLUMN}");
  const auto unknown = row.value("clock + 1");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().line().find("'clock + 1': "), std::string::npos);
  EXPECT_FALSE(row.value("n +"));
  EXPECT_FALSE(row.value(""));
}

}  // namespace
}  // namespace forewarp::tests
