// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "input/kernel_choice.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

std::vector<KernelSummary> read_for(const std::string& only) {
  const auto source =
      InputSource::open(std::string(FOREWARP_SOURCE_DIR) + "/tests/programs/kernels.fatbin");
  EXPECT_TRUE(source);
  ReadOptions options;
  options.target_sm = 80;
  options.only = only;
  const auto kernels = list_kernels(*source, options);
  EXPECT_TRUE(kernels);
  return kernels ? *kernels : std::vector<KernelSummary>();
}

// A program whose module has hundreds of kernels launches them one after another: if each brought
// all others along, a module would take the square of its size.
TEST(WantedKernel, NoOtherOfTheModuleIsRead) {
  EXPECT_EQ(read_for("").size(), 13U);
  const auto one = read_for("axpy");
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one.front().mangled, "axpy");
}

TEST(WantedKernel, UnderAnotherNameAllAreRead) {
  EXPECT_EQ(read_for("axp").size(), 13U);
}

}  // namespace
}  // namespace forewarp::tests
