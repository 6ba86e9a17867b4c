// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "input/kernel_choice.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

InputSource module() {
  return *InputSource::open(std::string(FOREWARP_SOURCE_DIR) + "/tests/programs/kernels.fatbin");
}

ReadOptions reading(KernelFilter wanted = {}) {
  ReadOptions options;
  options.target_sm = 80;
  options.wanted = std::move(wanted);
  return options;
}

std::vector<KernelSummary> read_for(KernelFilter wanted = {}) {
  const auto kernels = list_kernels(module(), reading(std::move(wanted)));
  EXPECT_TRUE(kernels);
  return kernels ? *kernels : std::vector<KernelSummary>();
}

// A program whose module has hundreds of kernels launches them one after another: if each brought
// all others along, a module would take the square of its size.
TEST(WantedKernel, NoOtherOfTheModuleIsDecoded) {
  const auto all = read_for();
  const auto one = read_for(
      [](std::size_t /*number*/, const std::string& mangled) { return mangled == "axpy"; });
  ASSERT_EQ(all.size(), 13U);
  ASSERT_EQ(one.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(one[i].mangled, all[i].mangled);
    EXPECT_EQ(one[i].sm, all[i].sm);
    EXPECT_EQ(one[i].instructions, all[i].mangled == "axpy" ? all[i].instructions : 0);
  }
}

TEST(WantedKernel, ANumberAndANameChooseWhatTheListShows) {
  const auto all = read_for();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const std::string& choice : {"#" + std::to_string(i + 1), all[i].mangled, all[i].name}) {
      const auto kernel = read_kernel(module(), {choice, 80}, reading());
      ASSERT_TRUE(kernel) << choice;
      EXPECT_EQ(kernel->mangled, all[i].mangled);
      EXPECT_EQ(kernel->instructions.size(), all[i].instructions);
    }
  }
}

TEST(WantedKernel, WhatIsNotThereIsToldFromTheNames) {
  for (const std::string none : {"#14", "#0", "axp", "_Z4axpyv"}) {
    const auto beyond = read_kernel(module(), {none, 80}, reading());
    ASSERT_FALSE(beyond) << none;
    EXPECT_NE(beyond.error().line().find("has no kernel '" + none + "'"), std::string::npos);
    EXPECT_NE(beyond.error().line().find("axpy (sm_80)"), std::string::npos);
  }
}

}  // namespace
}  // namespace forewarp::tests
