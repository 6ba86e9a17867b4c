// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "visibility.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "configuration.h"

namespace forewarp::cli {
namespace {

struct Launches {
  const BenchTest* test;
  std::vector<Configuration> all;
};

/// Mean of a launch's values; empty where it cannot be measured.
using Means = std::vector<std::optional<double>>;

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

void compare(const Launches& launches, const Means& before, const Means& now, Visibility& found) {
  constexpr double rounding = 1e-9;
  bool told = false;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!before[i] || !now[i]) continue;
    const double change = std::abs(*now[i] / *before[i] - 1);
    if (!(change > rounding)) continue;
    told = true;
    if (change > found.most) {
      found.most = change;
      found.seen_by = launches.test->id + " " + launches.all[i].name;
    }
  }
  if (told) found.tests.push_back(launches.test->id);
}

}  // namespace

Expected<std::vector<Visibility>> visible_facts(
    Rehearsal& device, const std::vector<BenchTest>& tests, const std::vector<std::string>& paths,
    const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<Launches> launches;
  std::vector<Means> before;
  for (const BenchTest& test : tests) {
    if (!test.fits(device.description().sm)) continue;
    auto all = configurations(test, device.description().quantities());
    if (!all) return std::move(all).error();
    launches.push_back({&test, *std::move(all)});
    before.push_back(means(device, launches.back()));
  }
  std::vector<Alteration> asked = alterable(device.gpu());
  std::erase_if(asked, [&](const Alteration& change) {
    return !paths.empty() && std::ranges::find(paths, change.path) == paths.end();
  });
  std::vector<Visibility> all;
  for (const Alteration& change : asked) {
    Visibility found{change, {}, {}, 0, {}};
    constexpr double factors[] = {1.3, 0.7};
    Expected<void> possible;
    for (const double factor : factors) {
      found.change.to = scaled_fact(change.unit, change.from, factor);
      if (found.change.to == change.from) continue;
      possible = device.change(overrides_of({found.change}));
      if (possible) break;
    }
    if (!possible) found.refused = possible.error().line();
    for (std::size_t i = 0; possible && i < launches.size(); ++i) {
      compare(launches[i], before[i], means(device, launches[i]), found);
    }
    all.push_back(std::move(found));
    if (progress) progress(all.size(), asked.size());
  }
  if (auto back = device.change({}); !back) return back.error();
  return all;
}

}  // namespace forewarp::cli
