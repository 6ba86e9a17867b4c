// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/trip_polynomial.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace forewarp::binding {
namespace {

constexpr double rounding = 1e-9;  // differences of sums of cycle counts below this are zero

}  // namespace

void TripPolynomial::add(double coefficient, std::uint64_t loops) {
  const auto place =
      std::lower_bound(terms_.begin(), terms_.end(), loops,
                       [](const Term& term, std::uint64_t set) { return term.loops < set; });
  if (place != terms_.end() && place->loops == loops) {
    place->coefficient += coefficient;
    if (std::fabs(place->coefficient) < rounding) terms_.erase(place);
  } else if (std::fabs(coefficient) >= rounding) {
    terms_.insert(place, {loops, coefficient});
  }
}

void TripPolynomial::add(const TripPolynomial& other, double factor) {
  for (const Term& term : other.terms_) add(factor * term.coefficient, term.loops);
}

TripPolynomial TripPolynomial::times_loop(std::uint32_t loop) const {
  TripPolynomial product;
  for (const Term& term : terms_) {
    product.add(term.coefficient, term.loops | (std::uint64_t{1} << loop));
  }
  return product;
}

double TripPolynomial::evaluate(std::span<const double> trips) const {
  double sum = 0;
  for (const Term& term : terms_) {
    double product = term.coefficient;
    for (std::uint64_t rest = term.loops; rest != 0; rest &= rest - 1) {
      product *= trips[static_cast<std::size_t>(std::countr_zero(rest))];
    }
    sum += product;
  }
  return sum;
}

double TripPolynomial::coefficient(std::uint64_t loops) const {
  for (const Term& term : terms_) {
    if (term.loops == loops) return term.coefficient;
  }
  return 0;
}

}  // namespace forewarp::binding
