// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <map>

#include <gtest/gtest.h>

#include "../../golden/stored_result.h"
#include "report/view.h"

namespace forewarp::tests {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(std::string_view view, const Result& result) {
  const Expected<const View*> found = views().find(view);
  if (!found) {
    ADD_FAILURE() << found.error().line();
    return {};
  }
  return (*found)->lines(result, {});
}

bool has_line(const Lines& lines, std::string_view part) {
  return std::ranges::any_of(
      lines, [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

TEST(Views, TheSummaryAnswersFirst) {
  const Lines lines = lines_of("summary", stored_result("saxpy2_gtx970.json"));
  ASSERT_GE(lines.size(), 2U);
  EXPECT_TRUE(lines[0].starts_with("saxpy2 on NVIDIA GeForce GTX 970 (sm_52, 13 SMs, 1.253 GHz)"));
  EXPECT_TRUE(lines[0].ends_with("data/gpus/gtx970.toml"));
  EXPECT_TRUE(lines[1].starts_with("  time        146.7 ms ")) << lines[1];
  EXPECT_TRUE(has_line(lines, "3990 cycles         of a lone warp = 918 + 24*a"));
  EXPECT_TRUE(has_line(lines, "64 of 64 warps/SM"));
}

TEST(Views, FindingsStandBeforeTheAnswer) {
  const Lines lines = lines_of("summary", stored_result("transpose_findings.json"));
  EXPECT_TRUE(lines[1].starts_with("  ! unknown-opcode: 2 instructions"));
}

TEST(Views, AnErrorHasNoTime) {
  const Lines lines = lines_of("summary", stored_result("error_block.json"));
  EXPECT_TRUE(has_line(lines, "error: --block: 2048 threads in a block; expected at most 1024"));
  EXPECT_FALSE(has_line(lines, "  time"));
}

TEST(Views, ALatencyThatIsANumberIsNotToldTwice) {
  Result result = stored_result("saxpy2_gtx970.json");
  result.latency = {942, "942"};
  EXPECT_FALSE(has_line(lines_of("summary", result), "= 942"));
}

TEST(Views, TheSlowestSourceLineIsSaidFirst) {
  Result result;
  result.kernel.input = "k.cu";
  result.source_weighed_by = "what it moves";
  Result::SourceLine load, rest;
  load.file = rest.file = "k.cu";
  load.line = 7;
  load.text = "  y[i] = x[i];";
  load.time_share = 0.8;
  rest.file = "/usr/include/f.h";
  rest.line = 3;
  rest.time_share = 0.2;
  result.source = {rest, load};
  result.source_loops = {{"k.cu", 6, 8, 0x100, 64, "n/16", 0.75, 1}};
  const Lines lines = lines_of("source", result);
  EXPECT_TRUE(has_line(lines, "slowest: line 7, 80.0 % of the time (what it moves): y[i] = x[i];"));
  EXPECT_TRUE(has_line(lines, "lines 6-8  64 passes (n/16), 75.0 % of the time; from 0x0100"));
  EXPECT_TRUE(has_line(lines, "f.h:3  20.0 %"));
  EXPECT_TRUE(has_line(lines, "(source not at hand)"));
}

/// A loop from 0x100 to 0x200 whose line 7 has these instructions, then one more outside of it.
Result with_loop(const std::string& formula, const std::map<std::string, int>& instructions) {
  Result result;
  result.kernel.input = "k.cu";
  result.source.push_back({});
  result.source.back().file = "k.cu";
  result.source.back().line = 7;
  result.source_loops = {{"k.cu", 6, 8, 0x100, 64, formula, 0.75, 1}};
  std::uint32_t address = 0x100;
  const auto add = [&](const std::string& text, int depth) {
    Result::ListingLine line;
    line.address = address;
    line.text = text;
    line.instruction_class = text.find("LDG") == std::string::npos ? "fp32" : "load_global";
    if (text.starts_with("IADD3")) line.instruction_class = "integer";
    line.loop_depth = depth;
    line.loop_head = address == 0x100;
    line.source_file = "k.cu";
    line.source_line = 7;
    result.listing.push_back(line);
    address += 0x10;
  };
  for (const auto& [text, count] : instructions) {
    for (int i = 0; i < count; ++i) add(text, 1);
  }
  add("FADD R0, R0, R1", 0);
  return result;
}

// A pass of the code is 16 iterations of the source where the compiler made 16 copies.
TEST(Views, AnUnrolledLoopIsToldAsSuch) {
  const std::string copies = "copies of the body: unrolled";
  const auto told = [&](const std::string& formula, const std::map<std::string, int>& code) {
    return lines_of("source", with_loop(formula, code));
  };
  EXPECT_TRUE(has_line(told("n/16", {{"LDG.E R1, [R2]", 32}, {"@P0 FFMA R0, R1, R1, R0", 16}}),
                       "64 passes (n/16) of 16 copies of the body: unrolled, 75.0 % of the time"));
  // A counter that all copies share says nothing against it.
  EXPECT_TRUE(
      has_line(told("max(1, (n + 3)/4)", {{"IADD3 R9, R9, 1, RZ", 1}, {"LDG.E R1, [R2]", 4}}),
               "of 4 " + copies));
  // Two loads a pass are no copies where the passes are not halved, or an addition stands once.
  EXPECT_FALSE(has_line(told("n", {{"LDG.E R1, [R2]", 2}, {"FADD R0, R1, R0", 2}}), copies));
  EXPECT_FALSE(has_line(told("n/2", {{"LDG.E R1, [R2]", 2}, {"FADD R0, R1, R0", 1}}), copies));
  // Without a formula, several kinds have to occur alike and often.
  EXPECT_TRUE(
      has_line(told("64", {{"LDG.E R1, [R2]", 4}, {"FADD R0, R1, R0", 4}}), "of 4 " + copies));
  EXPECT_FALSE(has_line(told("64", {{"LDG.E R1, [R2]", 3}, {"FADD R0, R1, R0", 3}}), copies));
  EXPECT_FALSE(has_line(told("64", {{"LDG.E R1, [R2]", 8}, {"FADD R0, R1, R0", 4}}), copies));
  EXPECT_FALSE(has_line(told("64", {{"LDG.E R1, [R2]", 4}}), copies));
}

TEST(Views, WithoutSourceLinesTheWayToThemIsTold) {
  EXPECT_TRUE(has_line(lines_of("source", Result{}), "give the .cu, or compile with -lineinfo"));
}

Result with_bounds(const std::vector<double>& times) {
  Result result;
  result.time_ms = 100;
  for (const double time : times) {
    result.bounds.push_back({"r" + std::to_string(time), "", time, time, time / 100, ""});
  }
  return result;
}

// 98 of 100 is within 2 % of the tightest, 97.9 is not.
TEST(Views, BoundsWithinTwoPercentOfTheTightestAreTheBottleneck) {
  const Lines lines = lines_of("bounds", with_bounds({100, 98, 97.9, 40}));
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_TRUE(lines[2].ends_with("bottleneck")) << lines[2];
  EXPECT_TRUE(lines[3].ends_with("bottleneck")) << lines[3];
  EXPECT_FALSE(lines[4].ends_with("bottleneck")) << lines[4];
  EXPECT_FALSE(lines[5].ends_with("bottleneck")) << lines[5];
}

TEST(Views, NoBoundIsTheBottleneckWhenLatencyLimits) {
  Result result = with_bounds({50, 40});
  result.limited_by.resource = "latency";
  EXPECT_FALSE(has_line(lines_of("bounds", result), "bottleneck"));
  result.bounds.push_back({"latency", "", 100, 100, 1, ""});
  EXPECT_TRUE(has_line(lines_of("bounds", result), "bottleneck"));
}

TEST(Views, TheListingMarksThePathAndTheLoop) {
  const Lines lines = lines_of("listing", stored_result("saxpy2_gtx970.json"));
  const auto line_with = [&](std::string_view text) {
    const auto found = std::ranges::find_if(
        lines, [&](const std::string& line) { return line.find(text) != std::string::npos; });
    return found == lines.end() ? std::string() : *found;
  };
  EXPECT_NE(line_with("LDG.E R5, [R2];").find("3631  *   R3 from 0x0110 (6)"), std::string::npos);
  EXPECT_NE(line_with("IADD32I").find("a = 128"), std::string::npos);
  EXPECT_NE(line_with("IADD32I").find("   >  "), std::string::npos);
  EXPECT_NE(line_with("BRA 0x140").find("      -"), std::string::npos);  // never issued
  EXPECT_NE(line_with("{ FADD R5, R0, R5;").size(), 0U);
  EXPECT_NE(line_with("@P0 BRA 0xd0; }").size(), 0U);
}

TEST(Views, ThePathNamesWhatCarriesIt) {
  const Lines lines = lines_of("path", stored_result("saxpy2_gtx970.json"));
  EXPECT_TRUE(has_line(lines, "3990 cycles = 918 + 24*a"));
  // Issued at 432, the next line of the path at 3616: 3184 of 3990 cycles.
  EXPECT_TRUE(has_line(lines, "0x00f0    3184   79.8 %  ################....  @P0 BRA 0xd0;"));
  EXPECT_TRUE(has_line(lines, "@P0 BRA 0xd0;        24.9 in each of 128 passes"));
  EXPECT_TRUE(has_line(lines, "0x00b8     350    8.8 %"));
}

TEST(Views, TheStepsOfThePathAddUp) {
  Result result;
  result.latency.cycles = 100;
  for (const auto& [issue, cycles] : {std::pair{0.0, 30.0}, {30.0, 60.0}, {90.0, 10.0}}) {
    Result::ListingLine line;
    line.address = static_cast<std::uint32_t>(issue);
    line.issue_cycle = issue;
    line.path_cycles = cycles;
    line.critical = true;
    result.listing.push_back(line);
  }
  const Lines lines = lines_of("path", result);
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_TRUE(lines[3].starts_with("   0x001e      60   60.0 %")) << lines[3];
  EXPECT_TRUE(lines[4].starts_with("   0x0000      30   30.0 %")) << lines[4];
  EXPECT_TRUE(lines[5].starts_with("   0x005a      10   10.0 %")) << lines[5];
}

TEST(Views, SmallBoundsAreOnlyNamed) {
  const Lines lines = lines_of("bounds", with_bounds({100, 5, 4.9}));
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_TRUE(lines[3].starts_with("  r5.0"));
  EXPECT_EQ(lines[4], "  below 5.0 % of the tightest: r4.900000");
}

TEST(Views, TheProfileIsSortedByCount) {
  const Lines lines = lines_of("profile", stored_result("saxpy2_gtx970.json"));
  const auto place = [&](std::string_view name) {
    return std::ranges::find_if(lines, [&](const std::string& line) {
      return line.starts_with("  " + std::string(name) + ' ');
    });
  };
  EXPECT_LT(place("iadd"), place("isetp"));
  EXPECT_LT(place("exit"), place("store-global"));
  EXPECT_TRUE(has_line(lines, "3.200 GB read"));
}

TEST(Views, EveryViewCopesWithAnyResult) {
  Result odd = stored_result("saxpy2_gtx970.json");
  const double none = std::numeric_limits<double>::quiet_NaN();
  odd.time_ms = none;
  odd.interval_ms = {none, none};
  odd.latency.cycles = none;
  odd.occupancy.needed_warps = odd.occupancy.waves = none;
  for (auto& bound : odd.bounds) bound.cycles_per_warp = bound.time_ms = bound.share = none;
  for (auto& line : odd.listing) line.executions = line.latency = none;
  odd.profile.warp_instructions = none;
  for (const Result& result : {Result(), stored_result("error_block.json"), odd}) {
    for (const auto& view : views().entries()) {
      const Lines lines = view->lines(result, {.width = 0});
      EXPECT_FALSE(lines.empty()) << view->name();
      for (const std::string& line : lines) {
        EXPECT_EQ(line.find(" nan"), std::string::npos) << view->name() << ": " << line;
      }
    }
  }
}

/// Two issues on one scheduler: at 0, and at 10 after waiting for device memory.
Result simulated() {
  Result result;
  result.model = "sim";
  SimulationFacts& seen = result.simulation;
  seen.cycles = seen.followed_cycles = 11;
  seen.ipc = 2 / 11.0;
  seen.issue_cycles = 1;
  seen.schedulers = 1;
  seen.instructions = {{0x8, 1, {{"issue", 1}}},
                       {0x10, 1, {{"issue", 1}, {"memory", 8}, {"pipe", 1}}}};
  seen.causes = {"issue", "memory"};
  seen.timeline = {{0, 0, 0, 0, 0x8, 0}, {10, 0, 0, 0, 0x10, 1}};
  seen.occupancy = {1, 17, 0.5, 0.25, 0.85, {{0, 17}, {5, 4}}};
  seen.blocks = {3, 5, 6, 7, 8, 11};
  result.stalls = {{"memory_dram", 0.8}, {"issued", 0.2}};
  result.listing.resize(2);
  result.listing[0].address = 0x8;
  result.listing[0].pipe = "lsu";
  result.listing[1].address = 0x10;
  result.listing[1].text = "FADD R0, R0, R5";
  result.listing[1].pipe = "core";
  return result;
}

TEST(Views, TheTimelineShowsWhatASchedulerWaitedFor) {
  const Lines lines = lines_of("timeline", simulated());
  // 96 columns at most, 83 beside the label: the first and the last 7.5 are issues of 11 cycles.
  EXPECT_TRUE(has_line(lines, "scheduler 0  ########mmmmm")) << lines[1];
  EXPECT_TRUE(has_line(lines, "# issue, m device memory"));
  EXPECT_TRUE(has_line(lines, "block 0 warp 0  llllll"));
  EXPECT_TRUE(has_line(lines, "l lsu, c core"));
  EXPECT_TRUE(has_line(lines, "0x0010  FADD R0, R0, R5"));
  EXPECT_TRUE(has_line(lines_of("timeline", Result()), "--model sim makes one"));
}

TEST(Views, StallsOfASimulationNameTheInstructions) {
  const Lines lines = lines_of("stalls", simulated());
  EXPECT_TRUE(has_line(lines, "IPC of an SM 0.182"));
  EXPECT_TRUE(has_line(lines, "data from device memory  80.0 %"));          // queues included
  EXPECT_TRUE(has_line(lines, "device memory 88.9 %, unit taken 11.1 %"));  // 8 and 1 of 9 cycles
  EXPECT_FALSE(has_line(lines, "0x0008"));                                  // nobody waited there
}

TEST(Views, TheListingShowsSimulatedStalls) {
  const Result result = simulated();
  const Lines lines = lines_of("listing", result);
  EXPECT_TRUE(has_line(lines, "9.00  device memory 88.9 %"));
  Result without = result;
  without.simulation = {};
  EXPECT_FALSE(has_line(lines_of("listing", without), "mostly for"));
}

TEST(Views, OccupancyOfASimulationIsToldOverTime) {
  Result result = simulated();
  result.occupancy.max_warps_per_sm = 20;
  const Lines lines = lines_of("occupancy", result);
  EXPECT_TRUE(has_line(lines, "at most 17; under half of them in 25.0 % of the time"));
  EXPECT_TRUE(has_line(lines, "85.0 %  of the throughput is left by 17 warps on 1 schedulers"));
  EXPECT_TRUE(has_line(lines, "quartiles 6, 7, 8, last 11"));
  EXPECT_TRUE(has_line(lines, "resident warps  88888"));  // 17 of 20
  EXPECT_TRUE(has_line(lines, "22222"));                  // 4 of 20
}

TEST(Views, ATimelineOfOddNumbersIsShown) {
  Result result = simulated();
  const double none = std::numeric_limits<double>::quiet_NaN();
  result.simulation.timeline = {{none, -1, 1e300, none, -5, 99}, {4, 0, 0, 0, 0x10, 1}};
  EXPECT_FALSE(lines_of("timeline", result).empty());
  result.simulation.timeline = {{4, 0, 0, 0, 0x10, 1}, {none, 0, 0, 0, 0, 0}};
  EXPECT_FALSE(lines_of("timeline", result).empty());
}

TEST(Views, EveryViewHasASentence) {
  for (const auto& view : views().entries()) EXPECT_GT(view->sentence().size(), 20U);
}

}  // namespace
}  // namespace forewarp::tests
