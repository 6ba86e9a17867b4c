// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "result_check.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "quantities.h"

namespace forewarp::cli {

Expected<void> check_results(const ResultCheck& check, std::span<const float> results,
                             std::span<const float> inputs, const std::string& place) {
  constexpr double tolerance = 1e-5;
  constexpr double least = 1e-30;  // below, a float has no digits left
  Quantities known;
  for (std::size_t i = 0; i < inputs.size(); ++i) known["in" + std::to_string(i)] = inputs[i];
  std::vector<double> expected;
  for (const std::string& text : check.values) {
    const auto value = signed_quantity(text, known, place);
    if (!value) return value.error();
    expected.push_back(*value);
  }
  for (std::size_t at = 0; at + expected.size() <= results.size(); at += check.stride) {
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const double off = std::abs(results[at + k] - expected[k]);
      if (off <= tolerance * std::max(std::abs(expected[k]), least)) continue;
      return Diagnostic{place,
                        "thread " + std::to_string(at / check.stride) + " wrote " +
                            significant(results[at + k], 9) + " as its result " + std::to_string(k),
                        significant(expected[k], 9) + " within 1e-5",
                        "the kernel does not do what is measured"};
    }
  }
  return {};
}

}  // namespace forewarp::cli
