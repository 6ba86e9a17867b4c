// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace forewarp::execution {

/// A barrier in a 64-bit word of shared memory (mbarrier), with the fields where code of each
/// generation looks for them: bit 63 is the phase, below it stands minus the number of missing
/// arrivals, and the low word holds the value at which that count starts. From sm_90 on the bits in
/// between count the bytes that copies still have to bring; their place is our own.
class PhaseWord {
 public:
  PhaseWord(std::uint64_t word, bool counts_bytes) : word_(word), counts_bytes_(counts_bytes) {}

  [[nodiscard]] std::uint64_t word() const { return word_; }
  [[nodiscard]] std::uint32_t phase() const { return static_cast<std::uint32_t>(word_ >> 63); }
  /// Arrivals that the phase still misses; 0 where it only waits for bytes.
  [[nodiscard]] std::uint32_t missing() const;
  /// Arrivals that complete a phase.
  [[nodiscard]] std::uint32_t expected() const;
  /// Bytes that the phase still waits for; negative: more have come than were announced.
  [[nodiscard]] std::int32_t bytes() const;

  /// Returns whether this completes the phase. `dropped`: fewer arrivals are expected from then on.
  bool apply(std::uint32_t arrivals, std::int64_t bytes, std::uint32_t dropped = 0);

 private:
  void set(std::uint32_t phase, std::uint32_t missing, std::int32_t bytes, std::uint32_t expected);

  std::uint64_t word_;
  bool counts_bytes_;
};

}  // namespace forewarp::execution
