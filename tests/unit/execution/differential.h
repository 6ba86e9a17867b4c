// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "kernel_run.h"
#include "numbers.h"

namespace forewarp::tests {

/// Runs kernels of tests/fixtures/execution for one architecture.
class Differential : public ::testing::TestWithParam<std::uint32_t> {
 protected:
  static std::string listing(const std::string& name, std::uint32_t sm) {
    return "execution/" + name + ".sm_" + std::to_string(sm) + ".sass";
  }
  [[nodiscard]] KernelRun kernel(const std::string& file, const std::string& name) {
    kernel_ = name;
    worst_ = 0;
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
  void expect_equal(const std::vector<T>& expected, const std::vector<T>& got,
                    std::size_t columns = 1) {
    ASSERT_EQ(expected.size(), got.size()) << "a part of the result is unknown";
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(expected[i], got[i]) << "element " << i / columns << ", output " << i % columns;
    }
    note(0, "exact");
  }
  /// Floating-point numbers, at most so many representable ones apart.
  template <class T>
  void expect_within(const std::vector<T>& expected, const std::vector<T>& got, std::int64_t most,
                     std::size_t columns = 1) {
    ASSERT_EQ(expected.size(), got.size()) << "a part of the result is unknown";
    std::int64_t worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::int64_t apart = ulps(expected[i], got[i]);
      ASSERT_LE(apart, most) << "element " << i / columns << ", output " << i % columns << ": "
                             << expected[i] << " and " << got[i];
      worst = std::max(worst, apart);
    }
    note(static_cast<double>(worst), std::to_string(worst) + " ulp");
  }
  /// A number that approximations lead to, and the largest term that was added on the way.
  struct Approximated {
    double value = 0;
    double scale = 0;
  };
  /// Within 2^-20 of the value, of the largest term, or of one.
  void expect_close(const std::vector<Approximated>& expected, const std::vector<float>& got,
                    std::size_t columns = 1) {
    ASSERT_EQ(expected.size(), got.size()) << "a part of the result is unknown";
    double worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto [value, scale] = expected[i];
      const double apart =
          std::fabs(value - got[i]) / std::max({1.0, std::fabs(value), std::fabs(scale)});
      ASSERT_LE(apart, 0x1p-20) << "element " << i / columns << ", output " << i % columns << ": "
                                << value << " and " << got[i];
      worst = std::max(worst, apart);
    }
    note(worst * 0x1p24, "2^" + std::to_string(std::ilogb(worst) + 1));
  }

 private:
  /// One entry of the table kernel x architecture, for the tests' report: the worst that was seen.
  void note(double deviation, const std::string& text) {
    if (deviation < worst_) return;
    worst_ = deviation;
    RecordProperty(kernel_, deviation == 0 ? "exact" : text);
  }

  std::string kernel_;
  double worst_ = 0;
};

inline std::string architecture_name(const ::testing::TestParamInfo<std::uint32_t>& info) {
  return "sm_" + std::to_string(info.param);
}

}  // namespace forewarp::tests
