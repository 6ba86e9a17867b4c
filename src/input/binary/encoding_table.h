// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/expected.h"

namespace forewarp::input {

/// An instruction as it is stored: 128 bits, or 64 with its 21 control bits above them.
struct InstructionWord {
  std::uint64_t low = 0, high = 0;

  [[nodiscard]] bool bit(std::uint32_t at) const {
    return ((at < 64 ? low >> at : high >> (at - 64)) & 1U) != 0;
  }
};

/// How the instructions of one family of architectures are encoded, as read from a file of
/// data/encoding (docs/encoding.md). Views into the file's text.
struct EncodingTable {
  enum class FieldKind : std::uint8_t {
    general,            ///< R: a register, RZ for 255
    uniform,            ///< U: UR, URZ for 63
    predicate,          ///< P: P, PT for 7
    uniform_predicate,  ///< Q: UP, UPT for 7
    barrier,            ///< B
    scoreboard,         ///< S: SB
    number,             ///< N: hexadecimal
    address,            ///< A: hexadecimal, relative to the instruction's own address
    float64,
    float32,
    float16,
  };
  /// Neighbouring bits of a word with doubling weights.
  struct Run {
    std::uint8_t first = 0, count = 0, power = 0;  ///< weight of the first: 2^power
    bool negative = false;
  };
  struct Field {
    FieldKind kind = FieldKind::number;
    std::vector<Run> runs;
    std::int64_t constant = 0;
  };
  enum class Condition : std::uint8_t { bit, equals, one, power };
  /// One bit of a part's index.
  struct Input {
    Condition condition = Condition::bit;
    std::uint8_t subject = 0;  ///< number of the bit, or of the form's field
    std::uint32_t value = 0;   ///< with which an `equals` compares
  };
  /// Bits and conditions that together choose a piece of text.
  struct Part {
    std::vector<Input> inputs;  ///< lowest bit of the index first
    std::uint32_t table = 0;
  };
  struct Entry {
    std::uint32_t index = 0;
    std::string_view piece;
  };
  struct Form {
    InstructionWord mask, match;
    std::string_view text;  ///< "{k}" stands for field k, "<k>" for part k
    std::vector<Field> fields;
    std::vector<Part> parts;
  };

  /// A register whose field begins at one bit is marked as reused by another, in instructions whose
  /// bits 9 to 11 are one of `kinds` (a set of the numbers 0 to 7).
  struct Reuse {
    std::uint8_t field = 0, mark = 0, kinds = 0xff;
    std::int16_t operation = -1;  ///< bits 0 to 8 of the word; -1: any
  };

  bool wide = true;  ///< 128 bits
  std::vector<Reuse> reuse;
  /// Operations (bits 0 to 8 of the word) whose registers are never marked as reused.
  struct Operations {
    std::uint32_t first = 1, last = 0;
  } unmarked;
  std::vector<std::uint32_t> architectures;             ///< numbers as in sm_80
  std::vector<std::vector<Entry>> tables;               ///< by index
  std::vector<Form> forms;                              ///< the most specific first
  std::array<std::vector<std::uint32_t>, 4096> by_key;  ///< forms that words with a key may have

  /// The bits by which forms are looked up: the lowest 12, of short words the highest.
  [[nodiscard]] std::uint32_t key_of(const InstructionWord& word) const {
    return static_cast<std::uint32_t>(wide ? word.low & 0xfffU : word.low >> 52U);
  }
};

/// Reads a file of data/encoding; fails with the line and what is wrong with it.
Expected<EncodingTable> read_encoding(std::string_view text);

/// The table for an architecture; null if there is none. Read once.
[[nodiscard]] const EncodingTable* encoding_for(std::uint32_t sm);

}  // namespace forewarp::input
