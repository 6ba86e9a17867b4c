// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace forewarp::program {

/// A fixed set of names, hashed at compile time: maps a name to its place in the list, or 0. Open
/// addressing with at least twice as many slots as names: a look-up reads one or two slots.
template <std::size_t Names, std::size_t Slots>
class NameIndex {
  static_assert((Slots & (Slots - 1)) == 0 && Slots >= 2 * Names);

 public:
  constexpr explicit NameIndex(const std::array<std::string_view, Names>& names) : names_(names) {
    for (std::size_t i = 1; i < Names; ++i) {
      std::size_t slot = hash(names_[i]) & (Slots - 1);
      while (slots_[slot] != 0) slot = (slot + 1) & (Slots - 1);
      slots_[slot] = static_cast<std::uint16_t>(i);
    }
  }

  [[nodiscard]] constexpr std::uint16_t find(std::string_view name) const {
    std::size_t slot = hash(name) & (Slots - 1);
    while (slots_[slot] != 0 && names_[slots_[slot]] != name) slot = (slot + 1) & (Slots - 1);
    return slots_[slot];
  }

  [[nodiscard]] constexpr std::string_view name(std::uint16_t place) const {
    return place < Names ? names_[place] : names_[0];
  }

 private:
  static constexpr std::uint64_t hash(std::string_view name) {
    std::uint64_t value = name.size();
    for (const char c : name) value = value * 0x100000001b3U + static_cast<unsigned char>(c);
    return value ^ (value >> 15);
  }

  std::array<std::string_view, Names> names_;
  std::array<std::uint16_t, Slots> slots_{};
};

}  // namespace forewarp::program
