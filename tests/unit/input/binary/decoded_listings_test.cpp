// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The words beside each instruction of our listings decode to the text that the vendor's
// disassembler printed.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "input/binary/instruction_decoder.h"
#include "input/sass/sass_reader.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

namespace fs = std::filesystem;

const fs::path fixtures = FOREWARP_FIXTURES;

std::string without_blanks(std::string_view text) {
  std::string kept;
  std::copy_if(text.begin(), text.end(), std::back_inserter(kept),
               [](unsigned char c) { return std::isspace(c) == 0; });
  return kept;
}

// CUDA 11.8, which most listings are of, does not print the descriptor of a global access on sm_90.
std::string without_descriptor(std::string text) {
  const std::size_t at = text.find("desc[UR");
  if (at != std::string::npos) text.erase(at, text.find(']', at) + 1 - at);
  return text;
}

struct Count {
  std::size_t right = 0, unknown = 0, wrong = 0;
  std::string example;
};

InstructionWord word_of(const Instruction& instruction, bool wide) {
  if (wide) return {instruction.word_low, instruction.word_high};
  // Of the control bits only those of reused operands show in a text.
  return {instruction.word_low, std::uint64_t{instruction.control.reuse} << 17U};
}

void compare(const Kernel& kernel, Count& count) {
  const EncodingTable* table = encoding_for(kernel.sm);
  if (table == nullptr || !kernel.has_control) return;
  for (const Instruction& instruction : kernel.instructions) {
    if (!instruction.decoded) continue;
    std::string text;
    if (!append_instruction(*table, word_of(instruction, table->wide), instruction.address, text)) {
      if (++count.unknown == 1) count.example = std::string(kernel.text_of(instruction));
      continue;
    }
    std::string ours = without_blanks(text);
    const std::string theirs = without_blanks(kernel.text_of(instruction));
    if (theirs.find("desc[") == std::string::npos) ours = without_descriptor(std::move(ours));
    const bool same = ours == theirs;
    (same ? count.right : count.wrong) += 1;
    if (!same) count.example = text + " instead of " + std::string(kernel.text_of(instruction));
  }
}

void compare_folder(const fs::path& folder, std::map<std::uint32_t, Count>& counts) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".sass") continue;
    const auto source = InputSource::open(entry.path().string());
    ASSERT_TRUE(source);
    SassReader reader(*source);
    for (;;) {
      const auto kernel = reader.next();
      if (!kernel || !*kernel) break;
      compare(**kernel, counts[(*kernel)->sm]);
    }
  }
}

TEST(DecodedListings, AreWhatTheDisassemblerPrinted) {
  std::map<std::uint32_t, Count> counts;
  const fs::path root = fixtures.parent_path().parent_path();
  compare_folder(fixtures / "listings", counts);
  compare_folder(root / "validation" / "kernels", counts);
  compare_folder(root / "bench" / "kernels", counts);
  for (const auto& [sm, count] : counts) {
    if (encoding_for(sm) == nullptr) continue;
    std::printf("sm_%u: %zu as printed, %zu unknown, %zu otherwise\n", sm, count.right,
                count.unknown, count.wrong);
    EXPECT_GT(count.right, 500U) << "sm_" << sm;
    EXPECT_EQ(count.unknown + count.wrong, 0U) << "sm_" << sm << ": " << count.example;
  }
}

// One instruction of each modifier and kind of operand that PTX makes: none may be missing.
TEST(DecodedListings, HaveEveryFormOfPtx) {
  std::map<std::uint32_t, Count> counts;
  compare_folder(fixtures / "encoding", counts);
  EXPECT_EQ(counts.size(), 8U);
  for (const auto& [sm, count] : counts) {
    std::printf("sm_%u: %zu forms as printed\n", sm, count.right);
    EXPECT_GT(count.right, 10U) << "sm_" << sm;
    EXPECT_EQ(count.unknown + count.wrong, 0U) << "sm_" << sm << ": " << count.example;
  }
}

}  // namespace
}  // namespace forewarp::tests
