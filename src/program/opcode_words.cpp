// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program/opcode_words.h"

#include <algorithm>

namespace forewarp::program {

std::string_view opcode_text(const Kernel& kernel, const Instruction& instruction) {
  std::string_view text = kernel.text_of(instruction);
  if (text.starts_with('@')) text.remove_prefix(std::min(text.find(' ') + 1, text.size()));
  return text.substr(0, instruction.mnemonic_size);
}

std::vector<OpcodeWord> opcode_words(const Kernel& kernel, const Instruction& instruction) {
  std::vector<OpcodeWord> words;
  const std::string_view opcode = opcode_text(kernel, instruction);
  if (opcode.empty()) return words;
  const auto first = static_cast<std::size_t>(opcode.data() - kernel.text.data());
  for (std::size_t at = opcode.find('.'); at < opcode.size();) {
    const std::size_t end = std::min(opcode.find('.', at + 1), opcode.size());
    words.push_back({first + at + 1, end - at - 1});
    at = end;
  }
  return words;
}

WithoutWord::WithoutWord(Kernel& kernel, std::uint32_t index, OpcodeWord word)
    : kernel_(kernel),
      index_(index),
      word_(word),
      instruction_(kernel.instructions[index]),
      text_(word.in(kernel)) {
  Instruction& instruction = kernel_.instructions[index_];
  auto* const end = instruction.modifiers.begin() + instruction.modifier_count;
  auto* const found = std::find(instruction.modifiers.begin(), end, find_modifier(text_));
  if (found != end) {
    std::rotate(found, found + 1, end);
    --instruction.modifier_count;
  }
  kernel_.text.replace(word_.begin, word_.size, word_.size, '~');
}

WithoutWord::~WithoutWord() {
  kernel_.instructions[index_] = instruction_;
  kernel_.text.replace(word_.begin, word_.size, text_);
}

}  // namespace forewarp::program
