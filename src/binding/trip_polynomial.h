// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace forewarp::binding {

/// c0 + c1*n1 + c2*n2 + c3*n1*n2 ..: a polynomial in the trip counts of a kernel's loops, each at
/// most once per term (a loop is never nested in itself).
class TripPolynomial {
 public:
  /// One product: bit i of `loops` stands for the trip count of loop i; 0 is the constant term.
  struct Term {
    std::uint64_t loops = 0;
    double coefficient = 0;
    bool operator==(const Term&) const = default;
  };

  TripPolynomial() = default;
  explicit TripPolynomial(double constant) { add(constant, 0); }

  void add(double coefficient, std::uint64_t loops);
  void add(const TripPolynomial& other, double factor = 1);
  /// Multiplies every term by the trip count of `loop`.
  [[nodiscard]] TripPolynomial times_loop(std::uint32_t loop) const;
  [[nodiscard]] double evaluate(std::span<const double> trips) const;
  [[nodiscard]] double coefficient(std::uint64_t loops) const;
  /// Sorted by loop set; no zero coefficients.
  [[nodiscard]] const std::vector<Term>& terms() const { return terms_; }
  [[nodiscard]] bool is_constant() const {
    return terms_.empty() || (terms_.size() == 1 && terms_[0].loops == 0);
  }
  bool operator==(const TripPolynomial&) const = default;

 private:
  std::vector<Term> terms_;
};

}  // namespace forewarp::binding
