// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/expected.h"
#include "system/layers.h"

namespace forewarp::system {

/// The value of a variable of an application; its type is that of its default.
using VariableValue = std::variant<bool, std::int64_t, double, std::string>;

/// The variables that an application declares, with what the user sets.
class Variables {
 public:
  explicit Variables(std::map<std::string, std::string> set) : set_(std::move(set)) {}

  /// A declaration: the user's value, if there is one, as the default's type. Whole numbers may be
  /// written as 4e8. Refuses a text that is none of that type.
  Expected<VariableValue> declare(const std::string& name, const VariableValue& usual);

  /// Refuses a value for what no declaration named.
  [[nodiscard]] Expected<void> check() const;

  /// Names and values as they were used, in the order of names.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> used() const;

 private:
  std::map<std::string, std::string> set_;
  std::map<std::string, std::string> used_;
};

}  // namespace forewarp::system
