// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/files/gpu_file_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <vector>

#include "base/text.h"
#include "base/toml_text.h"

namespace forewarp::characterise {
namespace {

constexpr int told_digits = 15;
constexpr int measured_digits = 7;

/// A part of a path as a key: as it is, or quoted.
std::string key_of(std::string_view part) {
  const bool bare = !part.empty() && std::all_of(part.begin(), part.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  });
  return bare ? std::string(part) : toml_readable(part);
}

std::string table_of(std::string_view path) {
  std::string name;
  for (const std::string_view part : split(path, '.')) {
    if (!name.empty()) name += '.';
    name += key_of(part);
  }
  return name;
}

std::string comment(std::string_view text) {
  std::string line = "# ";
  for (const char c : text) line += c == '\n' || c == '\r' ? ' ' : c;
  return line + '\n';
}

std::string value_text(const FoundFact& found) {
  if (!found.fact.text.empty()) return toml_readable(found.fact.text);
  const Fact& fact = found.fact;
  const int digits = fact.confidence == Confidence::measured && fact.value != std::floor(fact.value)
                         ? measured_digits
                         : told_digits;
  std::string out = "{ value = " + significant(fact.value, digits) +
                    ", unit = " + toml_readable(fact.unit) +
                    ", source = " + toml_readable(fact.source) +
                    ", confidence = " + toml_readable(confidence_name(fact.confidence));
  if (found.deviation) out += ", deviation = " + significant(*found.deviation);
  if (!fact.note.empty()) out += ", note = " + toml_readable(fact.note);
  return out + " }";
}

}  // namespace

std::string gpu_file_text(const Characterisation& found) {
  std::string out = "# SPDX-License-Identifier: Apache-2.0\n";
  out += comment("Made by forewarp characterise from samples of " + found.device.name +
                 (found.device.date.empty() ? "" : ", " + found.device.date) + ".");
  out += "name = " + toml_readable(found.name) + "\n";
  std::map<std::string, std::vector<std::pair<std::string, const FoundFact*>>> tables;
  for (const FoundFact& fact : found.facts) {
    if (is_beside_gpu(fact.path)) continue;
    const std::size_t dot = fact.path.rfind('.');
    const bool top = dot == std::string::npos;
    if (top && fact.path == "name") continue;
    const std::string key = top ? fact.path : fact.path.substr(dot + 1);
    tables[top ? "" : table_of(std::string_view(fact.path).substr(0, dot))].emplace_back(key,
                                                                                         &fact);
  }
  const auto rows = [&](const std::string& table) {
    for (const auto& [key, fact] : tables[table]) {
      out += key_of(key) + " = " + value_text(*fact) + "\n";
    }
  };
  rows("");
  if (found.fact("cc") == nullptr) out += "cc = " + toml_readable(found.device.cc.text()) + "\n";
  for (const auto& entry : tables) {
    if (entry.first.empty()) continue;
    out += "\n[" + entry.first + "]\n";
    rows(entry.first);
  }
  for (const FoundFact& fact : found.facts) {
    if (is_beside_gpu(fact.path)) out += comment(fact.path + " = " + value_text(fact));
  }
  if (!found.gaps.empty()) out += "\n# Not measured:\n";
  for (const FactGap& gap : found.gaps) {
    out += comment(gap.path + ": " + gap.reason +
                   (gap.filled.empty() ? "" : "; taken instead: " + gap.filled));
  }
  return out;
}

}  // namespace forewarp::characterise
