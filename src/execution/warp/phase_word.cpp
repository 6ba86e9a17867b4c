// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/warp/phase_word.h"

namespace forewarp::execution {
namespace {

// From sm_90 on: bits 1 to 20 minus the expected count, 21 to 42 bytes, 43 to 62 minus the missing
// count.
constexpr std::uint32_t count_bits = 20, count_mask = (1U << count_bits) - 1;
constexpr std::uint32_t bytes_bits = 22, first_byte_bit = 21, first_missing_bit = 43;
constexpr std::uint32_t bytes_mask = (1U << bytes_bits) - 1;
// Before: bits 32 to 62 minus the missing count; the low word plus this bit is what it starts at.
constexpr std::uint32_t plain_mask = 0x7fffffffU, plain_start = 0x40000000U;

}  // namespace

std::uint32_t PhaseWord::missing() const {
  if (!counts_bytes_) return (0U - static_cast<std::uint32_t>(word_ >> 32)) & plain_mask;
  return (0U - static_cast<std::uint32_t>(word_ >> first_missing_bit)) & count_mask;
}

std::uint32_t PhaseWord::expected() const {
  const auto low = static_cast<std::uint32_t>(word_);
  if (!counts_bytes_) return (0U - (low + plain_start)) & plain_mask;
  return (0U - (low >> 1)) & count_mask;
}

std::int32_t PhaseWord::bytes() const {
  if (!counts_bytes_) return 0;
  const auto field = static_cast<std::uint32_t>(word_ >> first_byte_bit) & bytes_mask;
  return static_cast<std::int32_t>(field << (32 - bytes_bits)) >> (32 - bytes_bits);
}

void PhaseWord::set(std::uint32_t phase, std::uint32_t missing, std::int32_t bytes,
                    std::uint32_t expected) {
  const auto high_phase = std::uint64_t{phase} << 63;
  if (!counts_bytes_) {
    const std::uint64_t low = ((0U - expected) & plain_mask) - plain_start;
    word_ = high_phase | std::uint64_t{(0U - missing) & plain_mask} << 32 | (low & 0xffffffffU);
    return;
  }
  word_ = high_phase | std::uint64_t{(0U - missing) & count_mask} << first_missing_bit |
          std::uint64_t{static_cast<std::uint32_t>(bytes) & bytes_mask} << first_byte_bit |
          std::uint64_t{(0U - expected) & count_mask} << 1;
}

bool PhaseWord::apply(std::uint32_t arrivals, std::int64_t more_bytes, std::uint32_t dropped) {
  const std::uint32_t limit = counts_bytes_ ? count_mask : plain_mask;
  std::uint32_t left = (missing() - arrivals) & limit;
  const auto outstanding = static_cast<std::int32_t>(bytes() + more_bytes);
  const std::uint32_t start = (expected() - dropped) & limit;
  const bool completes = left == 0 && outstanding == 0;
  if (completes) left = start;
  set(completes ? phase() ^ 1U : phase(), left, outstanding, start);
  return completes;
}

}  // namespace forewarp::execution
