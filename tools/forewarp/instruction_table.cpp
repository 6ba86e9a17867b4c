// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "instruction_table.h"

#include <array>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "input/sass/isa_conventions.h"
#include "program/roles.h"

namespace forewarp::cli {
namespace {

std::string name_of(const RegisterRange& range) {
  if (range.file == RegisterFile::condition_code) return "CC";
  constexpr std::array<std::string_view, 6> prefixes{"R", "UR", "P", "UP", "CC", "B"};
  const std::string_view prefix = prefixes[static_cast<std::size_t>(range.file)];
  if (range.count <= 1) return fmt::format("{}{}", prefix, range.first);
  return fmt::format("{0}{1}..{0}{2}", prefix, range.first, range.first + range.count - 1);
}

std::string names_of(std::span<const RegisterRange> ranges) {
  std::string text;
  for (const RegisterRange& range : ranges) {
    if (range.use == RoleUse::uniform_descriptor) continue;
    if (!text.empty()) text += ' ';
    text += name_of(range);
  }
  return text.empty() ? "-" : text;
}

/// Where the schedule is part of the encoding, it is known when the high word is there.
std::string words_of(const Instruction& instruction, ControlLayout layout) {
  const std::string low = fmt::format("{:016x}", instruction.word_low);
  if (layout == ControlLayout::embedded && instruction.control.known) {
    return low + fmt::format(" {:016x}", instruction.word_high);
  }
  return instruction.word_low == 0 ? "-" : low;
}

std::string barrier_text(std::uint8_t barrier) {
  return barrier == no_barrier ? "-" : std::to_string(barrier);
}

std::string schedule_of(const Control& control, bool by_field) {
  if (!control.known) return "-";
  if (by_field) return fmt::format("{:02x}", control.raw);
  return fmt::format("{} {} {} {} {:02x} {:x}", control.stall, control.yield ? 0 : 1,
                     barrier_text(control.write_barrier), barrier_text(control.read_barrier),
                     control.wait_mask, control.reuse);
}

}  // namespace

std::string instructions_as_text(const Kernel& kernel) {
  const ControlLayout layout = isa_conventions(kernel.sm).control;
  const bool by_field = layout == ControlLayout::per_seven;
  std::string text = fmt::format("# {} (sm_{}) {}\n", kernel.name, kernel.sm, kernel.mangled);
  bool second_of_pair = false;
  for (const Instruction& instruction : kernel.instructions) {
    const Roles roles = roles_of(kernel, instruction);
    // Listings of architectures with eight-bit fields print no braces.
    const bool first_of_pair = instruction.dual_with_next && !by_field;
    text += fmt::format("{:04x}\t{}{}{}\t{}\t{}\t{}\t{}\n", instruction.address,
                        first_of_pair ? "{ " : "", kernel.text_of(instruction),
                        second_of_pair ? " }" : "", words_of(instruction, layout),
                        names_of(roles.written()), names_of(roles.read()),
                        schedule_of(instruction.control, by_field));
    second_of_pair = first_of_pair;
  }
  return text;
}

}  // namespace forewarp::cli
