// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/sinks/text_sink.h"

#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "base/text.h"
#include "base/text_columns.h"

namespace forewarp::report {
namespace {

using Lines = std::vector<std::string>;

Section section_of(Block block) {
  Section section{"title", "aside", {}};
  section.add(std::move(block));
  return section;
}

TEST(TextSink, PutsTheAsideAtTheRight) {
  const Section section{"title", "aside", {}};
  EXPECT_EQ(text_lines(section, {.width = 20}), Lines{"title          aside"});
  EXPECT_EQ(text_lines(section, {.width = 5}), Lines{"title  aside"});
}

TEST(TextSink, AlignsFactsAndHangsTheirRemarks) {
  const Facts facts{{{"time", "1 ms", "one two three four five six", Tone::plain},
                     {"a longer label", "22 ms", "", Tone::plain}}};
  EXPECT_EQ(text_lines(section_of(facts), {.width = 44}),
            (Lines{"title                                  aside",
                   "  time            1 ms  one two three four", "                        five six",
                   "  a longer label  22 ms"}));
}

TEST(TextSink, AlignsColumnsAndDrawsBars) {
  Table table;
  table.columns = {{"name", Align::left, ""}, {"n", Align::right, ""}, {"", Align::bar, ""}};
  table.rows = {{{"a", "100", ""}, Tone::plain, 1.0, 0},
                {{"b", "99", ""}, Tone::plain, 0.999, 0},
                {{"c", "1", ""}, Tone::plain, 0.001, 0},
                {{"d", "0", ""}, Tone::plain, 0.0, 0},
                {{"e", "-", ""}, Tone::plain, std::nullopt, 0}};
  // A bar is full, or empty, only where the value is.
  EXPECT_EQ(text_lines(section_of(table), {}),
            (Lines{"title" + std::string(90, ' ') + "aside", "  name    n",
                   "  a     100  ####################", "  b      99  ###################.",
                   "  c       1  #...................", "  d       0  ....................",
                   "  e       -"}));
}

TEST(TextSink, WrapsTheColumnOfSentences) {
  Table table;
  table.columns = {{"id", Align::left, ""}, {"text", Align::text, ""}, {"with", Align::left, ""}};
  table.rows = {{{"x", "one two three four five six seven eight", "--a"}, Tone::plain, {}, 0}};
  const Lines lines = text_lines(section_of(table), {.width = 40});
  EXPECT_EQ(lines[2], "  x   one two three four five six   --a");
  EXPECT_EQ(lines[3], "      seven eight");
}

TEST(TextSink, PaintsOnlyWhenAsked) {
  const Section section = section_of(Note{"careful", Tone::warning});
  for (const std::string& line : text_lines(section, {.colour = false})) {
    EXPECT_EQ(line.find('\x1b'), std::string::npos) << line;
  }
  EXPECT_EQ(text_lines(section, {.colour = true})[1], "  \x1b[33mcareful\x1b[0m");
}

TEST(TextSink, KeepsControlCharactersFromTheTerminal) {
  const Section section{"na\x1b[2Jme\n", "\x07", {}};
  for (const std::string& line : text_lines(section, {})) {
    for (const char c : line) EXPECT_GE(static_cast<unsigned char>(c), 0x20U);
  }
}

TEST(TextSink, CountsLettersNotBytes) {
  EXPECT_EQ(text_width("\xc3\xa4\xe2\x82\xac"), 2U);
}

TEST(TextSink, AnEmptyTableSaysSo) {
  EXPECT_EQ(text_lines(section_of(Table{}), {.width = 12}), (Lines{"title  aside", "  none"}));
}

TEST(TextSink, PutsTheLegendAboveTheTable) {
  Table table;
  table.legend = true;
  table.columns = {{"runs", Align::right, "how often"}, {"text", Align::code, ""}};
  table.rows = {{{"1", "NOP;"}, Tone::plain, {}, 0}};
  EXPECT_EQ(text_lines(section_of(table), {.width = 12}),
            (Lines{"title  aside", "  runs  how often", "", "  runs  text", "     1  NOP;"}));
}

TEST(TextSink, WrapsAtBlanksOnly) {
  EXPECT_EQ(wrapped("aa bb cc", 5), (Lines{"aa bb", "cc"}));
  EXPECT_EQ(wrapped("aaaaaaaa b", 3), (Lines{"aaaaaaaa", "b"}));
  EXPECT_EQ(wrapped("", 3), Lines{});
}

}  // namespace
}  // namespace forewarp::report
