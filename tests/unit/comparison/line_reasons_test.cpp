// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "comparison/line_reasons.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

Result::SourceLine line(std::uint32_t number, const char* text, double share) {
  Result::SourceLine made;
  made.file = "k.cu";
  made.line = number;
  made.text = text;
  made.time_share = share;
  return made;
}

/// A: 1 ms, B: 2 ms; the load takes 0.3 and 1.4 ms.
Comparison longer_load() {
  Comparison c;
  c.a.time_ms = 1;
  c.b.time_ms = 2;
  c.ratio = 2;
  c.a.kernel.input = c.b.kernel.input = "k.cu";
  c.a.source_weighed_by = c.b.source_weighed_by = "what it moves";
  c.a.source = {line(3, "  x = a[i];", 0.3), line(4, "  s += x;", 0.7)};
  c.b.source = {line(5, "x = a[i];", 0.7), line(6, "s += x;", 0.3)};
  return c;
}

TEST(LineReasons, NameTheSlowestLineOfEachSideAndTheOneThatChangedMost) {
  const auto reasons = line_reasons(longer_load());
  ASSERT_EQ(reasons.size(), 2U);
  EXPECT_EQ(reasons[0],
            "the slowest line of A is 4 `s += x;` (70 %), of B 5 `x = a[i];` (70 %), by what it "
            "moves");
  EXPECT_EQ(reasons[1],
            "of the lines that both have, `x = a[i];` (A 3, B 5) changes most: 0.3 -> 1.4 ms");
}

// 0.3 ms of A against 0.19 of B: a change of 0.11 ms is 5.5 % of 2 ms; 0.09 would be 4.5 %.
TEST(LineReasons, DoNotTellOfASmallChange) {
  Comparison c = longer_load();
  c.a.source[1].time_share = 0;
  c.b.source[1].time_share = 0;
  c.b.source[0].time_share = 0.095;
  EXPECT_EQ(line_reasons(c).size(), 2U);
  c.b.source[0].time_share = 0.105;
  EXPECT_EQ(line_reasons(c).size(), 1U);
}

TEST(LineReasons, AddRepeatedLines) {
  Comparison c = longer_load();
  c.b.source = {line(5, "x = a[i];", 0.2), line(6, "x = a[i];", 0.4), line(7, "s += x;", 0.4)};
  EXPECT_NE(line_reasons(c)[1].find("(A 3, B 5) changes most: 0.3 -> 1.2 ms"), std::string::npos);
}

// What is of no line is no line, and a brace says nothing.
TEST(LineReasons, PassOverWhatIsNoLine) {
  Comparison c = longer_load();
  c.b.source = {line(0, "", 0.5), line(5, "x = a[i];", 0.05), line(6, "}", 0.45)};
  c.a.source[1].text = "}";
  c.a.source[1].time_share = 0;
  EXPECT_NE(line_reasons(c)[0].find("of B 6 `}` (45 %)"), std::string::npos) << line_reasons(c)[0];
  ASSERT_EQ(line_reasons(c).size(),
            2U);  // 0.9 ms of braces are not told, 0.3 -> 0.1 ms of the load are
  EXPECT_NE(line_reasons(c)[1].find("`x = a[i];`"), std::string::npos);
  c.b.source = {line(0, "", 1)};
  EXPECT_TRUE(line_reasons(c).empty());
}

TEST(LineReasons, CompareNoLinesThatCountDifferentThings) {
  Comparison c = longer_load();
  c.b.source_weighed_by = "cycles";
  ASSERT_EQ(line_reasons(c).size(), 1U);
  EXPECT_NE(line_reasons(c)[0].find("(70 %); A by what it moves, B by cycles"), std::string::npos);
}

TEST(LineReasons, AreNoneWithoutLines) {
  Comparison c = longer_load();
  c.b.source.clear();
  EXPECT_TRUE(line_reasons(c).empty());
}

// A listing names lines of a file that nobody has.
TEST(LineReasons, NameThePlaceOfALineWithoutText) {
  Comparison c = longer_load();
  for (Result* side : {&c.a, &c.b}) {
    for (Result::SourceLine& one : side->source) one.text.clear();
    side->kernel.input = "k.cubin";
  }
  ASSERT_EQ(line_reasons(c).size(), 1U);
  EXPECT_EQ(line_reasons(c)[0].substr(0, 40), "the slowest line of A is k.cu:4 (70 %), ");
}

}  // namespace
}  // namespace forewarp::tests
