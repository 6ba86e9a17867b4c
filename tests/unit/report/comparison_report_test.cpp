// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/documents/comparison_report.h"

#include <string>

#include <gtest/gtest.h>

#include "report/quantity.h"

namespace forewarp::tests {
namespace {

Comparisons two_sides() {
  Comparison c;
  c.a.kernel.name = c.b.kernel.name = "k";
  c.a.gpu.name = c.b.gpu.name = "Board";
  c.a.launch.grid = c.b.launch.grid = {64, 1, 1};
  c.a.launch.block = {128, 1, 1};
  c.b.launch.block = {256, 1, 1};
  c.a.time_ms = 1;
  c.b.time_ms = 2;
  c.ratio = 2;
  c.a.limited_by.resource = c.b.limited_by.resource = "dram";
  c.a.bounds = {{"dram", "device memory", 10, 1, 1, ""},
                {"issue", "schedulers", 0.5, 0.05, 0.05, ""}};
  c.b.bounds = {{"dram", "device memory", 20, 2, 1, ""},
                {"issue", "schedulers", 0.5, 0.05, 0.03, ""}};
  c.a.occupancy.warps_per_sm = c.b.occupancy.warps_per_sm = 64;
  c.a.occupancy.max_warps_per_sm = c.b.occupancy.max_warps_per_sm = 64;
  c.a.occupancy.needed_warps = 60;
  c.b.occupancy.needed_warps = 30;
  c.factors = {{"traffic", "device memory traffic", 2, 128, 256, "bytes per warp"},
               {"issue", "schedulers", 1.001, 0.5, 0.5, "cycles per warp"}};
  c.answer = "B is 2x slower than A";
  c.reasons = {"needed occupancy falls"};
  Comparisons all;
  all.pairs = {c};
  return all;
}

std::string text(const Comparisons& all, const char* format = "text") {
  const auto out = render_comparisons(all, format, {});
  EXPECT_TRUE(out) << (out ? "" : out.error().line());
  return out ? *out : "";
}

/// The cells of the line that begins with `label`, blanks apart.
std::string line_of(const std::string& shown, const std::string& label) {
  const std::size_t at = shown.find("  " + label);
  if (at == std::string::npos) return "";
  std::string line =
      shown.substr(at + 2 + label.size(), shown.find('\n', at) - at - 2 - label.size());
  while (line.find("  ") != std::string::npos) line.replace(line.find("  "), 2, " ");
  return line;
}

TEST(ComparisonReport, ALimitThatOneSideLacksHasNoNumberThere) {
  Comparisons all = two_sides();
  Comparison& c = all.pairs.front();
  c.a.bounds.push_back({"block_launch", "block launch rate", 5, 0.5, 0.5, ""});
  c.factors.push_back({"block_launch", "block launch rate", 0.5, 5, 0, "cycles per warp"});
  EXPECT_EQ(line_of(text(all), "bound: block launch rate (cycles/warp)"), " 5 - gone");
  EXPECT_EQ(line_of(text(all), "block launch rate"),
            " x0.500 5 cycles per warp -> no longer a limit");
  std::swap(c.a.bounds, c.b.bounds);
  c.factors.back() = {"block_launch", "block launch rate", 2, 0, 5, "cycles per warp"};
  EXPECT_EQ(line_of(text(all), "bound: block launch rate (cycles/warp)"), " - 5 new");
  EXPECT_EQ(line_of(text(all), "block launch rate"), " x2.00 no limit before -> 5 cycles per warp");
}

TEST(ComparisonReport, AnswersFirstThenSideBySideThenWhy) {
  EXPECT_EQ(text(two_sides()), R"(  B is 2x slower than A

A and B
                                                  A              B  change
  kernel                                          k              k
  GPU                                         Board          Board
  grid                                           64             64
  block                                         128            256   other
  time                                         1 ms           2 ms   x2.00
  limited by                          device memory  device memory
  bound: device memory (cycles/warp)             10             20   x2.00
  needed warps/SM                                60             30  x0.500
  occupancy (warps/SM)                     64 of 64       64 of 64

what the change of time is made of                                    the factors multiply to x2.000
  part                     time
  device memory traffic   x2.00  128 -> 256 bytes per warp
  all others             x1.001

why
  needed occupancy falls
)");
}

// Whole numbers below a million are exact, others have four digits.
TEST(ComparisonReport, LargeCountsAreRounded) {
  Comparisons all = two_sides();
  all.pairs[0].a.latency.cycles = 999'999;
  all.pairs[0].b.latency.cycles = 1'000'000;
  const std::string shown = text(all);
  EXPECT_NE(shown.find(number(999'999)), std::string::npos) << shown;
  EXPECT_NE(shown.find(figure(1'000'000)), std::string::npos) << shown;
  EXPECT_NE(figure(1'000'000), number(1'000'000));
}

TEST(ComparisonReport, OnlyArgumentsThatDifferHaveARow) {
  Comparisons all = two_sides();
  all.pairs[0].a.launch.arguments = {{"in", "buffer of 64 bytes"}, {"n", "4"}, {"old", "1"}};
  all.pairs[0].b.launch.arguments = {{"in", "buffer of 64 bytes"}, {"n", "8"}, {"new", "2"}};
  const std::string shown = text(all);
  EXPECT_EQ(shown.find("buffer of 64 bytes"), std::string::npos);
  for (const char* row : {"argument n ", "argument old ", "argument new "})
    EXPECT_NE(shown.find(row), std::string::npos) << row;
}

TEST(ComparisonReport, WhatASideMetStandsBelowTheAnswer) {
  Comparisons all = two_sides();
  all.pairs[0].a.findings = {{"misaligned", "at 0x10"}};
  all.pairs[0].b.findings = {{"misaligned", "at 0x10"}, {"missing-smem", "add --smem 4220"}};
  const std::string out = text(all);
  EXPECT_NE(out.find("  B is 2x slower than A\n  ! A and B: misaligned: at 0x10\n"
                     "  ! B: missing-smem: add --smem 4220\n"),
            std::string::npos)
      << out;
}

TEST(ComparisonReport, TellsWhatTheGateAndTheIdsSay) {
  Comparisons all = two_sides();
  all.vanished = {"old"};
  all.added = {"new"};
  all.fail_above = 0.03;
  all.failures = {"k on board: 100 % slower"};
  const std::string out = text(all);
  EXPECT_NE(out.find("only in A: old"), std::string::npos);
  EXPECT_NE(out.find("only in B: new"), std::string::npos);
  EXPECT_NE(out.find("gate: k on board: 100 % slower"), std::string::npos);
  all.failures.clear();
  EXPECT_NE(text(all).find("gate: no kernel is slower by more than 3.0 %"), std::string::npos);
}

TEST(ComparisonReport, ARefusedSideHasNoFigures) {
  Comparisons all = two_sides();
  all.pairs[0].b.error = Diagnostic{"", "too many threads", "", ""};
  all.pairs[0].answer = "no comparison: too many threads";
  const std::string out = text(all);
  EXPECT_NE(out.find("no comparison: too many threads"), std::string::npos);
  EXPECT_EQ(out.find("why"), std::string::npos);
  EXPECT_NE(text(all, "csv").find(",too many threads\n"), std::string::npos);
}

TEST(ComparisonReport, JsonHasTheSchemaAndPagesEscape) {
  Comparisons all = two_sides();
  const std::string json = text(all, "json");
  EXPECT_NE(json.find("\"schema\": \"forewarp.comparison/1\""), std::string::npos);
  EXPECT_NE(json.find("\"fail_above\": null"), std::string::npos);
  all.pairs[0].a.kernel.name = "<k>";
  EXPECT_EQ(text(all, "html").find("<k>"), std::string::npos);
}

TEST(ComparisonReport, AnUnknownFormatListsThose) {
  const auto refused = render_comparisons(two_sides(), "xml", {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().expected, "text, markdown, json, csv, html");
}

}  // namespace
}  // namespace forewarp::tests
