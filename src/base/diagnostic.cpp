// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.h"

namespace forewarp {

std::string Diagnostic::line() const {
  std::string text;
  if (!place.empty()) text += place + ": ";
  text += found;
  if (!expected.empty()) text += "; expected " + expected;
  if (!way_out.empty()) text += "; " + way_out;
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

std::string place_in_file(std::string_view file, std::size_t line, std::size_t column) {
  std::string place(file);
  if (line != 0) place += ':' + std::to_string(line);
  if (line != 0 && column != 0) place += ':' + std::to_string(column);
  return place;
}

}  // namespace forewarp
