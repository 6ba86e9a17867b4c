// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What the listing reader knows of a folder of listings: reader_coverage FOLDER. One line per
// architecture, then everything that was not known. The exit code is 1 when a file was not read.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "input/sass/sass_reader.h"
#include "program/opcode.h"
#include "program/roles.h"

namespace {

using forewarp::InstructionClass;
using forewarp::Kernel;
using forewarp::OperandKind;

/// Occurrences with the first place where each was met.
class Tally {
 public:
  void add(const std::string& what, const std::string& place) {
    auto& entry = entries_[what];
    if (entry.count++ == 0) entry.first = place;
  }
  void print(const char* title) const {
    if (entries_.empty()) return;
    std::printf("\n%s\n", title);
    for (const auto& [what, entry] : entries_) {
      std::printf("  %8zu  %-40s %s\n", entry.count, what.c_str(), entry.first.c_str());
    }
  }

 private:
  struct Entry {
    std::size_t count = 0;
    std::string first;
  };
  std::map<std::string, Entry> entries_;
};

struct Counts {
  std::set<std::string> programs;
  std::size_t files = 0, kernels = 0, instructions = 0, unknown_opcodes = 0, unknown_class = 0;
  std::size_t bare_words = 0, errors = 0;
};

struct Report {
  std::map<std::uint32_t, Counts> by_architecture;
  Tally opcodes, classes, words, special_registers, errors;
};

/// "Samples__0_Introduction__asyncAPI__asyncAPI.sm_52.sass": the folder of a source is a program.
std::string program_of(const std::string& file) {
  const std::size_t name = file.rfind("__");
  return name == std::string::npos ? file.substr(0, file.find(".sm_")) : file.substr(0, name);
}

std::uint32_t architecture_of(const std::string& file) {
  const std::size_t at = file.rfind(".sm_");
  if (at == std::string::npos) return 0;
  return static_cast<std::uint32_t>(std::strtoul(file.c_str() + at + 4, nullptr, 10));
}

bool is_known_word(std::string_view word) {
  return word.find_first_not_of("RGBA") == std::string_view::npos || word.starts_with("2D") ||
         word.starts_with("1D") || word.starts_with("3D") || word.starts_with("ARRAY") ||
         word.starts_with("CUBE");
}

void count_operands(const Kernel& kernel, const forewarp::Instruction& instruction,
                    const std::string& place, Report& report) {
  const std::string mnemonic(kernel.text_of(instruction).substr(0, 60));
  for (const auto& operand : kernel.operands_of(instruction)) {
    const std::string text(kernel.text_of(operand));
    if (operand.kind == OperandKind::word && !is_known_word(text))
      report.words.add(mnemonic, place);
    if (operand.kind == OperandKind::special_register &&
        operand.index == static_cast<std::uint16_t>(forewarp::SpecialRegister::other)) {
      report.special_registers.add(text, place);
    }
  }
}

void count_kernel(const Kernel& kernel, const std::string& file, Counts& counts, Report& report) {
  ++counts.kernels;
  counts.instructions += kernel.instructions.size();
  counts.unknown_opcodes += kernel.unknown_opcodes;
  counts.bare_words += kernel.undecoded;
  for (const auto& instruction : kernel.instructions) {
    const std::string place = file + ":" + std::to_string(instruction.listing_line);
    if (instruction.instruction_class == InstructionClass::unknown) {
      ++counts.unknown_class;
      report.classes.add(std::string(kernel.text_of(instruction).substr(0, 60)), place);
    }
    if (instruction.opcode == forewarp::unknown_opcode && instruction.decoded) {
      report.opcodes.add(std::string(kernel.text_of(instruction).substr(0, 40)), place);
    }
    count_operands(kernel, instruction, place, report);
  }
}

void count_file(const std::filesystem::path& path, Report& report) {
  const std::string file = path.filename().string();
  Counts& counts = report.by_architecture[architecture_of(file)];
  const auto source = forewarp::InputSource::open(path.string());
  if (!source) return;
  // A program whose files have only host code lists no kernel: nothing to read.
  if (source->bytes().find("Function :") == std::string_view::npos) return;
  ++counts.files;
  counts.programs.insert(program_of(file));
  forewarp::SassReader reader(*source);
  for (;;) {
    const auto kernel = reader.next();
    if (!kernel) {
      ++counts.errors;
      report.errors.add(kernel.error().line(), file);
      return;
    }
    if (!*kernel) return;
    count_kernel(**kernel, file, counts, report);
  }
}

std::size_t print(const Report& report) {
  std::size_t errors = 0;
  std::printf("%6s %8s %6s %8s %12s %8s %10s %10s %7s %12s\n", "arch", "programs", "files",
              "kernels", "instructions", "unknown", "no class", "bare words", "errors",
              "known class");
  for (const auto& [sm, c] : report.by_architecture) {
    const double known = c.instructions == 0
                             ? 100.0
                             : 100.0 * static_cast<double>(c.instructions - c.unknown_class) /
                                   static_cast<double>(c.instructions);
    std::printf("%6u %8zu %6zu %8zu %12zu %8zu %10zu %10zu %7zu %10.4f %%\n", sm, c.programs.size(),
                c.files, c.kernels, c.instructions, c.unknown_opcodes, c.unknown_class,
                c.bare_words, c.errors, known);
    errors += c.errors;
  }
  report.errors.print("not read");
  report.opcodes.print("unknown opcodes");
  report.classes.print("instructions without a class");
  report.special_registers.print("special registers without a meaning");
  report.words.print("operands kept as text");
  return errors;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: reader_coverage FOLDER\n");
    return 2;
  }
  std::vector<std::filesystem::path> files;
  std::error_code failure;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(arguments[1], failure)) {
    if (entry.path().extension() == ".sass") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  Report report;
  for (const auto& file : files) count_file(file, report);
  return print(report) == 0 && !failure ? 0 : 1;
}
