// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/source_words.h"

#include <algorithm>

#include "base/text.h"

namespace forewarp::input {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

bool is_qualifier(std::string_view word) {
  return word == "const" || word == "volatile" || word == "__restrict__" || word == "__restrict" ||
         word == "struct" || word == "__grid_constant__";
}

// Replaces comments by blanks.
std::string without_comments(std::string_view source) {
  std::string text;
  text.reserve(source.size());
  while (!source.empty()) {
    std::size_t skip = 0;
    if (source.starts_with("//")) skip = std::min(source.find('\n'), source.size());
    if (source.starts_with("/*")) skip = std::min(source.find("*/", 2), source.size() - 2) + 2;
    text += skip > 0 ? ' ' : source.front();
    source.remove_prefix(std::max<std::size_t>(skip, 1));
  }
  return text;
}

}  // namespace

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string declarations_of(std::string_view source, Conditional conditional) {
  const std::string plain = without_comments(source);
  std::string text;
  text.reserve(plain.size());
  int depth = 0;
  bool continued = false;  // a directive continues after a backslash
  for (const std::string_view whole : split(plain, '\n')) {
    const std::string_view line = trim(whole);
    const bool directive = continued || line.starts_with('#');
    continued = directive && line.ends_with('\\');
    if (line.starts_with('#')) {
      const std::string_view word = trim(line.substr(1));
      if (word.starts_with("if")) ++depth;
      if (word.starts_with("endif")) --depth;
    }
    if (directive || (depth > 0 && conditional == Conditional::dropped)) continue;
    for (const char c : line) {
      if (!is_blank(c)) {
        text += c;
      } else if (!text.empty() && text.back() != ' ') {
        text += ' ';
      }
    }
    if (!text.empty() && text.back() != ' ') text += ' ';
  }
  return text;
}

std::string_view word_before(std::string_view text) {
  text = trim(text);
  std::size_t begin = text.size();
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  return text.substr(begin);
}

std::string_view first_word(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_word);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

std::size_t behind_closing(std::string_view text, std::size_t open) {
  const char opens = text[open], closes = opens == '(' ? ')' : opens == '<' ? '>' : '}';
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == opens) ++depth;
    if (text[i] == closes && --depth == 0) return i + 1;
  }
  return text.npos;
}

std::vector<std::string_view> split_outside_brackets(std::string_view list) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (c == '<' || c == '(' || c == '[') ++depth;
    if (c == '>' || c == ')' || c == ']') --depth;
    if (c != ',' || (depth > 0 && i < list.size())) continue;
    parts.push_back(trim(list.substr(begin, i - begin)));
    begin = i + 1;
  }
  if (parts.size() == 1 && (parts[0].empty() || parts[0] == "void")) parts.clear();
  return parts;
}

std::string bare_type(std::string_view type) {
  std::string bare;
  for (std::size_t i = 0; i < type.size();) {
    std::size_t end = i;
    while (end < type.size() && is_word(type[end])) ++end;
    const std::string_view word = type.substr(i, end - i);
    if (!is_qualifier(word)) {
      if (!bare.empty() && !word.empty() && is_word(bare.back())) bare += ' ';
      bare += word;
    }
    if (end < type.size() && !is_blank(type[end])) bare += type[end];
    i = std::max(end, i) + 1;
  }
  return bare;
}

}  // namespace forewarp::input
