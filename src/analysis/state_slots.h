// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "program/roles.h"

namespace forewarp::analysis {

/// Dense number of a register, of any file, among those that a kernel uses.
using Slot = std::uint32_t;
inline constexpr Slot no_slot = 0xffffffff;

/// Numbers the registers that a kernel uses densely, so that its state is a short vector.
class StateSlots {
 public:
  StateSlots() = default;
  explicit StateSlots(const Kernel& kernel);

  /// no_slot for RZ, PT, convergence registers and registers that the kernel does not name.
  [[nodiscard]] Slot of(RegisterFile file, std::uint32_t number) const;
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(raw_.size()); }
  [[nodiscard]] RegisterFile file(Slot slot) const;
  [[nodiscard]] std::uint32_t number(Slot slot) const;

 private:
  static constexpr std::uint32_t uniform_begin = 256, predicate_begin = 320,
                                 uniform_predicate_begin = 328, condition_code = 336,
                                 raw_count = 337;
  [[nodiscard]] static std::uint32_t raw_of(RegisterFile file, std::uint32_t number);
  std::array<Slot, raw_count> dense_ = [] {
    std::array<Slot, raw_count> none{};
    none.fill(no_slot);
    return none;
  }();
  std::vector<std::uint32_t> raw_;
};

/// A set of slots, as a bit set.
class SlotSet {
 public:
  void insert(Slot slot) {
    if (slot != no_slot) words_[slot / 64] |= std::uint64_t{1} << (slot % 64);
  }
  void insert(const SlotSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  [[nodiscard]] bool contains(Slot slot) const {
    return ((words_[slot / 64] >> (slot % 64)) & 1U) != 0;
  }
  bool operator==(const SlotSet&) const = default;

 private:
  std::array<std::uint64_t, 6> words_{};
};

}  // namespace forewarp::analysis
