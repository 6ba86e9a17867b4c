// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "result_check.h"

#include <array>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

std::string refusal(const cli::ResultCheck& check, std::span<const float> results) {
  constexpr std::array inputs{3.0F, 4.0F};
  const auto right = cli::check_results(check, results, inputs, "t.toml:1");
  return right ? "" : right.error().line();
}

// Two threads of three floats each, of which the first two count: 3 - 4 = -1 and 3 / 4 = 0.75.
TEST(ResultCheck, EveryThreadWithinAHundredThousandth) {
  const cli::ResultCheck check{1, 2, 3, {"in0-in1", "in0/in1"}};
  EXPECT_EQ(refusal(check, std::array{-1.0F, 0.75F, 9.0F, -1.000009F, 0.7500074F, 9.0F}), "");
  EXPECT_EQ(refusal(check, std::array{-1.0F, 0.75F, 9.0F, -1.0F, 0.7500076F, 9.0F}),
            "t.toml:1: thread 1 wrote 0.750007629 as its result 1; expected 0.75 within 1e-5; the "
            "kernel does not do what is measured");
  EXPECT_EQ(refusal({1, 2, 1, {"in2"}}, std::array{0.0F}),
            "t.toml:1: 'in2' is no number; expected a number, or arithmetic of numbers and in0, "
            "in1");
}

}  // namespace
}  // namespace forewarp::tests
