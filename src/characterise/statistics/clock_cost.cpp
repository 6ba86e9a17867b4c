// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/statistics/clock_cost.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"

namespace forewarp::characterise {
namespace {

constexpr double exact_to = 1e-9;
constexpr double most_products = 1e9;    // of masses: some seconds
constexpr double most_of_a_round = 1e7;  // of which there are hundreds

/// Two distributions are combined mass by mass.
Expected<void> check_work(double one, double other, double most, std::string_view what) {
  if (one * other <= most) return {};
  return Diagnostic{std::string(what),
                    significant(one, 9) + " x " + significant(other, 9) + " masses",
                    "at most " + significant(most, 9) + " products", "a coarser histogram"};
}

double size_of(const Pmf& pmf) {
  return static_cast<double>(pmf.masses().size());
}

double residual_of(const Pmf& windows, const Pmf& sum) {
  const std::int64_t from = std::min(windows.min(), sum.min());
  const std::int64_t to = std::max(windows.max(), sum.max());
  double difference = 0;
  for (std::int64_t v = from; v <= to; ++v) difference += std::abs(windows.mass(v) - sum.mass(v));
  return difference / 2;
}

/// Divides the polynomials whose coefficients are the masses; empty where the quotient has a mass
/// below 0 that is no rounding.
std::vector<double> divided(const Pmf& windows, const Pmf& empty, std::size_t values) {
  std::vector<double> rest(windows.masses().begin(), windows.masses().end());
  const auto divisor = empty.masses();
  std::vector<double> quotient(values);
  for (std::size_t i = 0; i < values; ++i) {
    const double mass = rest[i] / divisor.front();
    if (!(mass > -exact_to) || mass > 1 + exact_to) return {};
    quotient[i] = mass;
    for (std::size_t k = 0; k < divisor.size(); ++k) rest[i + k] -= mass * divisor[k];
  }
  for (double& mass : quotient) mass = mass < exact_to ? 0 : mass;
  return quotient;
}

/// One round of expectation and maximisation: masses stay above 0 and their sum stays 1.
std::vector<double> improved(const std::vector<double>& masses, const Pmf& windows,
                             const Pmf& empty) {
  const auto z = windows.masses();
  const auto y = empty.masses();
  std::vector<double> sums(z.size());
  for (std::size_t i = 0; i < masses.size(); ++i) {
    for (std::size_t k = 0; k < y.size(); ++k) sums[i + k] += masses[i] * y[k];
  }
  std::vector<double> made(masses.size());
  for (std::size_t i = 0; i < masses.size(); ++i) {
    double factor = 0;
    for (std::size_t k = 0; k < y.size(); ++k) {
      if (sums[i + k] > 0) factor += y[k] * z[i + k] / sums[i + k];
    }
    made[i] = masses[i] * factor;
  }
  return made;
}

}  // namespace

std::optional<double> ClockFree::deviation() const {
  if (variance < 0) return {};
  return std::sqrt(variance);
}

Expected<ClockFree> without_clock(const Pmf& windows, const Pmf& empty, std::string_view what) {
  const auto filled = std::ranges::count_if(windows.masses(), [](double mass) { return mass > 0; });
  const auto fine = check_work(static_cast<double>(filled), size_of(empty), most_products, what);
  if (!fine) return fine.error();
  ClockFree made{windows.minus(empty)};
  made.inflated_variance = made.widened.variance();
  made.variance = windows.variance() - empty.variance();
  return made;
}

Expected<Deconvolution> deconvolved(const Pmf& windows, const Pmf& empty, std::size_t rounds,
                                    std::string_view what) {
  if (windows.masses().size() < empty.masses().size()) {
    return Diagnostic{std::string(what), "the windows spread less than the empty ones",
                      "windows that hold the clock's own spread",
                      "measure both with the same blocks and threads"};
  }
  const std::size_t values = windows.masses().size() - empty.masses().size() + 1;
  const auto count = static_cast<double>(values);
  const std::int64_t first = windows.min() - empty.min();
  if (auto fine = check_work(count, size_of(empty), most_products, what); !fine) {
    return fine.error();
  }
  if (const std::vector<double> quotient = divided(windows, empty, values); !quotient.empty()) {
    Deconvolution made{Pmf::of_masses(first, quotient), true};
    made.residual = residual_of(windows, made.pmf.plus(empty));
    if (made.residual < exact_to) return made;
  }
  if (auto fine = check_work(count, size_of(empty), most_of_a_round, what); !fine) {
    return fine.error();
  }
  std::vector<double> masses(values, 1 / count);
  for (std::size_t i = 0; i < rounds; ++i) masses = improved(masses, windows, empty);
  Deconvolution made{Pmf::of_masses(first, std::move(masses))};
  made.residual = residual_of(windows, made.pmf.plus(empty));
  return made;
}

}  // namespace forewarp::characterise
