// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A view says which parts of a result it shows that are not in every one.
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "driver/predictor.h"
#include "report/documents/report.h"
#include "report/view.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

/// A kernel with lines of its source, simulated and by a closed form, with these parts.
std::vector<Result> results_with(const ResultDetail& detail) {
  Case request;
  request.input = std::string(FOREWARP_FIXTURES) + "/listings/nvdisasm/saxpy2.sm_52.lines.sass";
  request.gpu = "gtx970";
  request.launch.grid = {2000, 1, 1};
  request.launch.block = {256, 1, 1};
  for (const std::int64_t value : {512'000, 4}) {  // elements, additions for each
    NamedArgument argument;
    argument.index = static_cast<std::uint32_t>(request.launch.arguments.size());
    argument.value.integer = value;
    request.launch.arguments.push_back(argument);
  }
  static Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  std::vector<Result> results;
  for (const char* model : {"sim", "volkov"}) {
    PredictOptions options;
    options.models = {model};
    auto result = predictor.predict(request, "", options, detail);
    EXPECT_TRUE(result) << (result ? "" : result.error().line());
    if (result) results.push_back(*std::move(result));
  }
  return results;
}

/// The view of each, as text and as a page.
std::string shown(const View& view, const std::vector<Result>& results) {
  RenderOptions options;
  options.views = {std::string(view.name())};
  std::string all;
  for (const Result& result : results) {
    for (const char* format : {"text", "html"}) all += *render({result}, format, options);
  }
  return all;
}

/// The same needs without one part, for each part that they have.
std::vector<std::pair<const char*, ResultDetail>> with_one_less(const ResultDetail& needs) {
  std::vector<std::pair<const char*, ResultDetail>> less;
  const auto without = [&](const char* name, bool ResultDetail::*part) {
    if (!(needs.*part)) return;
    less.emplace_back(name, needs).second.*part = false;
  };
  without("listing", &ResultDetail::listing);
  without("provenance", &ResultDetail::provenance);
  without("curve", &ResultDetail::curve);
  without("stalls", &ResultDetail::stalls);
  without("power", &ResultDetail::power);
  without("simulation", &ResultDetail::simulation);
  if (needs.counterfactuals != WhatIfDepth::none) {
    const bool all = needs.counterfactuals == WhatIfDepth::all;
    less.emplace_back("counterfactuals", needs).second.counterfactuals =
        all ? WhatIfDepth::best : WhatIfDepth::none;
  }
  return less;
}

TEST(ViewNeeds, AreAllThatAViewShowsAndNoMore) {
  const auto everything = results_with({true, true, true, true, true, true, WhatIfDepth::all});
  for (const auto& view : views().entries()) {
    const ResultDetail needs = view->needs();
    const std::string whole = shown(*view, results_with(needs));
    if (needs.counterfactuals != WhatIfDepth::best) {  // the best of all is not all
      EXPECT_EQ(whole, shown(*view, everything)) << view->name();
    }
    for (const auto& [part, less] : with_one_less(needs))
      EXPECT_NE(shown(*view, results_with(less)), whole) << view->name() << " without " << part;
  }
}

}  // namespace
}  // namespace forewarp::tests
