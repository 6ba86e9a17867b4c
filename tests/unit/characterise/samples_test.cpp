// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What a run leaves behind, and the list that says what it means: readers and their refusals.
#include <cmath>

#include <gtest/gtest.h>

#include "characterise/numbers/number_list.h"
#include "characterise/samples/device.h"
#include "characterise/samples/samples_file.h"
#include "sample_maker.h"

namespace forewarp::tests {
namespace {

template <typename T>
std::string refusal(const Expected<T>& value) {
  return value ? "accepted" : value.error().line();
}

std::string refused_line(const std::string& line) {
  return refusal(parse_samples("# forewarp samples 1\n" + line + "\n", "s.tsv"));
}

TEST(Samples, ReadBackAsWritten) {
  const std::string text =
      "# forewarp samples 1\n"
      "chain\tblocks=1,threads=32\twindow\tcycles\t1380\t71.5\t38*30 40 46*2\n"
      "empty\t-\ttime\tus\t-\t-\t2.25\n";
  const auto table = parse_samples(text, "s.tsv");
  ASSERT_TRUE(table) << table.error().line();
  ASSERT_EQ(table->records.size(), 2U);
  const Record& first = table->records.front();
  EXPECT_EQ(first.number("threads"), 32);
  EXPECT_FALSE(first.number("bytes"));
  EXPECT_EQ(first.config_without("blocks"), "threads=32");
  EXPECT_EQ(first.clock_mhz, 1380);
  EXPECT_EQ(first.power_w, 71.5);
  EXPECT_EQ(first.samples, (Histogram{{38, 30}, {40, 1}, {46, 2}}));
  EXPECT_FALSE(table->records.back().clock_mhz);
  EXPECT_EQ(samples_text(table->records), text);
}

TEST(Samples, HistogramsAreTheirShortestText) {
  EXPECT_EQ(histogram_text({{0.1, 1}, {21.5, 1}, {22, 3}}), "0.1 21.5 22*3");
  EXPECT_EQ(*parse_histogram("0.1 21.5 22*3", "p"), (Histogram{{0.1, 1}, {21.5, 1}, {22, 3}}));
  EXPECT_EQ(refusal(parse_histogram("", "p")),
            "p: the sample ''; expected VALUE or VALUE*COUNT, not below 0, parted by one blank");
}

TEST(Samples, ARunThatHasJustBegunHoldsNoRecord) {
  const auto table = parse_begun_samples("# forewarp samples 1\n", "s.tsv");
  ASSERT_TRUE(table);
  EXPECT_TRUE(table->records.empty());
}

TEST(Samples, CentreOfCounts) {  // 38 x 3, 40, 46: mean 40, median 38, s^2 = (12 + 36) / 4
  const Centre centre = centre_of({{38, 3}, {40, 1}, {46, 1}});
  EXPECT_EQ(centre.count, 5U);
  EXPECT_DOUBLE_EQ(centre.mean, 40);
  EXPECT_DOUBLE_EQ(centre.median, 38);
  EXPECT_DOUBLE_EQ(centre.deviation, std::sqrt(48.0 / 4));
  EXPECT_DOUBLE_EQ(centre_of({{1, 1}, {4, 1}}).median, 2.5);
  EXPECT_EQ(centre_of({{7, 1}}).deviation, 0);
}

TEST(Samples, ATornLastLineIsDropped) {
  const auto table = parse_samples(
      "# forewarp samples 1\na\t-\ttime\tus\t-\t-\t1\nb\t-\ttime\tus\t-\t-\t2", "s.tsv");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->records.size(), 1U);
  EXPECT_EQ(table->notes,
            std::vector<std::string>{"s.tsv:3: the last line is torn and was dropped"});
}

TEST(Samples, Refusals) {
  EXPECT_EQ(refusal(parse_samples("a\tb\n", "s.tsv")),
            "s.tsv:1: another first line; expected # forewarp samples 1; name the folder that "
            "forewarp-bench wrote");
  EXPECT_EQ(refusal(parse_samples("# forewarp samples 1\n", "s.tsv")),
            "s.tsv: holds no record; expected a line for each measurement; run forewarp-bench run "
            "--out DIR");
  EXPECT_EQ(refused_line("a\tb"),
            "s.tsv:2: a line of 2 fields; expected test, config, quantity, unit, clock_mhz, "
            "power_w and samples, parted by tabs");
  EXPECT_EQ(refused_line("a\tthreads\ttime\tus\t-\t-\t1"),
            "s.tsv:2: 'threads'; expected KEY=VALUE pairs, parted by commas");
  EXPECT_EQ(refused_line("a\t-\ttime\tus\t0\t-\t1"),
            "s.tsv:2: clock_mhz is '0'; expected a number above 0, or -");
  EXPECT_EQ(refused_line("a\t-\ttime\tus\t-\tx\t1"),
            "s.tsv:2: power_w is 'x'; expected a number above 0, or -");
  EXPECT_EQ(refused_line("a\t-\ttime\tus\t-\t-\t1*0"),
            "s.tsv:2: the sample '1*0'; expected VALUE or VALUE*COUNT, not below 0, parted by one "
            "blank");
  EXPECT_EQ(refused_line("a\t-\ttime\tus\t-\t-\t-1").substr(0, 25), "s.tsv:2: the sample '-1';");
  EXPECT_EQ(refused_line("a\t-\ttime\tus\t-\t-\t2 2"),
            "s.tsv:2: the sample '2' after 2; expected each value once, ascending");
  const std::pair<std::string, std::string> too_many[] = {
      {"1*18446744073709551615", ""}, {"1*1000000000001", ""}, {"2", "1*1000000000000 "}};
  for (const auto& [sample, before] : too_many) {
    EXPECT_EQ(refused_line("a\t-\ttime\tus\t-\t-\t" + before + sample),
              "s.tsv:2: the sample '" + sample +
                  "' makes more than 1000000000000 of the line; expected as many samples as a run "
                  "takes");
  }
  EXPECT_EQ(refused_line("\t-\ttime\tus\t-\t-\t1"),
            "s.tsv:2: a test, quantity or unit without a name");
}

TEST(Device, FactsAndRefusals) {
  const auto device = parse_device(
      R"({"name": "A", "cc": "8.6", "date": "2026-03-01", "facts": {"sm.count": 48, "chip": "X"}})",
      "device.json");
  ASSERT_TRUE(device) << device.error().line();
  EXPECT_EQ(device->cc, (Capability{8, 6}));
  EXPECT_EQ(device->numbers.at("sm.count"), 48);
  EXPECT_EQ(device->words.at("chip"), "X");
  EXPECT_EQ(refusal(parse_device("[", "d")),
            "d: no JSON object; expected {\"name\": .., \"cc\": .., \"facts\": ..}; see "
            "docs/characterise.md");
  EXPECT_EQ(refusal(parse_device("{}", "d")),
            "d: no name; expected \"name\": \"..\"; see docs/characterise.md");
  EXPECT_EQ(refusal(parse_device(R"({"name": [[1]], "cc": "8.6"})", "d")),
            "d: no name; expected \"name\": \"..\"; see docs/characterise.md");
  EXPECT_EQ(refusal(parse_device(R"({"name": "A", "cc": "x"})", "d")),
            "d: the capability 'x'; expected \"cc\": \"8.6\"; see docs/characterise.md");
  EXPECT_EQ(refusal(parse_device(R"({"name": "A", "cc": "8.6", "facts": {"a": []}})", "d")),
            "d: the fact 'a' is neither a number nor a text; see docs/characterise.md");
}

constexpr const char* row = "[[number]]\nfact = \"a.b\"\nunit = \"1\"\nhow = \"rate\"\n";

TEST(Numbers, RowsAndRefusals) {
  const auto list = parse_numbers(std::string(row) +
                                      "tests = [\"t\"]\nwork = 64\nwhere = { threads = 32 }\n"
                                      "level = 2\n[[invisible]]\nfact = \"c\"\nwhy = \"so\"\n",
                                  "n.toml");
  ASSERT_TRUE(list) << list.error().line();
  ASSERT_EQ(list->rows.size(), 1U);
  EXPECT_EQ(list->rows[0].work, 64);
  EXPECT_EQ(list->rows[0].level, 2U);
  EXPECT_EQ(list->rows[0].where.front().second, "32");
  EXPECT_EQ(list->invisible.front().why, "so");
  const auto refused = [](const std::string& rest) {
    return refusal(parse_numbers(row + rest, "n.toml"));
  };
  EXPECT_EQ(refused(""),
            "n.toml:1:1: a number lacks a part; expected fact, unit, how and tests; see "
            "docs/characterise.md");
  EXPECT_EQ(refused("tests = [\"t\"]\nwork = 0\n"),
            "n.toml:6:8: 'work' is no number above 0; expected a number above 0; see "
            "docs/characterise.md");
  EXPECT_EQ(refused("tests = [\"t\"]\nwrok = 1\n").substr(0, 49),
            "n.toml:6:8: a number has a part named 'wrok'; exp");
  EXPECT_EQ(refused("tests = [\"t\"]\n" + std::string(row) + "tests = [\"t\"]\n"),
            "n.toml:6:1: 'a.b' has two rows; expected one, or one for each range of architectures; "
            "see docs/characterise.md");
  EXPECT_EQ(refused("tests = [\"t\"]\nsms = [50, 62]\n" + std::string(row) +
                    "tests = [\"t\"]\nsms = [70, 90]\n"),
            "accepted");
  EXPECT_EQ(refused("tests = [\"t\"]\nsms = [70]\n"),
            "n.toml:6:7: 'sms' is no range; expected [70, 90]; see docs/characterise.md");
  EXPECT_EQ(refused("tests = [\"t\"]\nmoved = 3\nmove = \"c.d\"\n"), "accepted");
  EXPECT_EQ(refused("tests = [\"t\"]\nmoved = 3\n"),
            "n.toml:1:1: 'moved' stands alone; expected moved, how many registers, and move, the "
            "fact with the cycles of one; see docs/characterise.md");
  EXPECT_EQ(refused("tests = [\"t\"]\nmove = \"c.d\"\n").substr(0, 33),
            "n.toml:1:1: 'move' stands alone; ");
  EXPECT_EQ(refused("tests = []\n").substr(0, 33), "n.toml:5:9: 'tests' is no list; e");
}

}  // namespace
}  // namespace forewarp::tests
