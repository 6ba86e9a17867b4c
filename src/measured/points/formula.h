// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/expected.h"

namespace forewarp::measured {

/// An expression over named numbers, compiled by muParser. That is loaded with the first formula:
/// with what it brings along it takes longer to load than a short answer takes.
class Formula {
 public:
  /// Refuses what is no expression over these names; the numbers must outlive it. Names that are no
  /// identifiers, or functions, serve no formula.
  static Expected<std::unique_ptr<Formula>> compile(
      const std::string& expression, std::map<std::string, double, std::less<>>& numbers);
  ~Formula();
  Formula(const Formula&) = delete;
  Formula& operator=(const Formula&) = delete;

  /// With the numbers as they are now.
  Expected<double> value();

 private:
  Formula(void* parser, std::string expression);
  [[nodiscard]] Expected<void> failure(std::string expected) const;

  void* parser_;
  std::string expression_;
};

}  // namespace forewarp::measured
