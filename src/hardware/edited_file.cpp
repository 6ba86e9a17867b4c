// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/edited_file.h"

#include <sstream>

#include "base/file.h"
#include "base/text.h"
#include "base/toml_document.h"
#include "hardware/fact_file.h"

namespace forewarp::hardware {
namespace {

/// The table that holds the last part of a dotted path; made where it is missing. Null: a part of
/// the path is a number.
toml::table* holder_of(toml::table& file, const std::vector<std::string_view>& path) {
  toml::table* at = &file;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    at = at->insert(path[i], toml::table{}).first->second.as_table();
    if (at == nullptr) return nullptr;
  }
  return at;
}

/// As the file would say it by hand: whole numbers without a point.
toml::table stated(const Fact& fact) {
  toml::table number;
  const auto whole = static_cast<std::int64_t>(fact.value);
  if (static_cast<double>(whole) == fact.value) {
    number.insert("value", whole);
  } else {
    number.insert("value", fact.value);
  }
  number.insert("unit", fact.unit);
  number.insert("source", "edited");
  number.insert("confidence", "assumed");
  number.is_inline(true);
  return number;
}

bool states(const FactFile& file, const std::string& path, const Fact& meant) {
  const auto fact = file.facts.find(path);
  return fact != file.facts.end() && meant.values.empty() && fact->second.value == meant.value &&
         fact->second.text == meant.text;
}

}  // namespace

Expected<std::string> edited_file(const HardwareDatabase& database, std::string_view id,
                                  const std::vector<FactOverride>& overrides) {
  const auto gpu = database.load(id, overrides);
  if (!gpu) return gpu.error();
  const auto text = read_file(database.directory() / "gpus" / (gpu->id + ".toml"));
  if (!text) return text.error();
  auto parsed = parse_toml_document(*text, gpu->id, "TOML", "see docs/data.md");
  if (!parsed) return std::move(parsed).error();
  toml::table file = *std::move(parsed);
  for (const FactOverride& change : overrides) {
    const auto fact = gpu->facts.find(change.path);
    toml::table* holder = holder_of(file, split(change.path, '.'));
    if (fact == gpu->facts.end() || holder == nullptr) continue;  // told below
    const std::string key = change.path.substr(change.path.rfind('.') + 1);
    if (fact->second.text.empty()) {
      holder->insert_or_assign(key, stated(fact->second));
    } else {
      holder->insert_or_assign(key, fact->second.text);
    }
  }
  std::ostringstream out;
  out << "# " << gpu->id << ", edited\n" << file << "\n";
  const auto again = parse_fact_file(out.str(), gpu->id);
  for (const FactOverride& change : overrides) {
    const auto fact = gpu->facts.find(change.path);
    if (again && fact != gpu->facts.end() && states(*again, change.path, fact->second)) continue;
    return Diagnostic{"hw." + change.path, "cannot stand in a board's own file",
                      "a number or a word of the board",
                      "--set hw." + change.path + "=" + change.value};
  }
  return out.str();
}

}  // namespace forewarp::hardware
