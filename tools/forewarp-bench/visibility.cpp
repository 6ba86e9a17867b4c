// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "visibility.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include "configuration.h"

namespace forewarp::cli {
namespace {

/// Mean of a launch's values; empty where it cannot be measured.
using Means = std::vector<std::optional<double>>;

struct Launches {
  const BenchTest* test;
  std::vector<Configuration> all;
  Means before;
  double seconds = 0;  ///< that all of them took
};

std::optional<double> mean_of(Expected<Reading> reading) {
  if (!reading) return std::nullopt;
  double sum = 0, count = 0;
  for (const auto& [value, times] : reading->values) {
    sum += value * static_cast<double>(times);
    count += static_cast<double>(times);
  }
  return sum / count;
}

Means means(Rehearsal& device, const Launches& of) {
  Means all;
  for (const Configuration& launch : of.all) {
    all.push_back(mean_of(device.measure(*of.test, of.test->kernel, launch)));
  }
  return all;
}

void compare(const Launches& launches, const Means& now, Visibility& found) {
  constexpr double rounding = 1e-9;
  bool told = false;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (!launches.before[i] || !now[i]) continue;
    const double change = std::abs(*now[i] / *launches.before[i] - 1);
    if (!(change > rounding)) continue;
    told = true;
    if (change > found.most) {
      found.most = change;
      found.seen_by = launches.test->id + " " + launches.all[i].name;
    }
  }
  if (told) found.tests.push_back(launches.test->id);
}

/// Every test as it is without changes, the quickest first.
Expected<std::vector<Launches>> unchanged(Rehearsal& device, const std::vector<BenchTest>& tests) {
  std::vector<Launches> all;
  for (const BenchTest& test : tests) {
    if (!test.fits(device.description().sm)) continue;
    auto launches = configurations(test, device.description().quantities());
    if (!launches) return std::move(launches).error();
    all.push_back({&test, *std::move(launches), {}, 0});
    all.back().before = means(device, all.back());
    const auto begun = std::chrono::steady_clock::now();
    means(device, all.back());  // executed already: what a changed GPU will take
    all.back().seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  }
  std::ranges::stable_sort(all, {}, &Launches::seconds);
  return all;
}

Visibility asked(Rehearsal& device, const std::vector<Launches>& launches, const Alteration& change,
                 bool every_test) {
  Visibility found{change, {}, {}, 0, {}};
  constexpr double factors[] = {1.3, 0.7};
  Expected<void> possible;
  for (const double factor : factors) {
    found.change.to = scaled_fact(found.change, factor);
    if (found.change.to == change.from) continue;
    possible = device.change(overrides_of({found.change}));
    if (possible) break;
  }
  if (!possible) {
    found.refused = possible.error().line();
    return found;
  }
  for (const Launches& of_test : launches) {
    compare(of_test, means(device, of_test), found);
    if (!every_test && !found.tests.empty()) break;
  }
  return found;
}

}  // namespace

Expected<std::vector<Visibility>> visible_facts(Rehearsal& device,
                                                const std::vector<BenchTest>& tests,
                                                const VisibilityOptions& order) {
  const auto launches = unchanged(device, tests);
  if (!launches) return launches.error();
  std::vector<Alteration> facts = alterable(device.gpu());
  std::erase_if(facts, [&](const Alteration& change) {
    return !order.paths.empty() && std::ranges::find(order.paths, change.path) == order.paths.end();
  });
  std::vector<Visibility> all;
  for (const Alteration& change : facts) {
    all.push_back(asked(device, *launches, change, order.every_test));
    if (order.progress) order.progress(all.back(), all.size(), facts.size());
  }
  if (auto back = device.change({}); !back) return back.error();
  return all;
}

}  // namespace forewarp::cli
