// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "reader_coverage.h"

#include <filesystem>

#include <fmt/format.h>

#include "input/kernel_choice.h"
#include "program/opcode.h"

namespace forewarp::cli {
namespace {

constexpr std::size_t shown_text = 60;

/// A listing that was made of "A/B/c.cu" is called A__B__c.sm_52.sass: the folder is the program.
std::string program_of(const std::string& file) {
  const std::size_t folder = file.rfind("__");
  return folder == std::string::npos ? file.substr(0, file.find(".sm_")) : file.substr(0, folder);
}

/// "x.sm_52.sass" -> 52: for inputs that fail before their first kernel.
std::uint32_t architecture_in_name(const std::string& file) {
  const std::size_t at = file.rfind(".sm_");
  if (at == std::string::npos) return 0;
  return static_cast<std::uint32_t>(std::strtoul(file.c_str() + at + 4, nullptr, 10));
}

/// Texture shapes and channel letters are words on purpose.
bool is_plain_word(std::string_view word) {
  for (const std::string_view start : {"1D", "2D", "3D", "ARRAY", "CUBE"}) {
    if (word.starts_with(start)) return true;
  }
  return word.find_first_not_of("RGBA") == std::string_view::npos;
}

/// A source with host code alone has a short listing without a kernel: nothing to know.
bool has_no_kernel(const InputSource& source) {
  const bool is_whole = source.head().size() == source.bytes().size();
  return is_whole && source.head().find("Function :") == std::string_view::npos &&
         source.head().find("/*0") == std::string_view::npos;
}

}  // namespace

void ReaderCoverage::note(const std::string& kind, const std::string& what,
                          const std::string& place) {
  Met& met = not_known_[kind][what];
  if (met.times++ == 0) met.first = place;
}

void ReaderCoverage::fail(const Diagnostic& failure, std::uint32_t sm) {
  ++by_sm_[sm].errors;
  note("not read", failure.line(), failure.place);
}

void ReaderCoverage::add_operands(const Kernel& kernel, const Instruction& instruction,
                                  const std::string& place) {
  for (const Operand& operand : kernel.operands_of(instruction)) {
    const std::string_view text = kernel.text_of(operand);
    if (operand.kind == OperandKind::word && !is_plain_word(text)) {
      note("operands kept as text", std::string(text.substr(0, shown_text)), place);
    }
    if (operand.kind == OperandKind::special_register &&
        operand.index == static_cast<std::uint16_t>(SpecialRegister::other)) {
      note("special registers without a meaning", std::string(text), place);
    }
  }
}

void ReaderCoverage::add_kernel(const Kernel& kernel, const std::string& file) {
  Counts& counts = by_sm_[kernel.sm];
  ++counts.kernels;
  counts.instructions += kernel.instructions.size();
  counts.unknown_opcodes += kernel.unknown_opcodes;
  counts.bare_words += kernel.undecoded;
  for (const Instruction& instruction : kernel.instructions) {
    const std::string_view text = kernel.text_of(instruction).substr(0, shown_text);
    const std::string place = file + ':' + std::to_string(instruction.listing_line);
    if (instruction.instruction_class == InstructionClass::unknown) {
      note("instructions without a class", std::string(text), place);
    } else {
      ++counts.known;
    }
    add_operands(kernel, instruction, place);
  }
}

void ReaderCoverage::add(const std::string& file, const ReadOptions& options) {
  const std::string name = std::filesystem::path(file).filename().string();
  std::uint32_t sm = architecture_in_name(name);
  const auto source = InputSource::open(file);
  if (!source) return fail(source.error(), sm);
  if (sm != 0 && has_no_kernel(*source)) return;
  const auto stream = open_kernels(*source, options);
  if (!stream) return fail(stream.error(), sm);
  for (bool first = true;; first = false) {
    const auto kernel = (*stream)->next();
    if (!kernel) return fail(kernel.error(), sm);
    if (!*kernel) return;
    sm = (*kernel)->sm;
    if (first) {
      ++by_sm_[sm].files;
      by_sm_[sm].programs.insert(program_of(name));
    }
    add_kernel(**kernel, name);
  }
}

ReaderCoverage::Counts ReaderCoverage::total() const {
  Counts sum;
  for (const auto& [sm, counts] : by_sm_) {
    sum.programs.insert(counts.programs.begin(), counts.programs.end());
    sum.files += counts.files;
    sum.kernels += counts.kernels;
    sum.instructions += counts.instructions;
    sum.known += counts.known;
    sum.unknown_opcodes += counts.unknown_opcodes;
    sum.bare_words += counts.bare_words;
    sum.errors += counts.errors;
  }
  return sum;
}

std::size_t ReaderCoverage::errors() const {
  return total().errors;
}

std::string ReaderCoverage::text() const {
  std::string out =
      fmt::format("{:>8} {:>8} {:>6} {:>8} {:>12} {:>10} {:>8} {:>10} {:>6}\n", "arch", "programs",
                  "files", "kernels", "instructions", "known", "opcodes", "bare words", "errors");
  const auto row = [&](const std::string& name, const Counts& c) {
    const double known = c.instructions == 0 ? 100.0
                                             : 100.0 * static_cast<double>(c.known) /
                                                   static_cast<double>(c.instructions);
    out += fmt::format("{:>8} {:>8} {:>6} {:>8} {:>12} {:>8.4f} % {:>8} {:>10} {:>6}\n", name,
                       c.programs.size(), c.files, c.kernels, c.instructions, known,
                       c.unknown_opcodes, c.bare_words, c.errors);
  };
  for (const auto& [sm, counts] : by_sm_) row("sm_" + std::to_string(sm), counts);
  row("all", total());
  out +=
      "opcodes: mnemonics that the table lacks; bare words: printed without a text by the "
      "disassembler\n";
  for (const auto& [kind, tally] : not_known_) {
    out += '\n' + kind + '\n';
    for (const auto& [what, met] : tally) {
      out += fmt::format("{:>8}  {:<40} {}\n", met.times, what, met.first);
    }
  }
  return out;
}

nlohmann::ordered_json ReaderCoverage::as_json(const Counts& counts) {
  return {{"programs", counts.programs.size()},
          {"files", counts.files},
          {"kernels", counts.kernels},
          {"instructions", counts.instructions},
          {"known", counts.known},
          {"unknown_opcodes", counts.unknown_opcodes},
          {"bare_words", counts.bare_words},
          {"errors", counts.errors}};
}

nlohmann::ordered_json ReaderCoverage::json() const {
  nlohmann::ordered_json result = as_json(total());
  for (const auto& [sm, counts] : by_sm_) {
    result["architectures"][std::to_string(sm)] = as_json(counts);
  }
  for (const auto& [kind, tally] : not_known_) {
    for (const auto& [what, met] : tally) result["not_known"][kind][what] = met.times;
  }
  return result;
}

}  // namespace forewarp::cli
