// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "base/expected.h"

namespace forewarp::sweep {

/// FROM:TO:STEP or FROM:TO:*FACTOR, with TO if a step meets it. Values are computed when asked for;
/// they are integers if all three numbers are.
class SweepRange {
 public:
  using Number = std::variant<std::int64_t, double>;

  /// `option` is the whole text of the sweep, for messages.
  static Expected<SweepRange> parse(std::string_view range, std::string_view option);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] Number at(std::uint64_t index) const;
  [[nodiscard]] bool whole() const { return whole_; }
  [[nodiscard]] double lowest() const { return from_ < to_ ? from_ : to_; }
  [[nodiscard]] double highest() const { return from_ < to_ ? to_ : from_; }

 private:
  [[nodiscard]] bool ends() const;
  [[nodiscard]] double steps() const;
  [[nodiscard]] std::uint64_t whole_steps() const;

  bool geometric_ = false;
  bool whole_ = true;
  double from_ = 0, to_ = 0, step_ = 0;
  std::int64_t whole_from_ = 0, whole_to_ = 0, whole_step_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace forewarp::sweep
