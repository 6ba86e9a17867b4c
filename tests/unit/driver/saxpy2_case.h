// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "driver/predictor.h"
#include "test_paths.h"

namespace forewarp::tests {

/// The bundled kernel, a dependent multiply-add `a` times for each of 4,000,000 elements.
inline Case saxpy2_case(std::int64_t a, std::uint32_t block = 256,
                        const std::string& gpu = "gtx970") {
  constexpr std::int64_t n = 4'000'000;
  Case request;
  request.input = std::string(FOREWARP_SOURCE_DIR) + "/examples/saxpy2.sass";
  request.gpu = gpu;
  request.launch.grid = {static_cast<std::uint32_t>(n) / block, 1, 1};
  request.launch.block = {block, 1, 1};
  for (const auto& [name, value] : {std::pair<const char*, std::int64_t>{"n", n}, {"a", a}}) {
    NamedArgument argument;
    argument.name = name;
    argument.value.integer = value;
    request.launch.arguments.push_back(argument);
  }
  return request;
}

/// Tests on evaluated launches.
class EvaluatedLaunches : public testing::Test {
 protected:
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};

  Evaluation must(const Case& request, const PredictOptions& options = {}) {
    auto evaluation = predictor.evaluate(request, "", options);
    EXPECT_TRUE(evaluation) << (evaluation ? "" : evaluation.error().line());
    return evaluation ? **evaluation : Evaluation{};
  }
};

}  // namespace forewarp::tests
