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
  void OnTestPartResult(const ::testing::TestPartResult& part) override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    if (!part.skipped() || test == nullptr) return;
    std::printf("\nskipped: %s.%s: %s\n", test->test_suite_name(), test->name(), part.message());
  }
};

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  ::testing::UnitTest::GetInstance()->listeners().Append(std::make_unique<Skipped>().release());
  return RUN_ALL_TESTS();
}
