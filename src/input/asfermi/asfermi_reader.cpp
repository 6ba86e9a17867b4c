// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/asfermi/asfermi_reader.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "base/text.h"
#include "input/asfermi/asfermi_statement.h"
#include "input/sass/kernel_completion.h"
#include "input/sass/operand_parser.h"
#include "input/scan.h"

namespace forewarp::input {
namespace {

constexpr std::uint32_t first_sm = 20, last_sm = 21;
constexpr std::uint32_t registers_named = 63;  // R0 to R62; the next one reads zero
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20U;
constexpr std::uint64_t most_parameter_bytes = 4096;
constexpr std::size_t longest_quote = 60;

constexpr std::string_view directives =
    "!Kernel, !EndKernel, !Param, !Shared, !Local, !RegCount, !Label, !Arch or !Machine";

std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text.substr(0, longest_quote)) {
    result += c >= ' ' && c < 0x7f ? c : '?';
  }
  return result + (text.size() > longest_quote ? "..'" : "'");
}

std::string_view take_word(std::string_view& text) {
  text = skip_blanks(text);
  return take_until(text, " \t");
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  if (!take_integer(text, value) || !text.empty()) return std::nullopt;
  return value;
}

}  // namespace

AsfermiReader::AsfermiReader(InputSource source)
    : source_(std::move(source)), lines_(source_.bytes()), sm_(first_sm) {}

Diagnostic AsfermiReader::fault(std::size_t column, std::string found, std::string expected) const {
  return {place_in_file(source_.file_name(), lines_.number(), column), std::move(found),
          std::move(expected), "see docs/listing.md"};
}

AsfermiReader::Fault AsfermiReader::check_text() const {
  const std::string_view head = source_.head();
  if (head.find('\0') == std::string_view::npos) return std::nullopt;
  return Diagnostic{source_.file_name(), "is binary", "text for asfermi", "see docs/listing.md"};
}

Expected<std::optional<Kernel>> AsfermiReader::next() {
  if (!std::exchange(started_, true)) {
    if (auto refusal = check_text()) return *refusal;
  }
  for (std::string_view line; lines_.next(line);) {
    if (auto broken = read_line(line)) return *broken;
    if (complete_) return finish();
  }
  return finish_at_end();
}

AsfermiReader::Fault AsfermiReader::read_line(std::string_view line) {
  const std::string clean = without_comments(line, in_comment_);
  std::string_view rest = clean;
  for (bool more = true; more;) {
    const std::string_view part = drop_trailing_blanks(skip_blanks(take_until(rest, ";")));
    more = take(rest, ';');
    if (part.empty()) continue;
    const Statement statement{part, static_cast<std::size_t>(part.data() - clean.data()) + 1};
    auto broken = part.front() == '!' ? read_directive(statement) : read_instruction(statement);
    if (broken) return broken;
  }
  return std::nullopt;
}

AsfermiReader::Fault AsfermiReader::read_directive(const Statement& statement) {
  std::string_view rest = statement.text;
  const std::string_view name = take_word(rest);
  std::string_view arguments = skip_blanks(rest);
  if (complete_) return fault(statement.column, in_quotes(name), "a line of its own");
  if (name == "!Kernel") return begin_kernel(statement, arguments);
  if (name == "!Arch" || name == "!Machine") return set_target(statement, name, arguments);
  if (!builder_) {
    return fault(statement.column, in_quotes(name) + " outside of a kernel",
                 "!Kernel NAME before it");
  }
  if (name == "!EndKernel") {
    if (!stated_)
      return fault(statement.column, "!EndKernel without !Kernel", "!Kernel NAME first");
    complete_ = true;
    return std::nullopt;
  }
  if (name == "!Label") return add_label(statement, arguments);
  if (name == "!Param") return add_parameters(statement, arguments);
  if (name == "!Shared" || name == "!Local" || name == "!RegCount") {
    return set_size(statement, name, arguments);
  }
  return fault(statement.column, "unknown directive " + in_quotes(name), std::string(directives));
}

AsfermiReader::Fault AsfermiReader::begin_kernel(const Statement& statement,
                                                 std::string_view name) {
  if (builder_) {
    return fault(statement.column, "!Kernel inside a kernel", "!EndKernel before it");
  }
  if (name.empty() || name.find_first_of(" \t") != std::string_view::npos) {
    return fault(statement.column, in_quotes(statement.text), "!Kernel and one name");
  }
  start(std::string(name));
  stated_ = true;
  return std::nullopt;
}

void AsfermiReader::start(std::string name) {
  builder_.emplace(std::move(name), sm_);
  facts_ = {};
  labels_.clear();
  columns_.clear();
  parameter_end_ = 0;
  stated_ = false;
}

AsfermiReader::Fault AsfermiReader::add_label(const Statement& statement, std::string_view name) {
  const bool one_word = !name.empty() && name.find_first_of(" \t,") == std::string_view::npos;
  if (!one_word || parse_operand(name).kind != OperandKind::word) {
    return fault(statement.column, in_quotes(statement.text),
                 "!Label and a name that is no register and no number");
  }
  const auto [label, added] = labels_.emplace(name);
  if (!added) return fault(statement.column, "a second label " + in_quotes(name), "another name");
  builder_->add_label(*label);
  return std::nullopt;
}

AsfermiReader::Fault AsfermiReader::add_parameters(const Statement& statement,
                                                   std::string_view arguments) {
  const auto size = whole_number(take_word(arguments));
  const std::string_view second = take_word(arguments);
  const auto count = second.empty() ? std::optional<std::uint64_t>(1) : whole_number(second);
  const bool fits = size && count && skip_blanks(arguments).empty() && *size > 0 &&
                    *size % 4 == 0 && *size <= most_parameter_bytes && *count > 0 &&
                    *count <= most_parameter_bytes &&
                    parameter_end_ + *size * *count <= most_parameter_bytes;
  if (!fits) {
    return fault(statement.column, in_quotes(statement.text),
                 "!Param BYTES [COUNT], bytes in fours, at most 4096 in all");
  }
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto ordinal = static_cast<std::uint32_t>(facts_.places.size());
    facts_.places[ordinal] = {parameter_end_, static_cast<std::uint32_t>(*size)};
    parameter_end_ += static_cast<std::uint32_t>(*size);
  }
  return std::nullopt;
}

AsfermiReader::Fault AsfermiReader::set_size(const Statement& statement, std::string_view name,
                                             std::string_view value) {
  const bool registers = name == "!RegCount";
  const auto number = whole_number(value);
  if (!number || *number > (registers ? registers_named : most_bytes)) {
    return fault(
        statement.column, in_quotes(statement.text),
        std::string(name) + (registers ? " and a number up to 63" : " and a size in bytes"));
  }
  const auto size = static_cast<std::uint32_t>(*number);
  if (registers) {
    facts_.resources.registers = size;
    facts_.resources.registers_source = FactSource::header_line;
  } else {
    (name == "!Shared" ? facts_.resources.static_shared : facts_.resources.local_bytes) = size;
  }
  return std::nullopt;
}

AsfermiReader::Fault AsfermiReader::set_target(const Statement& statement, std::string_view name,
                                               std::string_view value) {
  if (builder_)
    return fault(statement.column, in_quotes(name) + " inside a kernel", "it before !Kernel");
  if (name == "!Machine") {
    if (value == "32" || value == "64") return std::nullopt;
    return fault(statement.column, in_quotes(statement.text), "!Machine 32 or !Machine 64");
  }
  std::uint32_t sm = 0;
  std::string_view number = value;
  if (!take(number, "sm_") || !take_number(number, sm) || !number.empty() || sm < first_sm ||
      sm > last_sm) {
    return fault(statement.column, in_quotes(statement.text), "!Arch sm_20 or !Arch sm_21");
  }
  sm_ = sm;
  return std::nullopt;
}

AsfermiReader::Fault AsfermiReader::read_instruction(const Statement& statement) {
  if (complete_) return fault(statement.column, "code behind !EndKernel", "a line of its own");
  if (!builder_) {
    if (kernels_ > 0) {
      return fault(statement.column, "code outside of a kernel", "!Kernel NAME before it");
    }
    start(std::filesystem::path(source_.file_name()).stem().string());
  }
  const std::string text = as_listed(statement.text);
  InstructionLine line;
  line.text = text;
  const InstructionFault broken = builder_->add(line, lines_.number());
  if (broken.expected != nullptr) {
    const std::size_t at = std::min(broken.at, statement.text.size());
    return fault(statement.column + at, "cannot read " + in_quotes(statement.text),
                 broken.expected);
  }
  columns_.push_back(statement.column);
  return std::nullopt;
}

/// Branches must know their label, and registers must be the generation's.
AsfermiReader::Fault AsfermiReader::check_kernel(const Kernel& kernel) const {
  for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
    const Instruction& instruction = kernel.instructions[i];
    const auto refuse = [&](const Operand& operand, const char* what, const char* expected) {
      return Diagnostic{place_in_file(source_.file_name(), instruction.listing_line, columns_[i]),
                        what + in_quotes(kernel.text_of(operand)), expected, "see docs/listing.md"};
    };
    for (const Operand& operand : kernel.operands_of(instruction)) {
      if (operand.kind == OperandKind::word && takes_target(instruction)) {
        return refuse(operand, "no label ", "!Label and that name in the same kernel");
      }
      const std::uint16_t named = operand.kind == OperandKind::register_ ? operand.index : 0;
      const std::uint16_t base = operand.base == no_register ? zero_register : operand.base;
      if ((named >= registers_named && named != zero_register) ||
          (base >= registers_named && base != zero_register)) {
        return refuse(operand, "no register ", "R0 to R62 or RZ");
      }
    }
  }
  return std::nullopt;
}

Expected<std::optional<Kernel>> AsfermiReader::finish() {
  const bool empty = builder_->empty();
  const std::string name(builder_->mangled());
  Kernel kernel = builder_->finish();
  builder_.reset();
  complete_ = false;
  ++kernels_;
  if (empty) return fault(0, "kernel " + in_quotes(name) + " has no code", "an instruction");
  if (auto broken = check_kernel(kernel)) return *broken;
  FactStore facts;
  facts.of(0, name) = std::move(facts_);
  complete_kernel(kernel, facts);
  return std::optional<Kernel>(std::move(kernel));
}

Expected<std::optional<Kernel>> AsfermiReader::finish_at_end() {
  if (in_comment_) return fault(0, "the text ends inside a comment", "*/");
  if (builder_ && stated_) return fault(0, "the text ends inside a kernel", "!EndKernel");
  if (builder_) return finish();
  if (kernels_ > 0) return std::optional<Kernel>();
  return fault(0, "holds no code", "!Kernel NAME and instructions");
}

}  // namespace forewarp::input
