// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/facts.h"

#include <array>

namespace forewarp::hardware {
namespace {

constexpr std::array<std::string_view, 6> names = {"datasheet", "vendor_tool", "measured",
                                                   "published", "derived",     "assumed"};

}  // namespace

std::string_view confidence_name(Confidence confidence) {
  return names[static_cast<std::size_t>(confidence)];
}

std::optional<Confidence> confidence_by_name(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Confidence>(i);
  }
  return std::nullopt;
}

}  // namespace forewarp::hardware
