// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "alteration.h"
#include "base/expected.h"
#include "bench_test.h"
#include "rehearsal.h"

namespace forewarp::cli {

/// A number of the GPU and what tests say of it.
struct Visibility {
  Alteration change;
  std::vector<std::string> tests;  ///< ids of those that tell; empty: none does
  std::string seen_by;             ///< the launch that changed most
  double most = 0;                 ///< relative change of it
  std::string refused;             ///< why such a GPU is impossible; empty: it is possible
};

struct VisibilityOptions {
  std::vector<std::string> paths;  ///< only these numbers; empty: all
  bool every_test = false;         ///< else a number is left at the first test that tells
  /// Called with every answer; may be empty.
  std::function<void(const Visibility&, std::size_t done, std::size_t all)> progress;
};

/// Asks the launches of the tests again with each alterable number times 1.3, or 0.7 where 1.3 is
/// no GPU; quick tests first.
Expected<std::vector<Visibility>> visible_facts(Rehearsal& device,
                                                const std::vector<BenchTest>& tests,
                                                const VisibilityOptions& order);

}  // namespace forewarp::cli
