// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace forewarp::input {

/// Iterates over the lines of a text without copying; can step back by one line.
class LineCursor {
 public:
  explicit LineCursor(std::string_view text) : text_(text) {}

  /// False at the end. Lines exclude the newline and a carriage return before it.
  bool next(std::string_view& line) {
    if (end_ >= text_.size()) return false;
    begin_ = end_;
    const char* start = text_.data() + begin_;
    const auto* newline = static_cast<const char*>(std::memchr(start, '\n', text_.size() - begin_));
    terminated_ = newline != nullptr;
    std::size_t size =
        terminated_ ? static_cast<std::size_t>(newline - start) : text_.size() - begin_;
    end_ = begin_ + size + (terminated_ ? 1 : 0);
    if (size > 0 && start[size - 1] == '\r') --size;
    line = {start, size};
    ++number_;
    return true;
  }

  void step_back() {
    end_ = begin_;
    --number_;
  }

  [[nodiscard]] std::uint32_t number() const {
    return number_;
  }  ///< of the line last given, from 1
  [[nodiscard]] std::size_t line_begin() const { return begin_; }
  [[nodiscard]] bool at_end() const { return end_ >= text_.size(); }
  /// Whether the current line ended with a newline; the last line of a truncated text does not.
  [[nodiscard]] bool terminated() const { return terminated_; }

 private:
  std::string_view text_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint32_t number_ = 0;
  bool terminated_ = true;
};

/// `line` without blanks and tabs at its start.
inline std::string_view skip_blanks(std::string_view line) {
  std::size_t i = 0;
  while (i < line.size() && (line[i] == ' ' || line[i] == '\t')) ++i;
  return line.substr(i);
}

inline std::string_view drop_trailing_blanks(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace forewarp::input
