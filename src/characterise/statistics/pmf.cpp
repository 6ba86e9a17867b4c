// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/statistics/pmf.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "base/text.h"

namespace forewarp::characterise {
namespace {

constexpr double most_values = 1 << 24;  // 128 MiB of masses
constexpr double largest = 1e15;         // whole numbers are exact

}  // namespace

Expected<Pmf> Pmf::of(const Histogram& counted, std::string_view what) {
  if (counted.empty()) return Diagnostic{std::string(what), "no values", "at least one", ""};
  for (const auto& [value, count] : counted) {
    if (value != std::floor(value) || std::abs(value) > largest) {
      return Diagnostic{std::string(what), "the value " + significant(value, 17), "whole numbers",
                        ""};
    }
  }
  const double spread = counted.back().first - counted.front().first;
  if (spread >= most_values) {
    return Diagnostic{std::string(what), "values spread over " + significant(spread, 12),
                      "less than " + significant(most_values, 12), ""};
  }
  const auto first = static_cast<std::int64_t>(counted.front().first);
  std::vector<double> masses(static_cast<std::size_t>(spread) + 1);
  for (const auto& [value, count] : counted) {
    masses[static_cast<std::size_t>(value - counted.front().first)] += static_cast<double>(count);
  }
  return of_masses(first, std::move(masses));
}

Pmf Pmf::of_masses(std::int64_t first, std::vector<double> masses) {
  const auto has_mass = [](double mass) { return mass > 0; };
  const auto begin = std::find_if(masses.begin(), masses.end(), has_mass);
  const auto end = std::find_if(masses.rbegin(), masses.rend(), has_mass).base();
  Pmf made;
  if (begin == masses.end()) return made;
  made.first_ = first + (begin - masses.begin());
  made.masses_.assign(begin, end);
  const double total = std::accumulate(made.masses_.begin(), made.masses_.end(), 0.0);
  for (double& mass : made.masses_) mass /= total;
  return made;
}

double Pmf::mass(std::int64_t value) const {
  if (value < min() || value > max()) return 0;
  return masses_[static_cast<std::size_t>(value - first_)];
}

double Pmf::up_to(std::int64_t value) const {
  double sum = 0;
  for (std::int64_t v = min(); v <= std::min(value, max()); ++v) sum += mass(v);
  return sum;
}

double Pmf::mean() const {
  double sum = 0;  // from the least value on, so that large values lose no digits
  for (std::size_t i = 0; i < masses_.size(); ++i) sum += static_cast<double>(i) * masses_[i];
  return static_cast<double>(first_) + sum;
}

double Pmf::variance() const {
  const double centre = mean() - static_cast<double>(first_);
  double sum = 0;
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    const double distance = static_cast<double>(i) - centre;
    sum += distance * distance * masses_[i];
  }
  return sum;
}

double Pmf::deviation() const {
  return std::sqrt(variance());
}

std::int64_t Pmf::mode() const {
  return first_ + (std::max_element(masses_.begin(), masses_.end()) - masses_.begin());
}

Pmf Pmf::reflected() const {
  Pmf made;
  made.first_ = -max();
  made.masses_.assign(masses_.rbegin(), masses_.rend());
  return made;
}

Pmf Pmf::plus(const Pmf& other) const {
  Pmf made;
  made.first_ = first_ + other.first_;
  made.masses_.assign(masses_.size() + other.masses_.size() - 1, 0.0);
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    if (masses_[i] == 0) continue;
    for (std::size_t k = 0; k < other.masses_.size(); ++k) {
      made.masses_[i + k] += masses_[i] * other.masses_[k];
    }
  }
  return made;
}

Pmf Pmf::minus(const Pmf& other) const {
  return plus(other.reflected());
}

Expected<PmfPart> part_of(const Pmf& pmf, std::int64_t from, std::int64_t to,
                          std::string_view what) {
  const std::int64_t begin = std::max(from, pmf.min());
  const std::int64_t end = std::min(to, pmf.max());
  std::vector<double> masses;
  double share = 0;
  for (std::int64_t v = begin; v <= end; ++v) {
    masses.push_back(pmf.mass(v));
    share += masses.back();
  }
  if (!(share > 0)) {
    return Diagnostic{std::string(what),
                      "nothing in " + std::to_string(from) + " .. " + std::to_string(to),
                      "values there; they lie in " + std::to_string(pmf.min()) + " .. " +
                          std::to_string(pmf.max()),
                      ""};
  }
  return PmfPart{share, Pmf::of_masses(begin, std::move(masses))};
}

}  // namespace forewarp::characterise
