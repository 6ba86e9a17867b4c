// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.h"

namespace forewarp::base {

namespace {

/// Text for one line of a terminal: control characters as \xNN, long texts without their middle.
/// Names and values from users are passed in unchanged.
std::string shown(std::string_view text) {
  constexpr std::size_t most = 1500, head = 1200, tail = 200;
  const bool shortened = text.size() > most;
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (shortened && i == head) {
      line += " .. ";
      i = text.size() - tail;
    }
    const char c = text[i];
    const auto code = static_cast<unsigned char>(c);
    constexpr unsigned char first_printable = 0x20, del = 0x7f;
    if (c == '\n' || c == '\r') {
      line += ' ';
    } else if (code < first_printable || code == del) {
      line += "\\x";
      line += "0123456789abcdef"[code >> 4U];
      line += "0123456789abcdef"[code & 15U];
    } else {
      line += c;
    }
  }
  return line;
}

}  // namespace

std::string Diagnostic::line() const {
  std::string text;
  if (!place.empty()) text += shown(place) + ": ";
  text += shown(found);
  if (!expected.empty()) text += "; expected " + shown(expected);
  if (!way_out.empty()) text += "; " + shown(way_out);
  return text;
}

std::string place_in_file(std::string_view file, std::size_t line, std::size_t column) {
  std::string place(file);
  if (line != 0) place += ':' + std::to_string(line);
  if (line != 0 && column != 0) place += ':' + std::to_string(column);
  return place;
}

}  // namespace forewarp::base
