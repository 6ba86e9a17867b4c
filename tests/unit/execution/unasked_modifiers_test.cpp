// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What the analysis follows depends on every modifier that execution depends on, in all listings
// here: a value that is the same without one is none.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/semantics.h"
#include "execution/lowering/unread_modifiers.h"
#include "input/sass/sass_reader.h"
#include "input/source.h"
#include "program/opcode_words.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

/// Executes instructions symbolically from a state in which every register has a content of its
/// own.
class Symbolic {
 public:
  explicit Symbolic(const Kernel& from) : kernel(from), slots_(from) {}

  std::vector<Expression> after(std::uint32_t index) {
    SemanticContext context{kernel, slots_, pool, {}};
    MachineState state;
    for (std::uint32_t i = 0; i < slots_.count(); ++i) {
      state.value.push_back(pool.constant_bank(7, 4 * i, 4));
      state.definition.emplace_back();
    }
    begin_ = state.value;
    Semantics(context, state, index).execute();
    return state.value;
  }
  /// Something was written whose value is known, and nothing that is not.
  [[nodiscard]] bool followed(const std::vector<Expression>& values) const {
    bool written = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == begin_[i]) continue;
      if (pool.contains(values[i], contains_unknown)) return false;
      written = true;
    }
    return written;
  }

  Kernel kernel;
  ExpressionPool pool;

 private:
  StateSlots slots_;
  std::vector<Expression> begin_;
};

/// Modifiers that change no value in the forms that listings have.
bool changes_none(std::string_view opcode, std::string_view word) {
  const struct {
    std::string_view opcode, word, why;
  } known[] = {
      {"IMAD", "U32", "low words of a product have no sign"},
      {"LEA", "SX32", "the form without a third number says it"},
      {"ULEA", "SX32", "the form without a third number says it"},
      {"SHF", "S64", "the low word of two shifted by less than 32 has no sign"},
      {"SHF", "U64", "the high word of two shifted left by less than 32"},
      {"USHF", "U64", "the high word of two shifted left by less than 32"},
      {"SHL", "W", "of a count below 32"},
      // Followed for upper words less than 2^31 apart only, signed or not.
      {"ISETP", "U32", "equality has no sign, nor has .X, which asks for that of a difference"},
  };
  return std::ranges::any_of(
      known, [&](const auto& row) { return row.opcode == opcode && row.word == word; });
}

TEST(UnaskedModifiers, NoneThatExecutionAsksFor) {
  std::map<std::string, std::string> found;
  std::size_t followed = 0;
  for (const char* folder : {"/validation", "/tests"}) {
    const auto at = std::string(FOREWARP_SOURCE_DIR) + folder;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(at)) {
      if (entry.path().extension() != ".sass") continue;
      // One instruction of each form, of zero too, of which no modifier changes anything.
      if (entry.path().parent_path().filename() == "encoding") continue;
      const auto source = InputSource::open(entry.path().string());
      if (!source) continue;
      SassReader reader(*source);
      for (auto kernel = reader.next(); kernel && *kernel; kernel = reader.next()) {
        Symbolic symbolic(**kernel);
        std::set<std::string_view> seen;
        for (std::uint32_t i = 0; i < (*kernel)->instructions.size(); ++i) {
          const Instruction& instruction = (*kernel)->instructions[i];
          if (!seen.insert(opcode_text(**kernel, instruction)).second) continue;
          const auto whole = symbolic.after(i);
          if (!symbolic.followed(whole)) continue;
          ++followed;
          for (const OpcodeWord word : opcode_words(**kernel, instruction)) {
            if (!execution_depends_on(**kernel, i, word)) continue;
            const std::string_view opcode = opcode_info(instruction.opcode).mnemonic;
            if (changes_none(opcode, word.in(**kernel))) continue;
            const WithoutWord without(symbolic.kernel, i, word);
            if (symbolic.after(i) != whole) continue;
            found.emplace(std::string(opcode) + " ." + std::string(word.in(**kernel)),
                          std::string((*kernel)->text_of(instruction)) + "  sm_" +
                              std::to_string((*kernel)->sm));
          }
        }
      }
    }
  }
  EXPECT_GT(followed, 5000U);
  for (const auto& [what, where] : found) ADD_FAILURE() << what << ": " << where;
}

}  // namespace
}  // namespace forewarp::tests
