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

/// What role a register plays; `guard` is the instruction's own predicate.
enum class RoleUse : std::uint8_t {
  guard,
  source,
  address,
  data,
  uniform_descriptor,
  destination,
};

/// A run of registers that an instruction reads or writes: file, first number, how many.
struct RegisterRange {
  RegisterFile file = RegisterFile::general;
  RoleUse use = RoleUse::source;
  std::uint8_t count = 1;
  std::uint8_t slot = 0;  ///< source slot 0 (A), 1 (B), 2 (C) where that matters
  bool reuse = false;
  std::uint16_t first = 0;
};

/// Reads and writes of one instruction in the order of the text, guard first among the reads.
/// RZ, PT and URZ are left out; pairs and wider groups are one range (rules: width table of the
/// opcode table). The unprinted descriptor pair of sm_80+ global accesses is a read with use
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

/// Bytes that one lane moves in a memory instruction: 1, 2, 4, 8 or 16; 0 for others.
[[nodiscard]] std::uint32_t access_bytes(const Instruction& instruction);

}  // namespace forewarp::program
