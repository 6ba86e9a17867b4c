// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/workload/workload.h"

#include <gtest/gtest.h>

#include "test_paths.h"

namespace forewarp::tests {
namespace {

Case with_code() {
  Case request;
  request.input = "/code/app.sass";
  return request;
}

Workload parsed(std::string_view text) {
  const auto workload = parse_workload(text, "w.jsonl", with_code());
  EXPECT_TRUE(workload) << workload.error().line();
  return workload ? *workload : Workload{};
}

std::string refusal(std::string_view text) {
  const auto workload = parse_workload(text, "w.jsonl", {});
  return workload ? "read" : workload.error().line();
}

/// A case of eight blocks.
std::string line(const std::string& id, const std::string& kernel, const std::string& more) {
  return R"({"id": ")" + id + R"(", "kernel": ")" + kernel + R"(", "grid": 8, "block": 256)" +
         more + "}\n";
}

const std::string measured = R"(, "gpu": "t4", "measured_ms": )";
const std::string cases = line("a", "axpy", measured + R"(2, "count": 3)") + line("b", "dot", "") +
                          line("again", "axpy", measured + R"(7, "count": 2)");

TEST(Workload, EqualLaunchesAreOneWithTheirCounts) {
  const Workload workload = parsed(cases);
  ASSERT_EQ(workload.launches.size(), 2U);
  EXPECT_EQ(workload.launches[0].count, 5);
  EXPECT_EQ(workload.launches[0].request.id, "a");
  EXPECT_EQ(workload.launches[1].count, 1);
  // 3 launches of 2 ms and 2 of 7.
  ASSERT_EQ(workload.launches[0].measured.count("t4"), 1U);
  EXPECT_EQ(workload.launches[0].measured.at("t4"), std::pair(5.0, 20.0));
  EXPECT_TRUE(workload.launches[1].measured.empty());
}

TEST(Workload, IsWrittenAsCasesAndReadBackAlike) {
  const Workload workload = parsed(cases);
  const std::string lines = case_lines(workload);
  const Workload again = parsed(lines);
  ASSERT_EQ(again.launches.size(), 2U);
  EXPECT_EQ(again.launches[0].count, 5);
  EXPECT_EQ(case_lines(again), lines);
  EXPECT_EQ(lines.find("measured_ms"), std::string::npos);
}

TEST(Workload, ATraceOfSystemsHasALaunchARow) {
  const auto workload = read_workload(FOREWARP_FIXTURES "/exports/nsys_trace.csv", with_code());
  ASSERT_TRUE(workload) << workload.error().line();
  double launches = 0;
  for (const WorkloadLaunch& launch : workload->launches) launches += launch.count;
  EXPECT_GT(launches, 0);
  for (const WorkloadLaunch& launch : workload->launches) {
    EXPECT_EQ(launch.request.input, "/code/app.sass");
    EXPECT_FALSE(launch.request.kernel.empty());
  }
}

TEST(Workload, Refusals) {
  EXPECT_EQ(refusal("\n"),
            "w.jsonl: holds no launch; expected cases as JSON lines or a profiler's export");
  EXPECT_EQ(refusal(R"({"grid": 8, "count": 0})"),
            "w.jsonl:1: 'count' is the number 0; expected a number above 0");
}

WorkloadTable::Cell cell(double time_ms, double low, double high) {
  WorkloadTable::Cell made;
  made.time_ms = time_ms;
  made.interval_ms = {low, high};
  return made;
}

WorkloadTable::Cell refused() {
  WorkloadTable::Cell made;
  made.error = Diagnostic{"", "too many registers", "", ""};
  return made;
}

WorkloadTable table() {
  WorkloadTable made;
  made.boards = {
      {"slow", "", 0, {}, 0, {}}, {"fast", "", 0, {}, 0, {}}, {"small", "", 0, {}, 0, {}}};
  made.launches.resize(2);
  made.launches[0].count = 10;
  made.launches[0].kernel = "short";
  made.launches[0].cells = {cell(1, 0.5, 2), cell(0.5, 0.4, 0.6), cell(0.1, 0.1, 0.1)};
  made.launches[1].count = 2;
  made.launches[1].kernel = "long";
  made.launches[1].cells = {cell(15, 12, 20), cell(5, 4, 8), refused()};
  return made;
}

// slow: 10 * 1 + 2 * 15 = 40 ms; fast: 10 * 0.5 + 2 * 5 = 15 ms, of which 10 are the long one's.
TEST(Workload, TotalsSharesAndOrder) {
  WorkloadTable sum = table();
  add_up(sum);
  ASSERT_EQ(sum.boards[0].id, "fast");
  EXPECT_DOUBLE_EQ(sum.boards[0].total_ms, 15);
  EXPECT_DOUBLE_EQ(sum.boards[0].interval_ms[0], 10 * 0.4 + 2 * 4);
  EXPECT_DOUBLE_EQ(sum.boards[0].interval_ms[1], 10 * 0.6 + 2 * 8);
  EXPECT_DOUBLE_EQ(sum.boards[1].total_ms, 40);
  EXPECT_EQ(sum.boards[2].id, "small");  // quick, but it refuses two launches
  EXPECT_EQ(sum.boards[2].refused, 2);
  EXPECT_EQ(sum.launches[0].kernel, "long");
  EXPECT_DOUBLE_EQ(sum.launches[0].cells[0].share, 10.0 / 15);
  EXPECT_DOUBLE_EQ(sum.launches[0].cells[1].share, 30.0 / 40);
  EXPECT_EQ(sum.launches[0].cells[2].error->line(), "too many registers");
}

// Ten of 1.5 ms and two of 4; without one of them there is no measured total.
TEST(Workload, MeasuredTotalsNeedEveryLaunch) {
  WorkloadTable sum = table();
  sum.launches[0].cells[1].measured_ms = 1.5;
  WorkloadTable part = sum;
  sum.launches[1].cells[1].measured_ms = 4;
  add_up(sum);
  add_up(part);
  EXPECT_EQ(sum.boards[0].measured_ms, 10 * 1.5 + 2 * 4);
  EXPECT_FALSE(part.boards[0].measured_ms.has_value());
}

}  // namespace
}  // namespace forewarp::tests
