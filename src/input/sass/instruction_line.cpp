// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/instruction_line.h"

#include "input/sass/line_cursor.h"
#include "input/scan.h"

namespace forewarp::input {
namespace {

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/// Whether a word looks like an opcode, known or not: capitals, digits and underscores.
bool looks_like_opcode(std::string_view word) {
  return word.size() > 1 && is_upper(word.front()) &&
         word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
}

/// Whether a line without address is an instruction: it begins and ends like one. Unknown opcodes
/// count, so that they do not vanish.
bool is_bare_instruction(std::string_view line) {
  if (line.find_first_of(";}") == std::string_view::npos) return false;
  if (take(line, '{')) line = skip_blanks(line);
  if (line.starts_with('@')) {
    take_until(line, " \t");
    line = skip_blanks(line);
  }
  return looks_like_opcode(take_until(line, ". \t;}"));
}

bool is_addressed_instruction(std::string_view line) {
  const std::size_t end = line.find("*/");
  if (end == std::string_view::npos) return true;  // cut off: the parser reports it
  const std::string_view rest = skip_blanks(line.substr(end + 2));
  return rest.empty() || rest.front() != '.';  // .byte, .word: data of another section
}

std::string_view without_line_comment(std::string_view text) {
  return text.substr(0, text.find("//"));
}

/// NAME:, possibly followed by a comment, as in listings with register life ranges.
bool is_label(std::string_view line) {
  const std::size_t blank = line.find_first_of(" \t;");
  if (blank == std::string_view::npos) return line.back() == ':';
  return blank > 0 && line[blank - 1] == ':' && skip_blanks(line.substr(blank)).starts_with("//");
}

}  // namespace

LineKind line_kind(std::string_view line) {
  const char first = line.front();
  if (first == '/') {
    if (line.size() < 3) return LineKind::other;
    if (line[1] == '/') return line.starts_with("//##") ? LineKind::source_marker : LineKind::other;
    if (line.starts_with("/* 0x")) return LineKind::word;
    if (line[1] == '*' && is_hex(line[2]) && is_addressed_instruction(line)) {
      return LineKind::instruction;
    }
    return LineKind::other;
  }
  if (is_label(line)) return LineKind::label;
  if ((is_upper(first) || first == '@' || first == '{') && is_bare_instruction(line)) {
    return LineKind::instruction;
  }
  return LineKind::other;
}

bool read_word(std::string_view line, std::uint64_t& word) {
  if (!take(line, "/* 0x") || !take_number(line, word, 16)) return false;
  return skip_blanks(line).starts_with("*/");
}

InstructionFault split_instruction_line(std::string_view line, InstructionLine& parts) {
  const std::string_view whole = line;
  const auto at = [&] { return whole.size() - line.size(); };
  if (take(line, "/*")) {
    std::uint32_t address = 0;
    if (!take_number(line, address, 16) || !take(line, "*/")) {
      return {"an address such as /*0010*/", at()};
    }
    parts.address = address;
  }
  line = skip_blanks(line);
  std::uint64_t leading_word = 0;  // old disassemblers print the encoding first
  if (parts.address && take(line, "/*0x")) {
    if (!take_number(line, leading_word, 16) || !take(line, "*/")) {
      return {"an encoding such as /*0x..*/", at()};
    }
    parts.word = leading_word;
    line = skip_blanks(line);
  }
  if (take(line, '{')) {
    parts.opens_pair = true;
    line = skip_blanks(line);
  }
  const std::size_t begin = at();
  const std::size_t comment = line.find("/*");
  if (comment != std::string_view::npos) {
    std::uint64_t word = 0;
    if (!read_word(line.substr(comment), word))
      return {"an encoding such as /* 0x.. */", begin + comment};
    parts.word = word;
    line = line.substr(0, comment);
  }
  std::size_t end = line.find(';');
  if (end == std::string_view::npos) {
    line = drop_trailing_blanks(without_line_comment(line));
    if (!line.ends_with('}')) return {"';' at the end of the instruction", begin + line.size()};
    end = line.size() - 1;
  }
  parts.text = drop_trailing_blanks(line.substr(0, end));
  return {};
}

std::string_view label_on_line(std::string_view line) {
  line = line.substr(0, line.find_first_of(" \t"));
  return line.substr(0, line.size() - 1);
}

bool read_source_marker(std::string_view line, SourceMarker& marker) {
  const std::size_t quote = line.find('"');
  if (quote == std::string_view::npos) return false;
  line.remove_prefix(quote + 1);
  marker.file = take_until(line, "\"");
  if (!take(line, "\", line ") || !take_number(line, marker.line)) return false;
  marker.inlined = line.starts_with(" inlined at");
  return true;
}

}  // namespace forewarp::input
