// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "validation/calibration/host_fit.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "hardware/host_database.h"

namespace forewarp::tests {
namespace {

Link link_of_others() {
  Link link;
  link.theory_gbs = 16;
  for (auto& by_memory : link.paths) {
    for (CopyPath& path : by_memory) path = {5, 0.75, 0};
  }
  link.host_gbs = 11;
  link.piece_bytes = 1000;
  return link;
}

HostStart start() {
  HostStart at;
  at.host.first_touch_gbs = 7;
  at.launch_us = 8;
  return at;
}

Host truth() {
  Host host;
  host.paths = {HostPath{6, 7}, HostPath{5, 8}};
  host.first_touch_gbs = 5;
  host.launch_us = 12;
  host.call_us = 20;
  return host;
}

HostRun timed(HostRun run) {
  run.ms = run_ms(run, link_of_others(), truth());
  return run;
}

/// Every kind of thing alone and with others, small and large.
std::vector<HostRun> of_everything() {
  std::vector<HostRun> runs;
  for (const double bytes : {1e3, 1e4, 1e5, 1e6, 1e7, 1e8}) {
    runs.push_back(timed({"", {{CopyDirection::to_device, HostSide::pageable, bytes}}, 0, 0, 0}));
    runs.push_back(timed({"", {{CopyDirection::to_host, HostSide::pageable, bytes}}, 0, 0, 0}));
    runs.push_back(timed({"", {{CopyDirection::to_host, HostSide::untouched, bytes}}, 0, 0, 0}));
    runs.push_back(timed({"", {}, 0.01, 1, 0}));
    runs.push_back(timed({"", {}, 0.01, 1, 3}));
  }
  return runs;
}

double value(const HostFit& fit, const std::string& path) {
  for (const HostNumber& number : fit.numbers) {
    if (number.path == path) return number.value;
  }
  return 0;
}

bool determined(const HostFit& fit, const std::string& path) {
  for (const HostNumber& number : fit.numbers) {
    if (number.path == path) return number.determined;
  }
  return false;
}

TEST(HostFit, ARunIsTheSumOfItsParts) {
  // 0.5 ms + 2 * 12 us + 3 * 20 us + (7 us + 6000 / 6e3 us + 1000 / 12e3 us)
  const HostRun run{"", {{CopyDirection::to_device, HostSide::pageable, 6000}}, 0.5, 2, 3};
  EXPECT_NEAR(run_ms(run, link_of_others(), truth()), 0.5 + (24 + 60 + 7 + 1 + 1 / 12.0) / 1e3,
              1e-12);
}

TEST(HostFit, FindsTheHostThatMadeTheRuns) {
  const auto runs = of_everything();
  const auto fit = fit_host(runs, link_of_others(), start());
  ASSERT_TRUE(fit) << fit.error().line();
  const std::pair<const char*, double> numbers[] = {
      {"h2d.gbs", 6},         {"h2d.startup_us", 7}, {"d2h.gbs", 5}, {"d2h.startup_us", 8},
      {"first_touch.gbs", 5}, {"launch.us", 12},     {"call.us", 20}};
  for (const auto& [path, expected] : numbers) {
    EXPECT_NEAR(value(*fit, path) / expected, 1, 0.01) << path;
    EXPECT_TRUE(determined(*fit, path)) << path;
  }
  EXPECT_LT(fit->error_after, 0.005);
  EXPECT_GT(fit->error_before, 0.2);
}

TEST(HostFit, OneRunThatWasDisturbedMovesNothing) {
  auto runs = of_everything();
  for (HostRun& run : runs) {
    if (run.copies.empty() || run.copies[0].bytes < 1e8) continue;
    run.ms *= 3;
    break;
  }
  const auto fit = fit_host(runs, link_of_others(), start());
  ASSERT_TRUE(fit);
  EXPECT_NEAR(value(*fit, "h2d.gbs") / 6, 1, 0.05);
}

TEST(HostFit, WhatRunsDoNotSayStaysAtItsStart) {
  std::vector<HostRun> runs;
  for (const double bytes : {1e6, 1e7, 1e8}) {
    runs.push_back(timed({"", {{CopyDirection::to_device, HostSide::pageable, bytes}}, 0, 0, 0}));
  }
  const auto fit = fit_host(runs, link_of_others(), start());
  ASSERT_TRUE(fit);
  EXPECT_TRUE(determined(*fit, "h2d.gbs"));
  EXPECT_FALSE(determined(*fit, "first_touch.gbs"));
  EXPECT_FALSE(determined(*fit, "call.us"));
  EXPECT_NEAR(value(*fit, "first_touch.gbs"), 7, 1e-9);
  // 11 GB/s at the start in both directions: a host that is slow inward is slow outward
  EXPECT_LT(value(*fit, "d2h.gbs"), 8);
  const std::string text = host_text(*fit, "a host", "runs.csv");
  EXPECT_NE(text.find("# These runs say too little of"), std::string::npos);
  EXPECT_EQ(text.find("[call.us]"), std::string::npos);
}

TEST(HostFit, ItsFileReadsBack) {
  const auto runs = of_everything();
  const auto fit = fit_host(runs, link_of_others(), start());
  ASSERT_TRUE(fit);
  const auto host = parse_host(host_text(*fit, "a \"host\"", "runs.csv"), "host.toml");
  ASSERT_TRUE(host) << host.error().line();
  EXPECT_EQ(host->name, "a \"host\"");
  EXPECT_NEAR(host->launch_us, 12, 0.2);
  EXPECT_TRUE(host->knows_first_touch());
}

TEST(HostFit, RefusesWhatGivesNoHost) {
  auto runs = of_everything();
  HostStart no_board = start();
  no_board.launch_us = 0;
  const auto board = fit_host(runs, link_of_others(), no_board);
  ASSERT_FALSE(board);
  EXPECT_EQ(board.error().line(),
            "host: runs with launches or calls, and no board to start from; expected --gpu ID: the "
            "board that ran them");
  runs.resize(2);
  const auto few = fit_host(runs, link_of_others(), start());
  ASSERT_FALSE(few);
  EXPECT_NE(few.error().line().find("2 runs; expected at least 3"), std::string::npos);
}

std::string fault(const std::string& csv) {
  const auto runs = parse_host_runs(csv, "runs.csv");
  return runs ? "read" : runs.error().line();
}

TEST(HostRuns, ARowIsARun) {
  const auto runs = parse_host_runs(
      "id,copies,kernel_ms,launches,calls,ms\na,h2d:4000 d2h:8e3:untouched,0.5,1,,2\n", "runs.csv");
  ASSERT_TRUE(runs) << runs.error().line();
  ASSERT_EQ(runs->size(), 1U);
  const HostRun& run = runs->front();
  ASSERT_EQ(run.copies.size(), 2U);
  EXPECT_EQ(run.copies[0].bytes, 4000);
  EXPECT_EQ(run.copies[0].side, HostSide::pageable);
  EXPECT_EQ(run.copies[1].side, HostSide::untouched);
  EXPECT_EQ(run.copies[1].direction, CopyDirection::to_host);
  EXPECT_EQ(run.kernel_ms, 0.5);
  EXPECT_EQ(run.calls, 0);
  EXPECT_EQ(run.ms, 2);
}

TEST(HostRuns, RefusesWithTheRow) {
  EXPECT_EQ(fault("copies,ms\nh2d:4,1\nup:4,1\n"),
            "runs.csv, row 2: 'up:4' in 'copies'; expected h2d|d2h:BYTES[:pageable|pinned], or "
            "d2h:BYTES:untouched");
  EXPECT_NE(fault("copies,ms\nh2d:4:untouched,1\n").find("row 1"), std::string::npos);
  EXPECT_NE(fault("copies,ms\nh2d:-4,1\n").find("row 1"), std::string::npos);
  EXPECT_NE(fault("copies,ms\nh2d:4,0\n").find("no time"), std::string::npos);
  EXPECT_NE(fault("copies,ms\nh2d:4,nan\n").find("a number from 0 on"), std::string::npos);
  EXPECT_NE(fault("kernel_ms,ms\n1,1\n").find("without copies, launches and calls"),
            std::string::npos);
  EXPECT_NE(fault("copies,seconds\nh2d:4,1\n").find("expected ms and any of"), std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
