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

// Those before it are passed over, and counted as a list of all counts them.
TEST(WantedKernel, ANumberIsThatOfTheList) {
  const auto all = read_for("");
  const auto source =
      InputSource::open(std::string(FOREWARP_SOURCE_DIR) + "/tests/programs/kernels.fatbin");
  ReadOptions options;
  options.target_sm = 80;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto kernel = read_kernel(*source, {"#" + std::to_string(i + 1), 80}, options);
    ASSERT_TRUE(kernel);
    EXPECT_EQ(kernel->mangled, all[i].mangled);
    EXPECT_EQ(kernel->instructions.size(), all[i].instructions);
  }
  for (const std::string none : {"#14", "#0"}) {
    const auto beyond = read_kernel(*source, {none, 80}, options);
    ASSERT_FALSE(beyond);
    EXPECT_NE(beyond.error().line().find("has no kernel '" + none + "'"), std::string::npos);
  }
}

}  // namespace
}  // namespace forewarp::tests
