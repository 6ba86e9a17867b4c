// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Runs the tests of an executable. Each that is skipped is a line that scripts/test counts;
// GTEST_SKIP() << "no CUDA toolkit" says why, with what differs from machine to machine in brackets
// behind.
#include <cstdio>
#include <memory>

#include <gtest/gtest.h>

namespace {

class Skipped : public ::testing::EmptyTestEventListener {
  // At the end: while a part is reported, gtest holds the lock behind which it keeps the test's
  // name.
  void OnTestEnd(const ::testing::TestInfo& test) override {
    const ::testing::TestResult& result = *test.result();
    for (int part = 0; part < result.total_part_count(); ++part) {
      if (!result.GetTestPartResult(part).skipped()) continue;
      std::printf("\nskipped: %s.%s: %s\n", test.test_suite_name(), test.name(),
                  result.GetTestPartResult(part).message());
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  ::testing::UnitTest::GetInstance()->listeners().Append(std::make_unique<Skipped>().release());
  return RUN_ALL_TESTS();
}
