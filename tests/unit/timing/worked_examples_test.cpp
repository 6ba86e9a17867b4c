// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "test_paths.h"
#include "timing_rows.h"

namespace forewarp::tests {
namespace {

constexpr int row_count = 25;

std::vector<TimingRow> rows(std::string& fault) {
  return read_timing_rows(FOREWARP_FIXTURES "/timing/rows.txt", fault);
}

class WorkedExamples : public testing::TestWithParam<int> {};

TEST_P(WorkedExamples, IssueCycles) {
  std::string fault;
  int found = 0;
  for (TimingRow& row : rows(fault)) {
    if (row.number != GetParam()) continue;
    ++found;
    ASSERT_FALSE(row.expected.empty());
    for (const auto& [warp, cycles] : row.expected) {
      EXPECT_EQ(row.sm.issues(warp), cycles) << row.text << ", warp " << warp;
    }
  }
  EXPECT_EQ(fault, "");
  EXPECT_GE(found, 1);
}

INSTANTIATE_TEST_SUITE_P(Row, WorkedExamples, testing::Range(1, row_count + 1),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace forewarp::tests
