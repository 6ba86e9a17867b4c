// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Shares of source lines: the bundled kernel with markers of lines in its listing.
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "explain/listing_builder.h"
#include "result/simulation_waits.h"
#include "saxpy2_case.h"

namespace forewarp::tests {
namespace {

/// Line 1: all before the first load of x; 2: that and the loop; 3: the load of y; 4: the store on.
std::string with_markers() {
  std::ifstream file(std::string(FOREWARP_SOURCE_DIR) + "/examples/saxpy2.sass");
  std::string text, line;
  const std::map<std::string, int> begins{
      {"/*0010*/", 1}, {"/*00b8*/", 2}, {"/*0118*/", 3}, {"/*0130*/", 4}};
  while (std::getline(file, line)) {
    for (const auto& [address, number] : begins) {
      if (line.find(address) == std::string::npos) continue;
      text += "\t//## File \"<source>\", line " + std::to_string(number) + "\n";
    }
    text += line + '\n';
  }
  return text;
}

class SourceReport : public testing::Test {
 protected:
  Result predicted(std::int64_t a, const std::string& model, std::uint32_t blocks = 0) {
    const auto path = std::filesystem::path(testing::TempDir()) / "marked_saxpy2.sass";
    std::ofstream(path) << with_markers();
    Case request = saxpy2_case(a);
    request.input = path.string();
    if (blocks > 0) request.launch.grid[0] = blocks;
    PredictOptions options;
    options.models = {model};
    ResultDetail detail;
    detail.listing = detail.simulation = true;
    Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
    return predictor.predict_all(request, options, detail).front();
  }
};

double sum(const Result& result, double Result::SourceLine::*share) {
  double all = 0;
  for (const Result::SourceLine& line : result.source) all += line.*share;
  return all;
}

const Result::SourceLine& line_of(const Result& result, std::uint32_t number) {
  for (const Result::SourceLine& line : result.source) {
    if (line.line == number) return line;
  }
  ADD_FAILURE() << "no line " << number;
  return result.source.front();
}

TEST_F(SourceReport, SharesAddUpToOne) {
  for (const char* model : {"volkov", "sim"}) {
    const Result result = predicted(16, model);
    ASSERT_FALSE(result.error) << result.error->line();
    ASSERT_GE(result.source.size(), 4U);
    EXPECT_NEAR(sum(result, &Result::SourceLine::time_share), 1, 1e-9) << model;
    EXPECT_NEAR(sum(result, &Result::SourceLine::issue_share), 1, 1e-9) << model;
    EXPECT_NEAR(sum(result, &Result::SourceLine::traffic_share), 1, 1e-9) << model;
  }
}

// No file has the source of a program that was given; its listing says lines of "<source>".
TEST_F(SourceReport, LinesOfWhatWasGivenAreShown) {
  Case request = saxpy2_case(16);
  request.input = "-";
  PredictOptions options;
  options.models = {"volkov"};
  ResultDetail detail;
  detail.listing = true;
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  predictor.give_input("-", with_markers());
  const Result result = predictor.predict_all(request, options, detail).front();
  ASSERT_FALSE(result.error) << result.error->line();
  // The listing stands for its source here: the text of line 3 is that of the listing.
  std::istringstream text(with_markers());
  std::string line;
  for (int number = 0; number < 3; ++number) std::getline(text, line);
  EXPECT_EQ(line_of(result, 3).text, line);
}

TEST_F(SourceReport, IssuingIsNoWait) {
  const Result result = predicted(16, "sim");
  for (const Result::SourceLine& line : result.source) EXPECT_NE(line.waits, "issue") << line.line;
  double all = 0;  // cycles: one for each issue, and what was waited before it
  for (const auto& seen : result.simulation.instructions) all += seen.issues * (1 + waited(seen));
  for (const Result::ListingLine& line : result.listing) {
    for (const auto& seen : result.simulation.instructions) {
      if (seen.address != line.address) continue;
      EXPECT_NEAR(line.time_share, seen.issues * (1 + waited(seen)) / all, 1e-9) << line.text;
    }
  }
}

TEST_F(SourceReport, TrafficIsThatOfTheLinesAccesses) {
  const Result result = predicted(1, "volkov");  // 4 sectors each: two loads and a store
  EXPECT_EQ(line_of(result, 1).traffic_share, 0);
  for (const std::uint32_t number : {2U, 3U, 4U}) {
    EXPECT_NEAR(line_of(result, number).traffic_share, 1.0 / 3, 1e-9) << number;
  }
}

/// What a line with all of a kernel's accesses says of them; the launch's words are `stride` apart.
std::string accesses_of(const std::string& kernel, std::int64_t stride) {
  std::ifstream file(FOREWARP_FIXTURES "/listings/strided_shared.sm_70.sass");
  std::string text, line;
  while (std::getline(file, line)) {
    if (line.find("/*0000*/") != std::string::npos) text += "\t//## File \"<source>\", line 7\n";
    text += line + '\n';
  }
  const auto path = std::filesystem::path(testing::TempDir()) / "marked_strided.sass";
  std::ofstream(path) << text;
  Case request;
  request.input = path.string();
  request.gpu = "v100-sxm2-32";
  request.kernel = kernel;
  request.launch.grid = {1, 1, 1};
  request.launch.block = {32, 1, 1};
  request.launch.dynamic_shared = 32 << 10;
  NamedArgument to, by, offset;
  to.index = 0;
  to.value.kind = Argument::Kind::buffer;
  to.value.buffer_bytes = 4096;
  by.index = 1;
  by.value.integer = stride;
  offset.index = 2;
  request.launch.arguments = {to, by, offset};
  ResultDetail detail;
  detail.listing = true;
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  const Result result = predictor.predict_all(request, {}, detail).front();
  if (result.error) return result.error->line();
  return line_of(result, 7).memory;
}

// Words 8 apart share a bank eight by eight; 8 bytes a lane take two passes without any conflict.
TEST_F(SourceReport, BankConflictsStandBesideWhatGoesBeyond) {
  EXPECT_EQ(accesses_of("strided_shared_4", 1), "4 sectors; 1 wavefront");
  EXPECT_EQ(accesses_of("strided_shared_4", 8), "4 sectors; 8 wavefronts, bank conflict x8");
  EXPECT_EQ(accesses_of("strided_shared_8", 1), "8 sectors; 2 wavefronts");
  EXPECT_EQ(accesses_of("strided_shared_8", 2), "8 sectors; 4 wavefronts, bank conflict x2");
}

// All of a stencil's loads on one line: its rates are those of the whole launch, not of the load
// that asks for most.
TEST_F(SourceReport, HitRatesAreThoseOfAllLoadsOfTheLine) {
  std::ifstream file(FOREWARP_FIXTURES "/listings/stencil.sm_70.sass");
  std::string text, line;
  while (std::getline(file, line)) {
    if (line.find("/*0000*/") != std::string::npos) text += "\t//## File \"<source>\", line 7\n";
    text += line + '\n';
  }
  const auto path = std::filesystem::path(testing::TempDir()) / "marked_stencil.sass";
  std::ofstream(path) << text;
  Case request;
  request.input = path.string();
  request.gpu = "v100-sxm2-32";
  request.launch.grid = {16, 64, 1};
  request.launch.block = {32, 8, 1};
  for (std::uint32_t i = 0; i < 6; ++i) {
    NamedArgument argument;
    argument.index = i;
    if (i < 2) {
      argument.value.kind = Argument::Kind::buffer;
      argument.value.buffer_bytes = 512 * 512 * 4;
    } else {
      argument.value.integer = i < 4 ? 512 : 1;
    }
    request.launch.arguments.push_back(argument);
  }
  ResultDetail detail;
  detail.listing = true;
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  const Result result = predictor.predict_all(request, {}, detail).front();
  ASSERT_FALSE(result.error) << result.error->line();
  const double l1 = result.profile.l1_hit_rate, l2 = result.profile.l2_hit_rate;
  ASSERT_GT(l1, 0);
  EXPECT_NE(line_of(result, 7).memory.find(hit_rates_text(l1, l2)), std::string::npos)
      << line_of(result, 7).memory << " against" << hit_rates_text(l1, l2);
}

TEST_F(SourceReport, WhereMemoryLimitsTimeIsWhatIsMoved) {
  const Result result = predicted(1, "volkov");
  ASSERT_EQ(result.limited_by.resource, "dram");
  EXPECT_EQ(result.source_weighed_by, "what it moves, as memory limits");
  EXPECT_EQ(line_of(result, 1).time_share, 0);
  EXPECT_NEAR(line_of(result, 4).time_share, 1.0 / 3, 0.05);
}

// Loads that overlap count once: a line's share is that of its instructions on the critical path.
TEST_F(SourceReport, WhereLatencyLimitsTimeIsThatOfTheCriticalPath) {
  const Result result = predicted(16, "volkov", 1);
  ASSERT_EQ(result.limited_by.resource, "latency");
  EXPECT_EQ(result.source_weighed_by.substr(0, 32), "cycles on a warp's critical path");
  double all = 0;
  for (const Result::ListingLine& line : result.listing) all += line.path_cycles;
  for (const Result::ListingLine& line : result.listing) {
    EXPECT_NEAR(line.time_share, line.path_cycles / all, 1e-9) << line.text;
  }
}

// 1024 passes of a loop of four instructions: fetching limits. A taken branch takes 1.68 slots more
// than its own (data/isa/maxwell.toml).
TEST_F(SourceReport, WhereAUnitLimitsTimeIsWhatIsTakenOfIt) {
  const Result result = predicted(1024, "volkov");
  ASSERT_EQ(result.source_weighed_by, "what it takes of instruction fetch");
  EXPECT_GT(line_of(result, 2).time_share, 0.99);
  double branch = 0, others = 0;
  for (const Result::ListingLine& line : result.listing) {
    if (line.executions < 1000) continue;
    (line.instruction_class == "branch" ? branch : others) += line.time_share;
  }
  EXPECT_NEAR(branch / others, 2.68 / 3, 0.02);
}

// The simulation counts waits at a barrier before what issues next; they are the barrier's.
TEST_F(SourceReport, WaitsAtABarrierAreTheBarriers) {
  Case request;
  request.input = std::string(FOREWARP_SOURCE_DIR) + "/validation/kernels/four_kernels.sass";
  request.kernel = "dot_product";
  request.gpu = "titanv";
  request.launch.grid = {80, 1, 1};
  request.launch.block = {64, 1, 1};
  NamedArgument n;
  n.index = 3;
  n.value.integer = 100'000;
  request.launch.arguments.push_back(n);
  PredictOptions options;
  options.models = {"sim"};
  ResultDetail detail;
  detail.listing = detail.simulation = true;
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  const Result result = predictor.predict_all(request, options, detail).front();
  ASSERT_FALSE(result.error) << result.error->line();
  int checked = 0;
  for (const auto& seen : result.simulation.instructions) {
    for (std::size_t i = 1; i < result.listing.size(); ++i) {
      const auto &barrier = result.listing[i - 1], &next = result.listing[i];
      if (next.address != seen.address || barrier.instruction_class != "barrier") continue;
      double there = 0;
      for (const auto& [cause, cycles] : seen.stalls) there += cause == "barrier" ? cycles : 0;
      if (there < 2 * (waited(seen) - there) + 2) continue;
      EXPECT_GT(barrier.time_share, next.time_share) << barrier.text;
      ++checked;
    }
  }
  EXPECT_GT(checked, 0);
}

// A launch of one wave: the tightest bound alone would take half of its time.
TEST_F(SourceReport, WhereNoBoundExplainsTheTimeTheCriticalPathDoes) {
  const Result result = predicted(16, "volkov", 104);
  ASSERT_LT(result.limited_by.share, 0.6);
  EXPECT_NE(
      result.limited_by.sentence.find("no bound explains the time: alone this one would take 50 %"),
      std::string::npos)
      << result.limited_by.sentence;
  EXPECT_EQ(result.source_weighed_by.substr(0, 32), "cycles on a warp's critical path");
  const Result more = predicted(16, "volkov", 208);
  ASSERT_GT(more.limited_by.share, 0.6);
  EXPECT_EQ(more.limited_by.sentence.find("no bound"), std::string::npos);
  EXPECT_EQ(more.source_weighed_by, "what it takes of instruction fetch");
}

TEST_F(SourceReport, ALoopHoldsItsLinesAndTheirTime) {
  const Result few = predicted(2, "sim"), many = predicted(256, "sim");
  ASSERT_EQ(many.source_loops.size(), 1U);
  EXPECT_EQ(many.source_loops[0].first_line, 2U);
  EXPECT_EQ(many.source_loops[0].last_line, 2U);
  EXPECT_EQ(many.source_loops[0].trips, 256);
  EXPECT_GT(many.source_loops[0].time_share, few.source_loops[0].time_share);
  EXPECT_GT(line_of(many, 2).time_share, 0.8);
}

TEST_F(SourceReport, WithoutMarkersThereAreSharesButNoLines) {
  PredictOptions options;
  options.models = {"volkov"};
  ResultDetail detail;
  detail.listing = true;
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  const Result result = predictor.predict_all(saxpy2_case(1), options, detail).front();
  EXPECT_TRUE(result.source.empty());
  double all = 0;
  for (const Result::ListingLine& line : result.listing) all += line.time_share;
  EXPECT_NEAR(all, 1, 1e-9);
}

}  // namespace
}  // namespace forewarp::tests
