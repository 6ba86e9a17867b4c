// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Every vector of tests/fixtures/instruction_vectors.tsv: text, words, registers and schedule of
// one instruction as the compiler printed it, put into a listing in the form that the disassembler
// uses.
#include <map>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/text.h"
#include "input/sass/isa_conventions.h"
#include "listing_reading.h"
#include "test_paths.h"

namespace forewarp::tests::test {
namespace {

struct VectorLine {
  std::uint32_t sm = 0;
  std::uint32_t address = 0;
  std::string text;
  std::vector<std::string> words;
  std::string defines, uses, schedule;
};

struct Vector {
  std::vector<std::string> control;
  std::vector<VectorLine> lines;
};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (const std::string_view word : split(text, ' ')) words.emplace_back(word);
  return words;
}

std::map<std::string, Vector> read_vectors() {
  std::map<std::string, Vector> vectors;
  const auto file = read_file(std::string(FOREWARP_FIXTURES) + "/instruction_vectors.tsv");
  if (!file) return vectors;
  for (const std::string_view line : split(*file, '\n')) {
    const auto columns = split(line, '\t');
    if (columns.size() < 2 || line.starts_with("#")) continue;
    if (columns[0] == "control") {
      for (std::size_t i = 2; i < columns.size(); ++i) {
        vectors[std::string(columns[1])].control.emplace_back(columns[i]);
      }
      continue;
    }
    VectorLine entry;
    entry.sm = static_cast<std::uint32_t>(*parse_integer(columns[1]));
    entry.address = static_cast<std::uint32_t>(*parse_integer("0x" + std::string(columns[2])));
    entry.text = columns[3];
    entry.words = words_of(columns[4]);
    entry.defines = columns[5];
    entry.uses = columns[6];
    entry.schedule = columns[7];
    vectors[std::string(columns[0])].lines.push_back(entry);
  }
  return vectors;
}

std::string word_line(const std::string& word) {
  return std::string(40, ' ') + "/* 0x" + word + " */\n";
}

bool is_undecodable(const VectorLine& line) {
  return line.text.starts_with("VIMNMX");
}

/// As cuobjdump prints it, closing braces and bare words included.
std::string listing_of(const Vector& vector) {
  const std::uint32_t sm = vector.lines[0].sm;
  const std::uint32_t bundle = isa_conventions(sm).bundle_bytes;
  std::string text = "\tcode for sm_" + std::to_string(sm) + "\n\t\tFunction : _Z6vectorv\n";
  std::size_t control = 0;
  std::uint32_t bundle_at = 0xffffffffU;
  for (const VectorLine& line : vector.lines) {
    if (bundle != 0 && line.address / bundle != bundle_at) {
      bundle_at = line.address / bundle;
      text += word_line(vector.control.at(control++));
    }
    if (is_undecodable(line)) {
      text += word_line(line.words[0]) + word_line(line.words[1]);
      continue;
    }
    text += "        /*" + hex(line.address, 4).substr(2) + "*/        " + line.text;
    const bool closes = line.text.ends_with(" }");
    text += closes ? "\n" + word_line(line.words[0]) : " ;   /* 0x" + line.words[0] + " */\n";
    if (line.words.size() > 1) text += word_line(line.words[1]);
  }
  return text + "\t\t..........\n";
}

std::string barrier_text(std::uint8_t barrier) {
  return barrier == no_barrier ? "-" : std::to_string(barrier);
}

std::string schedule_of(const Control& control, bool by_field) {
  if (by_field) return hex(control.raw, 2).substr(2);
  return std::to_string(control.stall) + " " + (control.yield ? "0" : "1") + " " +
         barrier_text(control.write_barrier) + " " + barrier_text(control.read_barrier) + " " +
         hex(control.wait_mask, 2).substr(2) + " " + hex(control.reuse).substr(2);
}

std::string bare_text(std::string text) {
  if (text.starts_with("{ ")) text.erase(0, 2);
  if (text.ends_with(" }")) text.erase(text.size() - 2);
  return text;
}

TEST(InstructionVectors, AllAreThere) {
  EXPECT_EQ(read_vectors().size(), 23U);
}

TEST(InstructionVectors, ReadAsTheCompilerMeantThem) {
  for (const auto& [name, vector] : read_vectors()) {
    SCOPED_TRACE(name);
    const Kernel kernel = read_one(listing_of(vector));
    ASSERT_EQ(kernel.instructions.size(), vector.lines.size());
    for (std::size_t i = 0; i < vector.lines.size(); ++i) {
      const VectorLine& expected = vector.lines[i];
      const Instruction& read = kernel.instructions[i];
      SCOPED_TRACE(expected.text);
      EXPECT_EQ(kernel.text_of(read), bare_text(expected.text));
      EXPECT_EQ(read.address, expected.address);
      EXPECT_NE(read.opcode, unknown_opcode);
      EXPECT_EQ(read.decoded, !is_undecodable(expected));
      EXPECT_EQ(defines_of(kernel, i), expected.defines);
      EXPECT_EQ(uses_of(kernel, i), expected.uses);
      EXPECT_TRUE(read.control.known);
      EXPECT_EQ(schedule_of(read.control, expected.sm == 35), expected.schedule);
      EXPECT_EQ(read.word_low, std::stoull(expected.words[0], nullptr, 16));
      if (expected.words.size() > 1) {
        EXPECT_EQ(read.word_high, std::stoull(expected.words[1], nullptr, 16));
      }
      EXPECT_EQ(read.dual_with_next, expected.text.starts_with("{"));
    }
  }
}

// The worked words of the decoding rules: stalls n+1 on sm_35, 21-bit fields later.
TEST(InstructionVectors, StallOfSm35IsOneMoreThanItsField) {
  const Vector vector = read_vectors().at("V1");
  const Kernel kernel = read_one(listing_of(vector));
  const std::vector<int> stalls{17, 4, 9, 9, 13, 15, 1};
  for (std::size_t i = 0; i < stalls.size(); ++i) {
    EXPECT_EQ(kernel.instructions[i].control.stall, stalls[i]);
  }
}

}  // namespace
}  // namespace forewarp::tests::test
