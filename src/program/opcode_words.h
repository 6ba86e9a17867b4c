// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "program/kernel.h"

namespace forewarp::program {

/// "IADD3.X" of "@P0 IADD3.X R7, RZ, R17, RZ, P0, !PT".
[[nodiscard]] std::string_view opcode_text(const Kernel& kernel, const Instruction& instruction);

/// A modifier as it is printed behind the opcode; also one that find_modifier() does not know.
struct OpcodeWord {
  std::size_t begin = 0, size = 0;  ///< in Kernel::text, without the point

  [[nodiscard]] std::string_view in(const Kernel& kernel) const {
    return std::string_view(kernel.text).substr(begin, size);
  }
};
[[nodiscard]] std::vector<OpcodeWord> opcode_words(const Kernel& kernel,
                                                   const Instruction& instruction);

/// As long as it lives, one of an instruction's modifiers is neither in its list nor in its text,
/// to see who asks for it.
class WithoutWord {
 public:
  WithoutWord(Kernel& kernel, std::uint32_t index, OpcodeWord word);
  ~WithoutWord();
  WithoutWord(const WithoutWord&) = delete;
  WithoutWord& operator=(const WithoutWord&) = delete;

 private:
  Kernel& kernel_;
  std::uint32_t index_;
  OpcodeWord word_;
  Instruction instruction_;
  std::string text_;
};

}  // namespace forewarp::program
