// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/kernel_names.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>

namespace forewarp::program_run {
namespace {

constexpr std::uint32_t deepest = 64;  // templates in each other; what is deeper stays as text

/// A name with its template arguments.
struct Part {
  std::string whole;  ///< as it is written
  std::string name;   ///< the last component, without arguments
  std::vector<Part> arguments;
};

/// Where the bracket that opens at `begin` is closed; the end if it is not.
std::size_t closing(std::string_view text, std::size_t begin) {
  std::size_t open = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (std::string_view("<({[").find(text[i]) != std::string_view::npos) ++open;
    const bool arrow = i > 0 && text[i] == '>' && text[i - 1] == '-';
    if (std::string_view(">)}]").find(text[i]) != std::string_view::npos && !arrow && --open == 0)
      return i;
  }
  return text.size();
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

Part part_of(std::string_view text, std::uint32_t depth);

std::vector<Part> arguments_of(std::string_view text, std::uint32_t depth) {
  std::vector<Part> found;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && std::string_view("<({[").find(text[i]) != std::string_view::npos) {
      i = closing(text, i);
      continue;
    }
    if (i < text.size() && text[i] != ',') continue;
    found.push_back(part_of(text.substr(begin, i - begin), depth));
    begin = i + 1;
  }
  if (begin < text.size()) found.push_back(part_of(text.substr(begin), depth));
  return found;
}

Part part_of(std::string_view text, std::uint32_t depth) {
  text = trimmed(text);
  Part part;
  part.whole = text;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "::") {
      part.name.clear();
      ++i;
      continue;
    }
    const bool bracket = std::string_view("<({[").find(text[i]) != std::string_view::npos;
    const std::size_t end = bracket ? closing(text, i) : i;
    if (bracket && text[i] == '<' && depth < deepest && end < text.size()) {
      part.arguments = arguments_of(text.substr(i + 1, end - i - 1), depth + 1);
    } else {
      part.name += text.substr(i, end - i + 1);
    }
    i = end;
  }
  part.name = trimmed(part.name);
  if (part.name.empty()) part.name = part.whole;
  return part;
}

using Texts = std::map<std::string, std::string>;  ///< by the whole name
Texts told_apart(const std::vector<const Part*>& parts);

/// Of parts with one name: it, with the fewest arguments from the front on that tell them apart.
void tell_arguments(const std::vector<const Part*>& alike, Texts& texts) {
  std::map<std::string, std::vector<std::string>> shown;
  std::size_t most = 0;
  for (const Part* part : alike) {
    shown[part->whole];
    most = std::max(most, part->arguments.size());
  }
  const auto distinct = [&] {
    std::set<std::vector<std::string>> all;
    for (const auto& [whole, arguments] : shown) all.insert(arguments);
    return all.size();
  };
  for (std::size_t i = 0; i < most && distinct() < shown.size(); ++i) {
    std::vector<const Part*> column;
    for (const Part* part : alike) {
      if (i < part->arguments.size()) column.push_back(&part->arguments[i]);
    }
    const Texts named = told_apart(column);
    const std::size_t before = distinct();
    const auto without = shown;
    for (const Part* part : alike) {
      // The same part may come more than once.
      auto& arguments = shown[part->whole];
      if (arguments.size() != without.at(part->whole).size()) continue;
      arguments.push_back(i < part->arguments.size() ? named.at(part->arguments[i].whole) : "");
    }
    if (distinct() == before) shown = without;
  }
  for (const Part* part : alike) {
    std::string text;
    for (const std::string& argument : shown[part->whole]) {
      if (!text.empty() && !argument.empty()) text += ",";
      text += argument;
    }
    texts[part->whole] = part->name + (text.empty() ? "" : "<" + text + ">");
  }
}

Texts told_apart(const std::vector<const Part*>& parts) {
  std::map<std::string, std::vector<const Part*>> by_name;
  for (const Part* part : parts) by_name[part->name].push_back(part);
  Texts texts;
  for (const auto& [name, alike] : by_name) tell_arguments(alike, texts);
  return texts;
}

std::string without_middle(const std::string& text, std::size_t most) {
  constexpr std::string_view gap = "..";
  if (text.size() <= most || most <= gap.size()) return text.substr(0, most);
  const std::size_t tail = (most - gap.size()) / 3;
  return text.substr(0, most - gap.size() - tail) + std::string(gap) +
         text.substr(text.size() - tail);
}

}  // namespace

std::vector<std::string> short_names(const std::vector<std::string>& names, std::size_t most) {
  std::vector<Part> parts;
  std::vector<const Part*> places;
  parts.reserve(names.size());
  for (const std::string& name : names) {
    parts.push_back(part_of(name, 0));
    places.push_back(&parts.back());
  }
  const Texts texts = told_apart(places);
  std::vector<std::string> found;
  std::map<std::string, std::size_t> uses;
  for (const Part& part : parts) {
    const std::string& text = texts.at(part.whole);
    found.push_back(without_middle(text, most));
    if (const std::size_t use = ++uses[found.back()]; use > 1) {
      const std::string number = " #" + std::to_string(use);
      found.back() = without_middle(text, most - std::min(most, number.size())) + number;
    }
  }
  return found;
}

}  // namespace forewarp::program_run
