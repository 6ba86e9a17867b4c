// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "program/kernel.h"

namespace forewarp::program {

enum class RegisterFile : std::uint8_t {
  general,
  uniform,
  predicate,
  uniform_predicate,
  condition_code,
  convergence,
};

/// Role of a register; `guard` is the predicate of the instruction itself.
enum class RoleUse : std::uint8_t {
  guard,
  source,
  address,
  data,
  uniform_descriptor,
  destination,
};

/// Consecutive registers that an instruction reads or writes.
struct RegisterRange {
  RegisterFile file = RegisterFile::general;
  RoleUse use = RoleUse::source;
  std::uint8_t count = 1;
  std::uint8_t slot = 0;  ///< source slot 0 (A), 1 (B), 2 (C), if relevant
  bool reuse = false;
  std::uint16_t first = 0;
};

/// Reads and writes of one instruction in textual order, the guard first among the reads. Without
/// RZ, PT and URZ; pairs and wider groups are one range (by the opcode table's widths). The
/// unprinted descriptor pair of global accesses from sm_80 on is a read with use
/// uniform_descriptor.
struct Roles {
  static constexpr std::size_t capacity = 12;
  std::array<RegisterRange, capacity> reads{};
  std::array<RegisterRange, 6> writes{};
  std::uint8_t read_count = 0;
  std::uint8_t write_count = 0;

  [[nodiscard]] std::span<const RegisterRange> read() const { return {reads.data(), read_count}; }
  [[nodiscard]] std::span<const RegisterRange> written() const {
    return {writes.data(), write_count};
  }
};

[[nodiscard]] Roles roles_of(const Kernel& kernel, const Instruction& instruction);

/// Bytes per lane of a memory instruction: 1, 2, 4, 8 or 16; 0 for others.
[[nodiscard]] std::uint32_t access_bytes(const Instruction& instruction);

}  // namespace forewarp::program
