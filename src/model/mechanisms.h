// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace forewarp::model {

/// What costs time on a GPU. Every model declares which of these it accounts for; the explanation
/// why two models differ on a launch, and the order in which `auto` prefers them, follow from these
/// declarations alone.
enum class Mechanism : std::uint8_t {
  occupancy,           ///< resident warps decide how much latency is hidden
  arithmetic_latency,  ///< dependent arithmetic waits
  memory_latency,      ///< dependent accesses wait
  issue,               ///< issue slots of the schedulers
  pipes,               ///< each execution pipe has its own rate, not only the main one
  bandwidth,           ///< of device memory
  contention,          ///< latency grows with the load of the memory
  caches,              ///< hits in L1 and L2, and their rates
  barriers,            ///< warps of a block wait for each other
  phases,              ///< resident blocks are between different barriers and load different units
  waves,               ///< whole waves of blocks and the tail, small grids
  launch_cost,         ///< blocks are launched one after the other
  asynchronous,        ///< warps wait in shared memory for copies in bulk and other warps
};
inline constexpr std::size_t mechanism_kinds = 13;

/// As in a sentence: "memory contention".
[[nodiscard]] std::string_view mechanism_name(Mechanism mechanism);

class Mechanisms {
 public:
  constexpr Mechanisms() = default;
  constexpr Mechanisms(std::initializer_list<Mechanism> list) {
    for (const Mechanism mechanism : list) bits_ |= bit(mechanism);
  }
  [[nodiscard]] constexpr bool has(Mechanism m) const { return (bits_ & bit(m)) != 0; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  [[nodiscard]] int count() const;
  /// Mechanisms in both sets.
  [[nodiscard]] constexpr Mechanisms also_in(Mechanisms other) const {
    return Mechanisms(bits_ & other.bits_);
  }
  /// Mechanisms in either set.
  [[nodiscard]] constexpr Mechanisms with(Mechanisms other) const {
    return Mechanisms(bits_ | other.bits_);
  }
  /// Mechanisms that `other` lacks.
  [[nodiscard]] constexpr Mechanisms without(Mechanisms other) const {
    return Mechanisms(bits_ & ~other.bits_);
  }
  [[nodiscard]] std::vector<std::string_view> names() const;

 private:
  constexpr explicit Mechanisms(std::uint32_t bits) : bits_(bits) {}
  static constexpr std::uint32_t bit(Mechanism m) { return 1U << static_cast<std::uint8_t>(m); }
  std::uint32_t bits_ = 0;
};

}  // namespace forewarp::model
