// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "binding/access_pattern.h"

namespace forewarp::binding {

/// The patterns of a kernel's instructions, by index; only those that were set take room.
class AccessPatterns {
 public:
  AccessPatterns() = default;
  explicit AccessPatterns(std::size_t instructions) : places_(instructions) {}

  [[nodiscard]] std::size_t size() const { return places_.size(); }
  [[nodiscard]] bool empty() const { return places_.empty(); }
  [[nodiscard]] std::size_t bytes() const {
    return places_.size() * sizeof(std::uint32_t) + set_.size() * sizeof(AccessPattern);
  }
  [[nodiscard]] const AccessPattern& operator[](std::size_t instruction) const {
    return set_[places_[instruction]];
  }
  /// To be changed.
  [[nodiscard]] AccessPattern& at(std::size_t instruction) {
    if (places_[instruction] == 0) {
      places_[instruction] = static_cast<std::uint32_t>(set_.size());
      set_.emplace_back();
    }
    return set_[places_[instruction]];
  }
  /// Those of the instructions that `numbers` keeps.
  template <typename Renumbering>
  [[nodiscard]] AccessPatterns kept(const Renumbering& numbers) const {
    AccessPatterns made = *this;
    made.places_ = numbers.kept(places_);
    return made;
  }
  bool operator==(const AccessPatterns&) const = default;

 private:
  std::vector<std::uint32_t> places_;  ///< in set_; 0: never set
  std::vector<AccessPattern> set_ = std::vector<AccessPattern>(1);
};

}  // namespace forewarp::binding
