// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "input/sass/instruction_parser.h"
#include "input/sass/isa_conventions.h"
#include "program/kernel.h"

namespace forewarp::input {

/// The parts of an instruction's line, before they are interpreted.
struct InstructionLine {
  std::optional<std::uint32_t> address;  ///< none in hand-written listings
  std::string_view text;                 ///< guard, opcode, operands
  std::optional<std::uint64_t> word;     ///< encoding on the same line
  bool opens_pair = false;               ///< preceded by {
};

/// Collects the lines of one kernel. Views into the listing must stay valid until finish().
class KernelBuilder {
 public:
  KernelBuilder(std::string mangled, std::uint32_t sm);

  [[nodiscard]] InstructionFault add(const InstructionLine& line, std::uint32_t listing_line);
  /// Adds a line with only a word: the rest of the preceding instruction, a control word, or half
  /// of an instruction that the disassembler cannot print.
  void add_word(std::uint64_t word, std::uint32_t listing_line);
  void add_label(std::string_view name);
  /// Begins the code of a function that the kernel calls, behind what there is; its lines count
  /// addresses from its own start. Returns where that is in the kernel.
  std::uint32_t begin_function(std::string_view name);
  /// What the code that came since the last such call names outside of it: functions, variables.
  [[nodiscard]] std::vector<std::string> take_outside_names();
  /// Whether any code calls what a register holds.
  [[nodiscard]] bool calls_by_register() const;
  void set_source(std::string_view file, std::uint32_t line);

  [[nodiscard]] bool empty() const { return kernel_.instructions.empty(); }
  [[nodiscard]] std::uint32_t sm() const { return kernel_.sm; }
  [[nodiscard]] std::string_view mangled() const { return kernel_.mangled; }
  [[nodiscard]] std::uint32_t last_address() const { return kernel_.instructions.back().address; }
  /// Whether the last instruction has its low word but not its high one, unlike all before it.
  [[nodiscard]] bool half_encoded() const;

  /// Resolves labels and counts undecoded instructions; the caller sets names and resources.
  [[nodiscard]] Kernel finish();

 private:
  static constexpr std::uint32_t no_bundle = 0xffffffffU;
  struct Label {
    std::string_view name;
    std::uint32_t address;
  };
  void apply_control(Instruction& instruction);
  void add_undecoded(std::uint64_t low_word, std::uint32_t listing_line);
  void resolve_labels();
  void move_targets(const Instruction& instruction);
  [[nodiscard]] std::uint32_t following_address() const;

  Kernel kernel_;
  const IsaConventions& isa_;
  std::vector<Label> labels_;
  std::uint32_t function_begin_ = 0;  ///< of the function that lines belong to; 0: of the kernel
  std::size_t asked_operands_ = 0;    ///< whose names take_outside_names() has given
  std::uint64_t control_word_ = 0;
  /// Number of the bundle to which control_word_ belongs.
  std::uint32_t control_bundle_ = no_bundle;
  bool control_is_new_ = false;  ///< no instruction has followed it yet
  bool open_undecoded_ = false;  ///< the high word of an undecoded instruction is missing
  bool last_has_high_ = false;
  bool last_has_low_ = false;
  std::uint32_t source_line_ = 0;
  std::uint16_t source_file_ = 0;
  std::map<std::string, std::uint16_t, std::less<>> files_;  // of kernel_.source_files
};

}  // namespace forewarp::input
