// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A view says which parts of a result it shows that are not in every one.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "driver/predictor.h"
#include "report/view.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

/// The bundled kernel, simulated, with these parts.
Result result_with(const ResultDetail& detail) {
  Case request;
  request.input = std::string(FOREWARP_SOURCE_DIR) + "/examples/saxpy2.sass";
  request.gpu = "gtx970";
  request.launch.grid = {2000, 1, 1};
  request.launch.block = {256, 1, 1};
  for (const auto& [name, value] : {std::pair<const char*, std::int64_t>{"n", 512'000}, {"a", 4}}) {
    NamedArgument argument;
    argument.name = name;
    argument.value.integer = value;
    request.launch.arguments.push_back(argument);
  }
  PredictOptions options;
  options.models = {"sim"};
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  auto result = predictor.predict(request, "", options, detail);
  EXPECT_TRUE(result) << (result ? "" : result.error().line());
  return result ? *std::move(result) : Result{};
}

TEST(ViewNeeds, AreAllThatAViewShowsAndNoMore) {
  const Result everything = result_with({true, true, true, true, true, true, WhatIfDepth::all});
  const Result numbers = result_with(no_detail);
  std::size_t more = 0;
  for (const auto& view : views().entries()) {
    const auto lines = [&](const Result& result) { return view->lines(result, {}); };
    EXPECT_EQ(lines(result_with(view->needs())), lines(everything)) << view->name();
    more += lines(numbers) != lines(everything) ? 1 : 0;
  }
  EXPECT_GE(more, 6U);
}

}  // namespace
}  // namespace forewarp::tests
