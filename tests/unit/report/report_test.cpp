// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/documents/report.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <gtest/gtest.h>

#include "../../golden/stored_result.h"
#include "base/text.h"
#include "report/sinks/markdown_sink.h"
#include "report/view.h"

namespace forewarp::tests {
namespace {

const std::vector<Result>& one() {
  static const std::vector<Result> results = stored_results("saxpy2_gtx970.json");
  return results;
}

TEST(Report, AnUnknownFormatListsTheValidOnes) {
  EXPECT_EQ(render(one(), "yaml", {}).error().line(),
            "--format: no format is named 'yaml'; expected text, markdown, json, jsonl, csv, html, "
            "number, gcc, compiler-explorer");
}

TEST(Report, AnUnknownViewListsTheValidOnes) {
  RenderOptions options;
  options.views = {"summary", "bonds"};
  const Diagnostic failure = render(one(), "text", options).error();
  EXPECT_EQ(failure.found, "no view is named 'bonds'");
  EXPECT_NE(failure.expected.find("bounds"), std::string::npos);
}

TEST(Report, TheFirstScreenFitsOneScreen) {
  for (const char* name : {"saxpy2_gtx970.json", "transpose_findings.json", "error_block.json"}) {
    const Expected<std::string> text = render(stored_results(name), "text", {});
    ASSERT_TRUE(text);
    EXPECT_LE(std::ranges::count(*text, '\n'), 40) << name;
    EXPECT_TRUE(text->ends_with('\n'));
  }
}

TEST(Report, TheFirstScreenNamesTheOtherViews) {
  const std::string text = *render(one(), "text", {});
  const std::size_t more = text.find("more: --view occupancy, models, ");
  ASSERT_NE(more, std::string::npos);
  const std::set<std::string_view> shown{"summary", "bounds", "assumptions"};
  for (const auto& view : views().entries()) {
    const std::size_t named = text.find(view->name(), more);
    EXPECT_EQ(named == std::string::npos, shown.contains(view->name())) << view->name();
  }
  RenderOptions options;
  options.views = {"models"};
  const std::string models = *render(one(), "text", options);
  EXPECT_TRUE(models.starts_with("models\n")) << models;
  EXPECT_EQ(models.find("more:"), std::string::npos);
}

TEST(Report, JsonIsAnObjectOrAnArray) {
  const std::string object = *render(one(), "json", {});
  EXPECT_EQ(object, to_json(*from_json(object), JsonStyle::indented()) + '\n');
  const std::vector<Result> sweep = stored_results("sweep.jsonl");
  EXPECT_TRUE(render(sweep, "json", {})->starts_with("[\n{"));
  EXPECT_EQ(*results_from_json(*render(sweep, "json", {})), sweep);
  EXPECT_EQ(*render({}, "json", {}), "[]\n");
}

TEST(Report, JsonLinesHasOneLinePerResult) {
  const std::vector<Result> sweep = stored_results("sweep.jsonl");
  const std::string lines = *render(sweep, "jsonl", {});
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(lines, '\n')), sweep.size());
  EXPECT_EQ(*results_from_json(lines), sweep);
  RenderOptions lean;
  lean.listing = false;
  EXPECT_EQ(render(one(), "jsonl", lean)->find("\"listing\""), std::string::npos);
}

TEST(Report, TheNumberStandsAlone) {
  EXPECT_EQ(*render(one(), "number", {}), "146.6549\n");
  EXPECT_EQ(*render(stored_results("error_block.json"), "number", {}), "-\n");
}

TEST(Report, ExplainShowsTheListing) {
  const std::string text = *render_explain(one(), "text", {});
  for (const char* part : {"listing", "critical path", "stalls", "LDG.E R5, [R2];"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

TEST(Report, SeveralResultsAreOneTable) {
  const std::string text = *render(stored_results("sweep.jsonl"), "text", {});
  EXPECT_TRUE(text.starts_with("saxpy2 on 2 GPUs: 13 predictions\n"));
  EXPECT_NE(text.find("fastest     19.14 ms  gpu=titanx block=256 a=1"), std::string::npos);
  EXPECT_NE(text.find("error: gpu=gtx970 block=2048 a=128: --block"), std::string::npos);
}

TEST(Report, EveryFormatTakesNoResultAtAll) {
  for (const ReportChoice& format : report_formats()) {
    EXPECT_TRUE(render({}, format.name, {})) << format.name;
    EXPECT_TRUE(render({Result(), Result()}, format.name, {})) << format.name;
  }
}

TEST(Report, ChoicesHaveNameAndSentence) {
  EXPECT_EQ(report_formats().front().name, "text");
  EXPECT_EQ(report_views().front().name, "summary");
  for (const ReportChoice& choice : report_views()) EXPECT_FALSE(choice.sentence.empty());
}

TEST(Markdown, MarkupInTextIsHarmless) {
  EXPECT_EQ(report::markdown_escaped("a|b *c* <i> & `d`"), "a\\|b \\*c\\* &lt;i> &amp; \\`d\\`");
}

TEST(Markdown, TablesHaveTheirRule) {
  const std::string text = *render(one(), "markdown", {});
  EXPECT_NE(text.find("| resource | cycles/warp | time | of time | formula | |\n"
                      "| --- | ---: | ---: | ---: | --- | --- |\n"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace forewarp::tests
