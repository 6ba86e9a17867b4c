// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "../../golden/stored_result.h"
#include "report/documents/report.h"
#include "report/html/axis_scale.h"
#include "report/html/markup.h"
#include "report/html/time_plot.h"

namespace forewarp::tests {
namespace {

using report::html::AxisScale;
using report::html::time_plot;

std::string page_of(const std::vector<Result>& results) {
  const Expected<std::string> page = render(results, "html", {});
  EXPECT_TRUE(page);
  return page ? *page : "";
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

/// The first thing that is wrong with the tags: each is closed in turn, attributes are quoted, and
/// no stray markup character is left in a text. Empty when all is well.
std::string fault_of(std::string_view page) {
  const std::set<std::string_view> empty_elements{"meta", "!DOCTYPE", "br", "link"};
  std::vector<std::string_view> open;
  std::size_t at = 0;
  while ((at = page.find('<', at)) != std::string_view::npos) {
    const std::size_t end = page.find('>', at);
    if (end == std::string_view::npos) return "a tag is not closed";
    std::string_view tag = page.substr(at + 1, end - at - 1);
    at = end + 1;
    if (std::ranges::count(tag, '"') % 2 != 0) return "a quote is open in <" + std::string(tag);
    if (tag.ends_with('/')) continue;
    const bool closes = tag.starts_with('/');
    if (closes) tag.remove_prefix(1);
    const std::string_view name = tag.substr(0, tag.find_first_of(" \n"));
    if (empty_elements.contains(name)) continue;
    if (!closes) {
      open.push_back(name);
      if (name == "style" || name == "script") at = page.find("</" + std::string(name), at);
      continue;
    }
    if (open.empty() || open.back() != name) return "</" + std::string(name) + "> closes nothing";
    open.pop_back();
  }
  return open.empty() ? "" : "<" + std::string(open.back()) + "> is left open";
}

TEST(Html, TheCheckOfTagsFindsFaults) {
  EXPECT_EQ(fault_of("<p><b>x</b></p>"), "");
  EXPECT_EQ(fault_of("<p><b>x</p>"), "</p> closes nothing");
  EXPECT_EQ(fault_of("<p>"), "<p> is left open");
  EXPECT_EQ(fault_of("<p class=\"a>x</p>"), "a quote is open in <p class=\"a");
}

TEST(Html, EveryPageIsWellFormed) {
  for (const char* name : {"saxpy2_gtx970.json", "saxpy2_sim.json", "transpose_findings.json",
                           "error_block.json", "sweep.jsonl"}) {
    EXPECT_EQ(fault_of(page_of(stored_results(name))), "") << name;
  }
  EXPECT_EQ(fault_of(page_of({})), "");
  EXPECT_EQ(fault_of(page_of({Result()})), "");
}

TEST(Html, NothingComesFromElsewhere) {
  for (const char* name : {"saxpy2_gtx970.json", "saxpy2_sim.json", "sweep.jsonl"}) {
    const std::string page = page_of(stored_results(name));
    for (const char* part : {"http:", "https:", "//", "@import", "url(", "src=", "<link", "<img"}) {
      const std::size_t allowed = std::string_view(part) == "//" ? count(page, "// Sorts") : 0;
      EXPECT_EQ(count(page, part), allowed) << part;
    }
  }
}

TEST(Html, AllTextIsEscaped) {
  const std::string evil = "<script>alert('x')</script>\"&\x01";
  Result result = stored_result("saxpy2_gtx970.json");
  for (std::string* text : {&result.kernel.name,
                            &result.kernel.input,
                            &result.kernel.arch,
                            &result.gpu.name,
                            &result.gpu.file,
                            &result.model,
                            &result.chosen_because,
                            &result.interval_meaning,
                            &result.limited_by.sentence,
                            &result.latency.formula,
                            &result.bounds[0].label,
                            &result.bounds[0].formula,
                            &result.listing[0].text,
                            &result.listing[0].waits_for,
                            &result.models[0].name,
                            &result.assumptions[0].text,
                            &result.provenance[0].source,
                            &result.tool_version,
                            &result.kernel.sha256,
                            &result.launch.arguments[0].first,
                            &result.profile.by_class[0].first,
                            &result.timing}) {
    *text = evil;
  }
  result.findings = {{evil, evil}};
  result.occupancy.limiter = {evil};
  result.stalls = {{evil, 1}};
  Result other = result;
  other.launch.arguments[0].second = evil;
  Result failed = result;
  failed.error = Diagnostic{"", evil, "", ""};
  for (const std::vector<Result>& results :
       {std::vector<Result>{result}, {result, other}, {failed}, {failed, result}}) {
    const std::string page = page_of(results);
    EXPECT_EQ(page.find("<script>alert"), std::string::npos);
    EXPECT_EQ(page.find('\x01'), std::string::npos);
    EXPECT_EQ(fault_of(page), "");
    EXPECT_NE(page.find("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&amp; "),
              std::string::npos);
  }
}

TEST(Html, APageHasItsParts) {
  const std::string page = page_of(stored_results("saxpy2_gtx970.json"));
  for (const char* part :
       {"<title>saxpy2 on NVIDIA GeForce GTX 970 - Forewarp</title>", "Predicted time",
        "146.7 <small>ms</small>", "view-bounds", "view-occupancy", "view-listing",
        "view-provenance", "prefers-color-scheme: dark", "@media print", "name=\"viewport\""}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(page.find("<script"), std::string::npos);
}

TEST(Html, TheCurveMarksTheLaunch) {
  const std::string page = page_of(stored_results("saxpy2_gtx970.json"));
  EXPECT_EQ(count(page, "class=\"column marked\""), 1U);
  EXPECT_NE(page.find("<title>threads per block 256: 64 warps per SM</title>"), std::string::npos);
}

TEST(Html, TheListingShowsPathAndHeat) {
  const std::string page = page_of(stored_results("saxpy2_gtx970.json"));
  const std::size_t branch = page.find("@P0 BRA 0xd0;");
  const std::string row = page.substr(page.rfind("<tr", page.rfind("</td><td", branch)), 60);
  EXPECT_NE(page.find("<tr class=\"strong heat\" style=\"--h:1.00\">"), std::string::npos) << row;
}

TEST(Html, ASimulationIsDrawn) {
  const Expected<std::string> page = render({stored_result("saxpy2_sim.json")}, "html", {});
  ASSERT_TRUE(page);
  EXPECT_NE(page->find("<section class=\"view-timeline\">"), std::string::npos);
  EXPECT_NE(page->find("<path class=\"piece series-1\""), std::string::npos);
  EXPECT_NE(page->find("<title>scheduler 0: device memory</title>"), std::string::npos);
  EXPECT_NE(page->find("aria-label=\"resident warps over cycles\""), std::string::npos);
}

TEST(Html, EmptyViewsAreLeftOut) {
  Result result = stored_result("saxpy2_gtx970.json");
  result.stalls.clear();
  result.listing.clear();
  const std::string page = page_of({result});
  EXPECT_EQ(page.find("<section class=\"view-stalls"), std::string::npos);
  EXPECT_EQ(page.find("<section class=\"view-listing"), std::string::npos);
  EXPECT_EQ(page.find("<section class=\"view-path"), std::string::npos);
}

TEST(Html, ASweepIsPlottedAndTabulated) {
  const std::string page = page_of(stored_results("sweep.jsonl"));
  EXPECT_NE(page.find("time over a"), std::string::npos);
  EXPECT_EQ(count(page, "<polyline class=\"curve\""), 2U);  // one for each board
  EXPECT_EQ(count(page, "<circle class=\"dot\""), 12U);     // the failed one has no time
  EXPECT_NE(page.find("sortable"), std::string::npos);
}

TEST(Html, WordsAreNotPlotted) {
  Result one = stored_result("saxpy2_gtx970.json");
  Result two = one;
  two.gpu.id = "other";
  EXPECT_EQ(time_plot({one, two}), "");
}

// 1 .. 100 is read on a linear axis, 1 .. 101 on a logarithmic one.
TEST(AxisScale, IsLogarithmicAboveAFactorOfAHundred) {
  EXPECT_FALSE(AxisScale::fitting({1, 100}, 0, 1).logarithmic());
  EXPECT_TRUE(AxisScale::fitting({1, 101}, 0, 1).logarithmic());
  EXPECT_FALSE(AxisScale::fitting({0, 1e6}, 0, 1).logarithmic());
  EXPECT_FALSE(AxisScale::fitting({1, 101, false, true}, 0, 1).logarithmic());
}

TEST(AxisScale, HoldsItsValuesAndTicks) {
  for (const AxisScale::Range& range : std::vector<AxisScale::Range>{{0, 64},
                                                                     {3, 7},
                                                                     {1, 1e6},
                                                                     {0.02, 5},
                                                                     {5, 5},
                                                                     {0, 0},
                                                                     {-3, 4},
                                                                     {3, 7, true},
                                                                     {1, 1e6, true}}) {
    const AxisScale scale = AxisScale::fitting(range, 10, 110);
    EXPECT_GE(scale.pixel(range.lowest), 10 - 1e-9);
    EXPECT_LE(scale.pixel(range.highest), 110 + 1e-9);
    const std::vector<double> ticks = scale.ticks();
    EXPECT_GE(ticks.size(), 2U) << range.lowest << ' ' << range.highest;
    EXPECT_LE(ticks.size(), 12U) << range.lowest << ' ' << range.highest;
    for (const double tick : ticks) {
      EXPECT_GE(scale.pixel(tick), 10 - 1e-9);
      EXPECT_LE(scale.pixel(tick), 110 + 1e-9);
    }
  }
}

TEST(Html, ASweepInEqualStepsHasALinearAxis) {
  std::vector<Result> results;
  for (int a = 1; a <= 400; a += 7) {
    Result result;
    result.time_ms = a;
    result.launch.arguments = {{"a", std::to_string(a)}};
    results.push_back(std::move(result));
  }
  EXPECT_NE(time_plot(results).find(">300</text>"), std::string::npos);  // a tick of equal steps
  EXPECT_EQ(time_plot(results).find(">50</text>"), std::string::npos);   // one of factors
}

}  // namespace
}  // namespace forewarp::tests
