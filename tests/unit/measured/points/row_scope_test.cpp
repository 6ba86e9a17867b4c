// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/points/row_scope.h"

#include <cstdlib>
#include <fstream>

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

// Its messages quote the expression, in a buffer of 2048 bytes.
TEST(RowScope, RefusesLongExpressions) {
  const CsvTable rows = table();
  RowScope row(rows);
  row.load(0);
  const std::string ones = [] {
    std::string text = "1";
    while (text.size() < 1499) text += "+1";
    return text;
  }();
  EXPECT_EQ(*row.value(ones), 750);
  EXPECT_EQ(row.value(ones + "+1").error().line(),
            "an expression of 1501 characters; expected at most 1500");
}

bool is_loaded(const std::string& library) {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  while (std::getline(maps, line)) {
    if (line.find(library) != std::string::npos) return true;
  }
  return false;
}

// It takes longer to load than a short answer takes. In a process of its own, as others may have
// come before.
TEST(RowScope, MuParserIsLoadedWithTheFirstFormula) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto load = [] {
    const bool before = is_loaded("libmuparser");
    const CsvTable rows = table();
    RowScope row(rows);
    row.load(0);
    const bool computed = row.value("n + 1").has_value();
    std::exit(!before && computed && is_loaded("libmuparser") ? 0 : 1);
  };
  EXPECT_EXIT(load(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace forewarp::tests
