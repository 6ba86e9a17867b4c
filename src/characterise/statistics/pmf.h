// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "characterise/samples/record.h"

namespace forewarp::characterise {

/// The probabilities of whole numbers (cycles, events), dense from the least value to the greatest,
/// which both have mass (Sánchez 2017, section 1.8). The masses sum to 1.
class Pmf {
 public:
  /// Of counted values. Fails, naming `what`, where there are none, for values that are not whole,
  /// and for a spread that would fill the memory.
  static Expected<Pmf> of(const Histogram& counted, std::string_view what);
  /// Of masses from `first` on, of which at least one is above 0; they are scaled to a sum of 1.
  static Pmf of_masses(std::int64_t first, std::vector<double> masses);

  [[nodiscard]] std::int64_t min() const { return first_; }
  [[nodiscard]] std::int64_t max() const {
    return first_ + static_cast<std::int64_t>(masses_.size()) - 1;
  }
  /// P(V = value), P(V <= value).
  [[nodiscard]] double mass(std::int64_t value) const;
  [[nodiscard]] double up_to(std::int64_t value) const;
  [[nodiscard]] std::span<const double> masses() const { return masses_; }

  [[nodiscard]] double mean() const;
  [[nodiscard]] double variance() const;
  [[nodiscard]] double deviation() const;
  /// The most likely value; the least of several.
  [[nodiscard]] std::int64_t mode() const;

  /// Of -V (eq. 1.8): the masses are reflected, as 1 - F(-y) is wrong for whole numbers.
  [[nodiscard]] Pmf reflected() const;
  /// Of the sum and the difference of two independent variables (eq. 1.2).
  [[nodiscard]] Pmf plus(const Pmf& other) const;
  [[nodiscard]] Pmf minus(const Pmf& other) const;

  bool operator==(const Pmf&) const = default;

 private:
  std::int64_t first_ = 0;
  std::vector<double> masses_{1.0};
};

/// The part of a distribution in [from, to]: its share, and its masses scaled to a sum of 1.
struct PmfPart {
  double share = 0;
  Pmf pmf;
};
/// Fails, naming `what`, where nothing lies in the range.
Expected<PmfPart> part_of(const Pmf& pmf, std::int64_t from, std::int64_t to,
                          std::string_view what);

}  // namespace forewarp::characterise
