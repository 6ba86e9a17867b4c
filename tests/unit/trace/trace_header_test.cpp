// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/trace_header.h"

#include <string>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

TraceHeader example() {
  TraceHeader header;
  header.written_as = "forewarp";
  header.complete = true;
  header.files = {"warps.gz"};
  header.tool_version = "1.2.3";
  header.kernel.name = "axpy";
  header.kernel.registers = 12;
  header.kernel.static_shared = 64;
  header.gpu = {"board", "A board", "7.5", "", "", 0, 0};
  header.launch.grid = {5, 2, 1};
  header.launch.block = {32, 1, 1};
  header.launch.arguments = {{"n", "7"}, {"x", "buffer of 8 bytes"}};
  SamplePlan plan;
  plan.strata.resize(2);
  plan.strata[0].size = 1;
  plan.strata[0].blocks = {0};
  plan.strata[1].size = 9;
  plan.strata[1].blocks = {3, 8};
  header.choose(plan);
  header.warps = 3;
  header.recorded = 30;
  header.estimated = 100;
  header.relative_error = 0.25;
  header.buffers = {{"x", 0x7f0000000000U, 8}};
  header.code = {{8, "MOV R1, \"quoted\"", "move"}, {16, "EXIT", "exit"}};
  header.findings = {{"misaligned", "somewhere"}};
  header.assumptions = {{"an-id", "a text", "--option"}};
  return header;
}

TEST(TraceHeader, ComesBackFromItsJson) {
  const TraceHeader header = example();
  EXPECT_EQ(header.of_blocks, 10U);
  EXPECT_EQ(header.held_blocks, 3U);
  const std::string text = to_json(header);
  const auto back = trace_header_from_json(text, "trace.json");
  ASSERT_TRUE(back) << back.error().line();
  EXPECT_EQ(to_json(*back), text);
  EXPECT_EQ(back->code, header.code);
  EXPECT_EQ(back->buffers, header.buffers);
  EXPECT_EQ(back->kernel, header.kernel);
  EXPECT_EQ(back->launch, header.launch);
  EXPECT_EQ(back->findings, header.findings);
  EXPECT_EQ(back->assumptions, header.assumptions);
  ASSERT_EQ(back->strata.size(), 2U);
  EXPECT_EQ(back->strata[1].blocks, (std::vector<std::uint64_t>{3, 8}));
  EXPECT_EQ(back->strata[1].weight(), 4.5);
}

TEST(TraceHeader, AWholeGridNeedsNoList) {
  TraceHeader header = example();
  header.choose(plan_all(header.launch.grid));
  const std::string text = to_json(header);
  EXPECT_NE(text.find("\"blocks\": {\"of\":10,\"held\":10,\"strata\":[]}"), std::string::npos);
  const auto back = trace_header_from_json(text, "trace.json");
  ASSERT_TRUE(back) << back.error().line();
  EXPECT_TRUE(back->whole_grid());
}

std::string refusal(const std::string& from, const std::string& to) {
  std::string text = to_json(example());
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos);
  text.replace(place, from.size(), to);
  const auto header = trace_header_from_json(text, "T");
  return header ? "taken" : header.error().line();
}

TEST(TraceHeader, RefusesWhatIsWrong) {
  EXPECT_EQ(refusal("forewarp.trace/1", "forewarp.trace/2"),
            "T: 'schema' is the text 'forewarp.trace/2'; expected the text 'forewarp.trace/1'");
  EXPECT_EQ(refusal("\"files\"", "\"fils\""), "T: it lacks the key 'files'");
  EXPECT_EQ(refusal("\"of\":10", "\"of\":11"), "T: 'blocks' does not fit the grid");
  EXPECT_EQ(refusal("[3,8]", "[3]"), "T: 'blocks' does not fit the grid");
  EXPECT_EQ(refusal("\"stand_for\":9,", "\"stand_for\":8,"), "T: 'blocks' does not fit the grid");
  EXPECT_EQ(refusal("\"stand_for\":1,", "\"stand_for\":0,"),
            "T: 'blocks.strata[0]' holds 1 blocks for 0");
  EXPECT_EQ(refusal("[5,2,1]", "[5,2]"),
            "T: 'launch.grid' is a list of 2; expected three sizes [x, y, z]");
  EXPECT_EQ(refusal("\"registers\":12", "\"registers\":-1"),
            "T: 'kernel.registers' is the number -1; expected a whole number from 0 to 4294967295");
  EXPECT_EQ(refusal("\"complete\": true", "\"new key\": 1, \"complete\": true"), "taken");
}

}  // namespace
}  // namespace forewarp::tests
