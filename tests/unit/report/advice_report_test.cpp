// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/documents/advice_report.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

Advice advice() {
  Advice all;
  all.now.kernel.name = "axpy";
  all.now.kernel.input = "axpy.cu";
  all.now.gpu.id = "board-x";
  all.now.gpu.name = "Board X";
  all.now.time_ms = 3;
  all.now.interval_ms = {2.5, 3.5};
  Advice::Edit edit;
  edit.kind = "vectors";
  edit.text = "move 16 bytes at once";
  edit.reason = "8 accesses would be 2";
  edit.condition = "they stay aligned";
  edit.how = "replayed";
  edit.address = 0x90;
  edit.file = "folder/axpy.cu";
  edit.line = 7;
  edit.source = "  y[i] = x[i];";
  edit.time_ms = 1.5;
  edit.interval_ms = {1.25, 2};
  edit.limited_by = "dram";
  edit.sure = "clear";
  all.gains.push_back(edit);
  Advice::Edit launch;
  launch.kind = "block-size";
  launch.text = "launch blocks of 64";
  launch.reason = "more warps";
  launch.time_ms = 2.9;
  launch.interval_ms = {2, 3.25};
  launch.sure = "uncertain";
  all.gains.push_back(launch);
  Advice::Edit refused;
  refused.kind = "registers";
  refused.text = "compile for 32";
  refused.refused = "k.cu: no, \"never\"";
  all.others.push_back(refused);
  return all;
}

std::string shown(std::string_view format, bool all = false) {
  const auto text = render_advice(advice(), format, all, {});
  return text ? *text : text.error().line();
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(AdviceReport, TextRanksGainsWithPlaceAndReason) {
  const std::string text = shown("text");
  EXPECT_TRUE(has(text, "axpy on Board X: 2 edits gain")) << text;
  EXPECT_TRUE(has(text, "1  2.00x  1.500 ms  clear      axpy.cu:7  move 16 bytes at once")) << text;
  EXPECT_TRUE(has(text, "2  1.03x  2.900 ms  uncertain  launch     launch blocks of 64")) << text;
  EXPECT_TRUE(has(text, "8 accesses would be 2")) << text;
  EXPECT_TRUE(has(text, "y[i] = x[i];")) << text;
  EXPECT_TRUE(has(text, "they stay aligned")) << text;
  EXPECT_TRUE(has(text, "1.250 .. 2.000 ms: replayed")) << text;
  EXPECT_TRUE(has(text, "1 more were tried")) << text;
  EXPECT_FALSE(has(text, "compile for 32")) << text;
}

TEST(AdviceReport, TheListHasWhatDoesNotGain) {
  const std::string text = shown("text", true);
  EXPECT_TRUE(has(text, "compile for 32: k.cu: no, \"never\"")) << text;
  EXPECT_FALSE(has(text, "more were tried")) << text;
  EXPECT_TRUE(has(shown("markdown", true), "compile for 32")) << text;
}

TEST(AdviceReport, CsvHasARowForEachEdit) {
  const std::string text = shown("csv");
  EXPECT_TRUE(has(text,
                  "1,vectors,1.5,1.25,2,2,clear,folder/axpy.cu,7,0x90,move 16 bytes at once,"
                  "8 accesses would be 2,they stay aligned,\n"))
      << text;
  EXPECT_TRUE(has(text, ",registers,,,,,,,,,compile for 32,,,\"k.cu: no, \"\"never\"\"\"\n"))
      << text;
}

TEST(AdviceReport, JsonHasFactorsAndNullsForWhatIsNotKnown) {
  const std::string text = shown("json");
  EXPECT_TRUE(has(text, "\"schema\": \"forewarp.advice/1\"")) << text;
  EXPECT_TRUE(has(text, "\"factor\": 2.0")) << text;
  EXPECT_TRUE(has(text, "\"address\": \"0x90\"")) << text;
  EXPECT_TRUE(has(text, "\"time_ms\": null")) << text;
}

TEST(AdviceReport, WithoutAGainSaysSo) {
  Advice none = advice();
  none.gains.clear();
  none.others.clear();
  const auto text = render_advice(none, "text", false, {});
  ASSERT_TRUE(text);
  EXPECT_TRUE(has(*text, "axpy on Board X: no edit gains")) << *text;
}

TEST(AdviceReport, AnUnknownFormatIsRefused) {
  EXPECT_EQ(shown("html"),
            "--format: no format of advice is named 'html'; expected text, markdown, json, csv");
}

}  // namespace
}  // namespace forewarp::tests
