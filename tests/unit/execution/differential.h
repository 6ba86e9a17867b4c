// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "kernel_run.h"
#include "numbers.h"

namespace forewarp {

/// Runs kernels of tests/fixtures/execution for one architecture.
class Differential : public testing::TestWithParam<std::uint32_t> {
 protected:
  static std::string listing(const std::string& name, std::uint32_t sm) {
    return "execution/" + name + ".sm_" + std::to_string(sm) + ".sass";
  }
  [[nodiscard]] KernelRun kernel(const std::string& file, const std::string& name) const {
    return KernelRun(listing(file, GetParam()), name);
  }
  /// Fails the test with the executor's message.
  static bool runs(KernelRun& run, Extent grid, Extent block, std::uint32_t dynamic_shared = 0) {
    const auto failure = run.run(grid, block, dynamic_shared);
    EXPECT_FALSE(failure) << failure.value_or("");
    for (const AccessFinding& finding : run.outcome().findings) {
      ADD_FAILURE() << "finding at " << instruction_text(run.kernel(), finding.instruction)
                    << " address " << std::hex << finding.address;
    }
    return !failure;
  }
  /// Compares element by element; names the first difference with its place in a row of `columns`.
  template <class T>
  static void expect_equal(const std::vector<T>& expected, const std::vector<T>& got,
                           std::size_t columns = 1) {
    ASSERT_EQ(expected.size(), got.size()) << "a part of the result is unknown";
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(expected[i], got[i]) << "element " << i / columns << ", output " << i % columns;
    }
  }
  template <class T>
  static void expect_within(const std::vector<T>& expected, const std::vector<T>& got,
                            std::int64_t most, std::size_t columns = 1) {
    ASSERT_EQ(expected.size(), got.size()) << "a part of the result is unknown";
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_LE(ulps(expected[i], got[i]), most)
          << "element " << i / columns << ", output " << i % columns << ": " << expected[i]
          << " and " << got[i];
    }
  }
};

inline std::string architecture_name(const testing::TestParamInfo<std::uint32_t>& info) {
  return "sm_" + std::to_string(info.param);
}

}  // namespace forewarp
