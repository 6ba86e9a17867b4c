// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/points/csv_table.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

TEST(CsvTable, CellsMayBeQuoted) {
  const auto table = parse_csv("gpu,\"time, ms\"\nT4,\"1,5\"\n\"a \"\"b\"\"\",2\n", "f.csv");
  ASSERT_TRUE(table) << table.error().line();
  EXPECT_EQ(table->columns, (std::vector<std::string>{"gpu", "time, ms"}));
  ASSERT_EQ(table->rows.size(), 2U);
  EXPECT_EQ(table->rows[0][1], "1,5");
  EXPECT_EQ(table->rows[1][0], "a \"b\"");
  EXPECT_EQ(table->column("time, ms"), 1U);
  EXPECT_FALSE(table->column("clock"));
}

TEST(CsvTable, TheLastLineNeedsNoEndAndEmptyCellsStay) {
  const auto table = parse_csv("a,b,c\r\n1,,3\r\n\r\n,,", "f.csv");
  ASSERT_TRUE(table) << table.error().line();
  ASSERT_EQ(table->rows.size(), 2U);
  EXPECT_EQ(table->rows[0], (std::vector<std::string>{"1", "", "3"}));
  EXPECT_EQ(table->rows[1], (std::vector<std::string>{"", "", ""}));
}

TEST(CsvTable, RefusalsNameTheRow) {
  EXPECT_EQ(parse_csv("a,b\n1,2\n3\n", "f.csv").error().line(),
            "f.csv row 2: 1 cells; expected 2 as in the line of names");
  EXPECT_EQ(parse_csv("a,b\n1,\"2\n", "f.csv").error().line(),
            "f.csv row 1: a quote does not close or stands inside a cell; expected cells as a,b or "
            "\"a,b\"");
  EXPECT_EQ(parse_csv("a,b,a\n", "f.csv").error().line(),
            "f.csv row 0: column 'a' stands twice; expected each once");
  EXPECT_EQ(parse_csv("", "f.csv").error().line(),
            "f.csv: has no line of column names; expected a CSV file");
}

}  // namespace
}  // namespace forewarp::tests
