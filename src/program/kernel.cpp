// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program/kernel.h"

#include <algorithm>

#include "base/text.h"
#include "program/source_place.h"

namespace forewarp::program {

std::size_t Kernel::index_at(std::uint32_t address) const {
  const auto found = std::lower_bound(
      instructions.begin(), instructions.end(), address,
      [](const Instruction& instruction, std::uint32_t a) { return instruction.address < a; });
  return static_cast<std::size_t>(found - instructions.begin());
}

std::string instruction_text(const Kernel& kernel, std::uint32_t index) {
  if (index >= kernel.instructions.size()) return "an instruction past the end";
  const Instruction& instruction = kernel.instructions[index];
  std::string text =
      hex(instruction.address, 4) + " '" + std::string(kernel.text_of(instruction)) + "'";
  if (instruction.source_line != 0 && instruction.source_file < kernel.source_files.size()) {
    const std::string& file = kernel.source_files[instruction.source_file];
    text += (file == own_source ? " (line " : " (" + file + ":") +
            std::to_string(instruction.source_line) + ")";
  }
  return text;
}

}  // namespace forewarp::program
