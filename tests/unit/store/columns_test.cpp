// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "store/columns.h"

#include <gtest/gtest.h>

#include "store/figures.h"

namespace forewarp::tests {
namespace {

TEST(AxesText, IsAnArrayThatReadsBack) {
  const TableRow row{0.1, std::string("a\"b"), std::monostate{}, 4000000.0};
  EXPECT_EQ(axes_text(row), R"([0.1,"a\"b",null,4000000])");
  EXPECT_EQ(axes_values(axes_text(row)), row);
  EXPECT_EQ(axes_text({}), "[]");
  const std::vector<std::string> names{"grid", "hw.sm.count"};
  EXPECT_EQ(axes_names(names_text(names)), names);
}

TEST(AxesText, IsNothingElse) {
  for (const char* text : {"", "{}", "[[1]]", "[1", "7", "[true]"}) {
    EXPECT_FALSE(axes_values(text)) << text;
  }
  EXPECT_FALSE(axes_names("[1]"));
}

TEST(PackedText, ReadsBackAndRefusesWhatIsDamaged) {
  const std::string text(10'000, 'a');
  const std::string bytes = packed_text(text);
  EXPECT_LT(bytes.size(), 200U);
  EXPECT_EQ(unpacked_text(bytes), text);
  EXPECT_EQ(unpacked_text(packed_text("")), "");
  EXPECT_FALSE(unpacked_text(bytes.substr(0, bytes.size() - 1)));
  EXPECT_FALSE(unpacked_text("short"));
  std::string large = bytes;
  large[7] = '\x7f';  // a size that nobody has the memory for
  EXPECT_FALSE(unpacked_text(large));
  std::string other = bytes;
  other[0] = static_cast<char>(other[0] + 1);
  EXPECT_FALSE(unpacked_text(other));
}

TEST(Figures, AreThoseThatAResultHas) {
  Result result;
  result.time_ms = 2;
  result.interval_ms = {1.5, 3};
  result.model = "m";
  result.bounds = {{"dram", "DRAM", 1, 1.25, 0.5, ""}, {"issue", "", 1, 0.5, 0.5, ""}};
  const TableRow row = figures_of(result);
  const auto cell = [&](const char* name) { return row[column_positions({name}).front()]; };
  EXPECT_EQ(cell("time_ms"), TableCell(2.0));
  EXPECT_EQ(cell("low_ms"), TableCell(1.5));
  EXPECT_EQ(cell("high_ms"), TableCell(3.0));
  EXPECT_EQ(cell("model"), TableCell(std::string("m")));
  EXPECT_EQ(cell("bounds"), TableCell(std::string(R"({"dram":1.25,"issue":0.5})")));
  EXPECT_EQ(cell("error"), TableCell());
  result.interval_ms = {};
  EXPECT_EQ(figures_of(result)[1], TableCell());
  result.error = Diagnostic{"", "why", "", ""};
  EXPECT_EQ(figures_of(result)[0], TableCell());
  EXPECT_EQ(figures_of(result).back(), TableCell(std::string("why")));
}

TEST(Figures, OfAScoredPoint) {
  ScoredPoint point;
  point.predicted_ms = 2;
  point.limited_by = "dram";
  EXPECT_EQ(figures_of(point)[0], TableCell(2.0));
  EXPECT_EQ(figures_of(point)[4], TableCell(std::string("dram")));
  point.error = "why";
  EXPECT_EQ(figures_of(point)[0], TableCell());
  EXPECT_EQ(figures_of(point).back(), TableCell(std::string("why")));
}

}  // namespace
}  // namespace forewarp::tests
