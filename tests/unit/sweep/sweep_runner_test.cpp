// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/sweep_runner.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

TEST(SweepRunner, RowsAreTheSweptValuesAndTheResults) {
  const auto sweep = Sweep::parse({"block=32,64", "clock=base,boost"});
  const ResultsTable table =
      sweep_table(*sweep, {"time_ms", "limited_by"}, 1, [](std::uint64_t point, unsigned) {
        return TableRow{static_cast<double>(point), std::string("dram")};
      });
  EXPECT_EQ(table.columns, (std::vector<std::string>{"block", "clock", "time_ms", "limited_by"}));
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(csv_line(table.rows[0]), "32,base,0,dram");
  EXPECT_EQ(csv_line(table.rows[1]), "32,boost,1,dram");
  EXPECT_EQ(csv_line(table.rows[3]), "64,boost,3,dram");
}

TEST(SweepRunner, TheTableDoesNotDependOnTheThreads) {
  const auto sweep = Sweep::parse({"n=1:5000:1"});
  const PointFunction predict = [](std::uint64_t point, unsigned) {
    return TableRow{static_cast<double>(point * point % 97)};
  };
  const ResultsTable alone = sweep_table(*sweep, {"time_ms"}, 1, predict);
  ASSERT_EQ(alone.rows.size(), 5000U);
  for (const unsigned jobs : {2U, 5U}) {
    EXPECT_EQ(sweep_table(*sweep, {"time_ms"}, jobs, predict).rows, alone.rows);
  }
}

TEST(SweepRunner, ASinkMayEndIt) {
  const auto sweep = Sweep::parse({"n=1:100000000:1"});
  std::uint64_t rows = 0;
  run_sweep(
      *sweep, 2, [](std::uint64_t, unsigned) { return TableRow{}; },
      [&](TableRow&) { return ++rows < 100; });
  EXPECT_EQ(rows, 100U);
}

}  // namespace
}  // namespace forewarp::tests
