// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/fact_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "base/toml_document.h"

namespace forewarp::hardware {
namespace {

/// Values that entries of a table inherit: `_unit`, `_source`, `_confidence`, `_note`.
struct Inherited {
  std::string unit, source, confidence, note;
  std::string latency_source, latency_confidence;  ///< for the second number of a [class] row
};

/// Keys that describe an entry and are none themselves.
bool is_description(std::string_view key) {
  return key.starts_with('_');
}

/// A number that is written as one. TOML allows inf and nan, but no GPU has them.
std::optional<double> finite(const toml::node* node) {
  if (node == nullptr || !node->is_number()) return std::nullopt;
  const auto number = node->value<double>();
  return number && std::isfinite(*number) ? number : std::nullopt;
}

/// Walks the tables of one file and collects facts; stops at the first error.
class Flattener {
 public:
  explicit Flattener(std::string file) : file_(std::move(file)) {}

  Expected<FactFile> run(const toml::table& root);

 private:
  using Part = std::pair<std::string_view, const toml::node*>;

  void flatten(const toml::table& table, const std::string& prefix, const Inherited& inherited,
               Facts& facts);
  void entry(const toml::node& node, const std::string& path, const Inherited& inherited,
             Facts& facts);
  void described_fact(const toml::table& table, const std::string& path, const Inherited& inherited,
                      Facts& facts);
  void add_deviation(const toml::node& node, const std::string& path, Fact& fact);
  void elements(const toml::array& array, const std::string& path, const Inherited& inherited,
                Facts& facts);
  void class_rows(const toml::table& table, const std::string& prefix, const Inherited& inherited,
                  Facts& facts);
  void class_row(const toml::table& row, const std::string& path, const Inherited& inherited,
                 Facts& facts);
  void set_value(const toml::node& value, const std::string& path, Fact& fact);
  void add(Fact fact, const std::string& path, const toml::node& node,
           const std::string& confidence, Facts& facts);
  void sets(const toml::node& node);
  void rules(const toml::node& node, bool filling);
  void rule(const toml::table& table, bool filling);
  std::vector<std::string> rule_paths(const toml::table& table, std::string_view key);
  RuleCondition condition_of(const toml::table& table);
  void check_bounds(const toml::node& node);
  Inherited inherit(const toml::table& table, Inherited inherited);
  std::string text_of(const toml::table& table, std::string_view key, const std::string& otherwise);
  std::string latency_part(const toml::table& row, const char* own, const char* all,
                           const std::string& table_own, const std::string& table_all);
  void fail(const toml::node& node, std::string found, std::string expected = {});

  std::string file_;
  FactFile result_;
  std::optional<Diagnostic> failure_;
};

void Flattener::fail(const toml::node& node, std::string found, std::string expected) {
  if (failure_) return;
  const auto begin = node.source().begin;
  failure_ = Diagnostic{place_in_file(file_, begin.line, begin.column), std::move(found),
                        std::move(expected), "see docs/data.md"};
}

/// Words at a key of a table; fails where something else stands there.
std::string Flattener::text_of(const toml::table& table, std::string_view key,
                               const std::string& otherwise) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return otherwise;
  if (const auto words = node->value_exact<std::string>()) return *words;
  fail(*node, "'" + std::string(key) + "' is no text", "words in quotes");
  return otherwise;
}

Inherited Flattener::inherit(const toml::table& table, Inherited inherited) {
  static constexpr std::array<std::string_view, 6> known = {
      "_unit", "_source", "_confidence", "_note", "_latency_source", "_latency_confidence"};
  for (const auto& [key, node] : table) {
    if (!is_description(key.str()) || std::ranges::find(known, key.str()) != known.end()) continue;
    fail(node, "a table has no description named '" + std::string(key.str()) + "'",
         "_unit, _source, _confidence, _note");
  }
  inherited.unit = text_of(table, "_unit", inherited.unit);
  inherited.source = text_of(table, "_source", inherited.source);
  inherited.confidence = text_of(table, "_confidence", inherited.confidence);
  inherited.note = text_of(table, "_note", inherited.note);
  inherited.latency_source = text_of(table, "_latency_source", inherited.latency_source);
  inherited.latency_confidence =
      text_of(table, "_latency_confidence", inherited.latency_confidence);
  return inherited;
}

void Flattener::flatten(const toml::table& table, const std::string& prefix, const Inherited& outer,
                        Facts& facts) {
  const Inherited inherited = inherit(table, outer);
  for (const auto& [key, node] : table) {
    if (is_description(key.str())) continue;
    const std::string path = prefix + std::string(key.str());
    if (path == "class" && node.is_table()) {
      class_rows(*node.as_table(), "class.", inherited, facts);
    } else {
      entry(node, path, inherited, facts);
    }
  }
}

void Flattener::entry(const toml::node& node, const std::string& path, const Inherited& inherited,
                      Facts& facts) {
  if (const toml::table* table = node.as_table()) {
    if (table->contains("value")) return described_fact(*table, path, inherited, facts);
    return flatten(*table, path + ".", inherited, facts);
  }
  const toml::array* array = node.as_array();
  if (array != nullptr && !array->empty() && array->front().is_table()) {
    return elements(*array, path, inherited, facts);
  }
  Fact fact;
  fact.unit = inherited.unit;
  fact.source = inherited.source;
  fact.note = inherited.note;
  set_value(node, path, fact);
  add(std::move(fact), path, node, inherited.confidence, facts);
}

void Flattener::elements(const toml::array& array, const std::string& path,
                         const Inherited& inherited, Facts& facts) {
  std::size_t index = 0;
  for (const toml::node& element : array) {
    if (const toml::table* table = element.as_table()) {
      flatten(*table, path + '.' + std::to_string(index++) + '.', inherited, facts);
    } else {
      fail(element, "'" + path + "' mixes tables and values", "tables only");
    }
  }
}

void Flattener::set_value(const toml::node& value, const std::string& path, Fact& fact) {
  if (const auto number = finite(&value)) {
    fact.value = *number;
  } else if (const auto flag = value.value_exact<bool>()) {
    fact.kind = FactKind::flag;
    fact.value = *flag ? 1 : 0;
  } else if (const auto words = value.value_exact<std::string>()) {
    fact.kind = FactKind::word;
    fact.text = *words;
  } else if (const toml::array* list = value.as_array()) {
    fact.kind = FactKind::list;
    for (const toml::node& element : *list) {
      if (const auto part = finite(&element)) {
        fact.values.push_back(*part);
      } else {
        fail(element, "'" + path + "' holds something that is no number", "a list of numbers");
      }
    }
  } else {
    fail(value, "'" + path + "' has a value of a kind that no fact has",
         "a number, words, true, false or a list of numbers");
  }
}

/// One standard deviation of a measured number, in its unit: shown with its note.
void Flattener::add_deviation(const toml::node& node, const std::string& path, Fact& fact) {
  const auto deviation = finite(&node);
  if (!deviation || *deviation < 0) {
    return fail(node, "'" + path + "' has a deviation that is no number from 0 on",
                "one standard deviation in its unit");
  }
  if (!fact.note.empty()) fact.note += "; ";
  fact.note += "deviation " + significant(*deviation);
}

void Flattener::described_fact(const toml::table& table, const std::string& path,
                               const Inherited& inherited, Facts& facts) {
  Fact fact;
  fact.unit = text_of(table, "unit", inherited.unit);
  fact.source = text_of(table, "source", inherited.source);
  fact.note = text_of(table, "note", inherited.note);
  set_value(*table.get("value"), path, fact);
  if (const toml::node* deviation = table.get("deviation")) add_deviation(*deviation, path, fact);
  for (const auto& [key, node] : table) {
    static constexpr std::array<std::string_view, 7> known = {
        "value", "unit", "source", "note", "confidence", "alternatives", "deviation"};
    if (std::find(known.begin(), known.end(), key.str()) == known.end()) {
      fail(node, "'" + path + "' has a part named '" + std::string(key.str()) + "'",
           "value, unit, source, confidence, deviation, note, alternatives");
    }
  }
  const toml::node* alternatives = table.get("alternatives");
  if (alternatives != nullptr && !alternatives->is_array()) {
    fail(*alternatives, "the alternatives of '" + path + "' are no list",
         "[{ value = .., source = \"..\" }]");
  }
  if (const toml::array* others = table["alternatives"].as_array()) {
    for (const toml::node& other : *others) {
      const toml::table* row = other.as_table();
      const auto value = row ? finite(row->get("value")) : std::nullopt;
      const auto source = row ? (*row)["source"].value_exact<std::string>() : std::nullopt;
      if (!value || !source) {
        fail(other, "an alternative of '" + path + "' is incomplete",
             "{ value = .., source = \"..\" }");
        continue;
      }
      fact.alternatives.emplace_back(*value, *source);
    }
  }
  add(std::move(fact), path, table, text_of(table, "confidence", inherited.confidence), facts);
}

constexpr const char* confidences =
    "datasheet, vendor_tool, measured, published, derived or assumed";

void Flattener::add(Fact fact, const std::string& path, const toml::node& node,
                    const std::string& confidence, Facts& facts) {
  // Names (chip, technology, pipe) are labels, not measurements, and need no source.
  if (fact.kind == FactKind::word) {
    if (fact.text.empty()) fail(node, "'" + path + "' has no words", "words in quotes");
    const auto known = confidence_by_name(confidence);
    if (!known && !confidence.empty()) {
      fail(node, "'" + path + "' has confidence '" + confidence + "'", confidences);
    }
    fact.confidence = known.value_or(Confidence::datasheet);
  } else {
    if (fact.unit.empty()) fail(node, "'" + path + "' has no unit", "unit = \"..\" or _unit");
    if (fact.source.empty())
      fail(node, "'" + path + "' has no source", "source = \"..\" or _source");
    const auto known = confidence_by_name(confidence);
    if (!known) {
      fail(node, "'" + path + "' has confidence '" + confidence + "'", confidences);
    }
    fact.confidence = known.value_or(Confidence::assumed);
  }
  fact.file = file_;
  fact.line = node.source().begin.line;
  if (!facts.emplace(path, std::move(fact)).second) {
    fail(node, "'" + path + "' is given twice", "one value");
  }
}

/// "fadd fmul" = { pipe = .., cycles = .., latency = .. }: one row for several classes.
void Flattener::class_rows(const toml::table& table, const std::string& prefix,
                           const Inherited& outer, Facts& facts) {
  Inherited inherited = inherit(table, outer);
  inherited.unit = "cycles";
  for (const auto& [key, node] : table) {
    if (is_description(key.str())) continue;
    const toml::table* row = node.as_table();
    if (row == nullptr) {
      fail(node, "class '" + std::string(key.str()) + "' is no table", "{ pipe, cycles, latency }");
      continue;
    }
    std::string_view names = key.str();
    while (!names.empty()) {
      const std::size_t end = std::min(names.find(' '), names.size());
      if (end > 0) class_row(*row, prefix + std::string(names.substr(0, end)), inherited, facts);
      names.remove_prefix(std::min(end + 1, names.size()));
    }
  }
}

/// The first of: the row's own, the row's for all its numbers, the table's own, the table's.
std::string Flattener::latency_part(const toml::table& row, const char* own, const char* all,
                                    const std::string& table_own, const std::string& table_all) {
  return text_of(row, own, text_of(row, all, table_own.empty() ? table_all : table_own));
}

void Flattener::class_row(const toml::table& row, const std::string& path,
                          const Inherited& inherited, Facts& facts) {
  Inherited own = inherited;
  own.source = text_of(row, "source", inherited.source);
  own.confidence = text_of(row, "confidence", inherited.confidence);
  own.note = text_of(row, "note", inherited.note);
  Inherited latency = own;
  latency.source =
      latency_part(row, "latency_source", "source", inherited.latency_source, inherited.source);
  latency.confidence = latency_part(row, "latency_confidence", "confidence",
                                    inherited.latency_confidence, inherited.confidence);
  Inherited flag = own;
  flag.unit = "1";
  for (const auto& [key, node] : row) {
    const std::string name(key.str());
    if (name == "pipe" || name == "cycles") {
      entry(node, path + '.' + name, own, facts);
    } else if (name == "variable") {
      entry(node, path + ".variable", flag, facts);
    } else if (name == "latency") {
      entry(node, path + ".latency", latency, facts);
    } else if (name == "also" && node.is_table()) {
      flatten(*node.as_table(), path + ".also.", own, facts);
    } else if (name != "source" && name != "confidence" && name != "note" &&
               name != "latency_source" && name != "latency_confidence") {
      fail(node, "'" + path + "' has a part named '" + name + "'",
           "pipe, cycles, latency, variable, also");
    }
  }
}

void Flattener::sets(const toml::node& node) {
  const toml::table* table = node.as_table();
  if (table == nullptr) return fail(node, "'set' is no table", "[set.NAME]");
  for (const auto& [key, set] : *table) {
    if (const toml::table* content = set.as_table()) {
      flatten(*content, "", Inherited{}, result_.sets[std::string(key.str())]);
    } else {
      fail(set, "set '" + std::string(key.str()) + "' is no table", "[set.NAME]");
    }
  }
}

RuleCondition Flattener::condition_of(const toml::table& table) {
  RuleCondition condition;
  condition.from = text_of(table, "from", "");
  condition.to = text_of(table, "to", "");
  const toml::node* given = table.get("when");
  if (given == nullptr) return condition;
  const toml::table* when = given->as_table();
  if (when == nullptr) {
    fail(*given, "'when' of a rule is no table", "{ PATH = VALUE }");
    return condition;
  }
  for (const auto& [key, node] : *when) {
    if (const auto word = node.value_exact<std::string>()) {
      condition.words.emplace_back(key.str(), *word);
    } else if (const auto number = finite(&node)) {
      condition.numbers.emplace_back(key.str(), *number);
    } else {
      fail(node,
           "'when' of a rule compares '" + std::string(key.str()) + "' with no word or number",
           "{ PATH = VALUE }");
    }
  }
  return condition;
}

/// Paths that a rule names.
std::vector<std::string> Flattener::rule_paths(const toml::table& table, std::string_view key) {
  std::vector<std::string> names;
  const toml::node* node = table.get(key);
  if (node == nullptr) return names;
  const toml::array* list = node->as_array();
  if (list == nullptr) {
    fail(*node, "'" + std::string(key) + "' of a rule is no list", "[\"PATH\"]");
    return names;
  }
  for (const toml::node& name : *list) {
    const auto words = name.value_exact<std::string>();
    if (!words) fail(name, "'" + std::string(key) + "' of a rule holds no path", "[\"PATH\"]");
    names.push_back(words.value_or(""));
  }
  return names;
}

void Flattener::rule(const toml::table& table, bool filling) {
  Fact fact;
  fact.unit = text_of(table, "unit", filling ? "" : "1");
  fact.source = text_of(table, "source", "");
  fact.note = text_of(table, "rule", "");
  fact.file = file_;
  fact.line = table.source().begin.line;
  fact.confidence =
      confidence_by_name(text_of(table, "confidence", "derived")).value_or(Confidence::derived);
  const auto number_at = [&](std::string_view key) {
    const toml::node* node = table.get(key);
    const auto number = finite(node);
    if (node != nullptr && !number) {
      fail(*node, "'" + std::string(key) + "' of a rule is no number", "a number");
    }
    return number;
  };
  const auto factor = number_at(filling ? "value" : "factor");
  fact.value = factor.value_or(1);
  if (fact.unit.empty() || fact.source.empty() || fact.note.empty()) {
    fail(table, "a rule lacks its unit, source or rule", "unit, source, rule");
  }
  std::vector<std::string> names = rule_paths(table, filling ? "times" : "paths");
  if (!filling) {
    result_.scales.push_back({std::move(names), std::move(fact), condition_of(table)});
    return;
  }
  const std::string path = text_of(table, "path", "");
  if (path.empty() || (!factor && names.empty())) {
    fail(table, "a rule lacks its path or its number", "path, and value or times");
  }
  const std::string over = text_of(table, "over", "");
  if (!over.empty() && over != "class") fail(table, "'over' is '" + over + "'", "class");
  result_.fills.push_back({path, std::move(names), std::move(fact), condition_of(table),
                           !over.empty(), number_at("most").value_or(0.0)});
}

void Flattener::rules(const toml::node& node, bool filling) {
  const toml::array* array = node.as_array();
  if (array == nullptr) return fail(node, "rules are no list", "[[fill]] or [[scale]]");
  for (const toml::node& element : *array) {
    if (const toml::table* table = element.as_table()) {
      rule(*table, filling);
    } else {
      fail(element, "a rule is no table", "[[fill]] or [[scale]]");
    }
  }
}

void Flattener::check_bounds(const toml::node& node) {
  const toml::table* table = node.as_table();
  if (table == nullptr) return fail(node, "'check' is no table", "[check]");
  for (const auto& [key, bound] : *table) {
    if (const auto number = finite(&bound)) {
      result_.check.emplace(key.str(), *number);
    } else {
      fail(bound, "'check." + std::string(key.str()) + "' is no number", "a number");
    }
  }
}

Expected<FactFile> Flattener::run(const toml::table& root) {
  result_.file = file_;
  const Inherited inherited = inherit(root, {});
  for (const auto& [key, node] : root) {
    const std::string_view name = key.str();
    if (is_description(name)) continue;
    if (name == "class" && node.is_table()) {
      class_rows(*node.as_table(), "class.", inherited, result_.facts);
    } else if (name == "fallback" && node.is_table()) {
      flatten(*node.as_table(), "", inherited, result_.fallback);
    } else if (name == "set") {
      sets(node);
    } else if (name == "fill" || name == "scale") {
      rules(node, name == "fill");
    } else if (name == "check") {
      check_bounds(node);
    } else {
      entry(node, std::string(name), inherited, result_.facts);
    }
  }
  if (failure_) return *std::move(failure_);
  return std::move(result_);
}

}  // namespace

std::string_view FactFile::word(std::string_view path) const {
  const auto found = facts.find(path);
  return found == facts.end() ? std::string_view() : std::string_view(found->second.text);
}

Expected<FactFile> parse_fact_file(std::string_view text, std::string_view name) {
  const auto document = parse_toml_document(text, name, "TOML", "see docs/data.md");
  if (!document) return document.error();
  return Flattener(std::string(name)).run(*document);
}

Expected<FactFile> read_fact_file(const std::filesystem::path& path, std::string_view shown) {
  auto text = read_file(path);
  if (!text) return std::move(text).error();
  return parse_fact_file(*text, shown);
}

}  // namespace forewarp::hardware
