// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/described/set_description.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "request/tables/field_reading.h"
#include "request/text/toml_value.h"

namespace forewarp::measured {

namespace {

using Kind = PlainValue::Kind;

std::string_view schema_of(DescriptionOf kind) {
  return kind == DescriptionOf::measurements ? "forewarp.set/1" : "forewarp.space/1";
}

/// Keys that say which configurations there are; their own reader takes them.
constexpr std::array<std::string_view, 3> space_keys{"params", "restrict", "configurations"};

/// Keys that go into the case of every row.
constexpr std::array<std::string_view, 20> case_keys{"id",
                                                     "input",
                                                     "kernel",
                                                     "gpu",
                                                     "grid",
                                                     "block",
                                                     "dynamic_shared",
                                                     "args",
                                                     "constants",
                                                     "clock_mhz",
                                                     "timing",
                                                     "repeat",
                                                     "overhead_us",
                                                     "measured_ms",
                                                     "spread",
                                                     "group",
                                                     "resident_blocks",
                                                     "compile_options",
                                                     "link",
                                                     "copies"};

Expected<RowCondition> read_condition(const ValueCursor& cursor) {
  RowCondition condition;
  auto read = each_key(
      cursor,
      [&](const std::string& key, const ValueCursor& value, std::size_t index) -> Expected<void> {
        if (key == "name") return put(text_of(value), condition.name);
        if (key == "column") return put(text_of(value), condition.column);
        if (key == "test") return put(text_of(value), condition.test);
        if (key == "is") return put(texts_of(value), condition.among);
        if (key == "not") return put(texts_of(value), condition.none_of);
        return cursor.unknown_key(index, {"name", "column", "is", "not", "test"});
      });
  if (!read) return read.error();
  const bool by_word = !condition.column.empty();
  if (by_word == !condition.test.empty() ||
      by_word == (condition.among.empty() && condition.none_of.empty())) {
    return cursor.refuse("the condition is incomplete", "column with is or not, or test", "");
  }
  return condition;
}

Expected<void> read_apart(const ValueCursor& cursor, std::vector<RowCondition>& into) {
  return each_item(cursor, [&](const ValueCursor& item) -> Expected<void> {
    auto condition = read_condition(item);
    if (!condition) return std::move(condition).error();
    if (condition->name.empty()) return item.refuse("rows apart have no name", "name = \"why\"");
    into.push_back(std::move(*condition));
    return {};
  });
}

Expected<void> read_conditions(const ValueCursor& cursor, std::vector<RowCondition>& into) {
  return each_item(cursor, [&](const ValueCursor& item) -> Expected<void> {
    auto condition = read_condition(item);
    if (!condition) return std::move(condition).error();
    into.push_back(std::move(*condition));
    return {};
  });
}

Expected<void> read_words(const ValueCursor& cursor, std::vector<WordTable>& into) {
  return each_key(
      cursor,
      [&](const std::string& column, const ValueCursor& table, std::size_t) -> Expected<void> {
        WordTable words{column, column, {}};
        auto read = each_key(
            table,
            [&](const std::string& key, const ValueCursor& value, std::size_t) -> Expected<void> {
              std::string word;
              if (auto done = put(text_of(value), word); !done) return done;
              if (key == "from") {
                words.from = std::move(word);
              } else {
                words.words.emplace_back(key, std::move(word));
              }
              return {};
            });
        if (!read) return read;
        into.push_back(std::move(words));
        return {};
      });
}

/// In the order of the file: a later one may use an earlier one.
Expected<void> read_numbers(const ValueCursor& cursor,
                            std::vector<std::pair<std::string, std::string>>& into) {
  std::vector<std::pair<std::uint32_t, std::pair<std::string, std::string>>> found;
  auto read = each_key(
      cursor, [&](const std::string& key, const ValueCursor& value, std::size_t) -> Expected<void> {
        std::string expression;
        if (auto done = put(text_of(value), expression); !done) return done;
        found.push_back({value.value().line, {key, std::move(expression)}});
        return {};
      });
  if (!read) return read;
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [line, number] : found) into.push_back(std::move(number));
  return {};
}

/// A pattern is an ECMAScript regular expression with one group.
Expected<void> read_cuts(const ValueCursor& cursor, std::vector<CutColumn>& into) {
  return each_key(
      cursor,
      [&](const std::string& column, const ValueCursor& table, std::size_t) -> Expected<void> {
        CutColumn cut{column, "", {}};
        std::string pattern;
        auto read = each_key(table,
                             [&](const std::string& key, const ValueCursor& value,
                                 std::size_t index) -> Expected<void> {
                               if (key == "from") return put(text_of(value), cut.from);
                               if (key == "pattern") return put(text_of(value), pattern);
                               return table.unknown_key(index, {"from", "pattern"});
                             });
        if (!read) return read;
        try {
          cut.pattern.assign(pattern);
        } catch (const std::regex_error& fault) {
          return table.refuse("'" + pattern + "' is no pattern: " + fault.what());
        }
        if (cut.from.empty() || cut.pattern.mark_count() != 1) {
          return table.refuse("the cut is incomplete", "from, and a pattern with one group");
        }
        into.push_back(std::move(cut));
        return {};
      });
}

Expected<void> read_code(const ValueCursor& cursor, SourceCode& code) {
  return each_key(
      cursor,
      [&](const std::string& key, const ValueCursor& value, std::size_t index) -> Expected<void> {
        if (key == "source" && value.value().kind == Kind::text) {
          return put(text_of(value), code.files.emplace_back());
        }
        if (key == "source") return put(texts_of(value), code.files);
        if (key == "prepend") return put(text_of(value), code.prepended);
        if (key == "append") return put(text_of(value), code.appended);
        if (key == "defines") return put(texts_of(value), code.defines);
        if (key == "options") return put(texts_of(value), code.options);
        if (key != "replace") {
          return cursor.unknown_key(
              index, {"source", "prepend", "append", "defines", "options", "replace"});
        }
        return each_key(
            value,
            [&](const std::string& text, const ValueCursor& by, std::size_t) -> Expected<void> {
              return put(text_of(by), code.replacements.emplace_back(text, "").second);
            });
      });
}

Expected<void> read_compile(const ValueCursor& cursor, SourceCode& code) {
  auto read = read_code(cursor, code);
  if (!read || !code.files.empty()) return read;
  return cursor.refuse("nothing is compiled", "source = \"FILE\", or a list of its parts", "");
}

/// by.COLUMN.WORD: a table of keys of a case, and of [compile].
Expected<void> read_by_word(const ValueCursor& cursor, std::vector<WordCase>& into) {
  return each_key(cursor, [&](const std::string& column, const ValueCursor& words, std::size_t) {
    return each_key(words, [&](const std::string& word, const ValueCursor& request, std::size_t) {
      WordCase special{column, word, {}, {}};
      special.request.kind = Kind::table;
      auto known =
          each_key(request,
                   [&](const std::string& key, const ValueCursor& value,
                       std::size_t index) -> Expected<void> {
                     if (key == "compile") return read_code(value, special.code);
                     if (std::find(case_keys.begin(), case_keys.end(), key) == case_keys.end()) {
                       return request.unknown_key(index, {case_keys.begin(), case_keys.end()});
                     }
                     special.request.keys.push_back(key);
                     special.request.items.push_back(value.value());
                     return {};
                   });
      if (known) into.push_back(std::move(special));
      return known;
    });
  });
}

Expected<void> read_left_out(const ValueCursor& cursor,
                             std::map<std::string, std::vector<FactOverride>>& into) {
  return each_key(cursor, [&](const std::string& gpu, const ValueCursor& numbers, std::size_t) {
    return each_key(
        numbers,
        [&](const std::string& path, const ValueCursor& value, std::size_t) -> Expected<void> {
          return put(text_of(value), into[gpu].emplace_back(FactOverride{path, ""}).value);
        });
  });
}

Expected<void> read_reference(const ValueCursor& cursor, SetDescription& about) {
  auto read = each_key(
      cursor,
      [&](const std::string& key, const ValueCursor& value, std::size_t index) -> Expected<void> {
        if (key == "name") return put(text_of(value), about.reference);
        if (key == "ms") return put(text_of(value), about.reference_ms);
        return cursor.unknown_key(index, {"name", "ms"});
      });
  if (!read) return read;
  if (!about.reference.empty() && !about.reference_ms.empty()) return {};
  return cursor.refuse("the reference is incomplete", "name and ms", "");
}

/// The keys of a description itself; false where the key is none of them.
Expected<bool> read_own_key(const std::string& key, const ValueCursor& value, DescriptionOf kind,
                            SetDescription& about) {
  Expected<void> done;
  if (key == "schema") {
    const std::string schema(schema_of(kind));
    if (value.value().text != schema) return value.wrong("'" + schema + "'");
  } else if (key == "name") {
    done = put(text_of(value), about.name);
  } else if (key == "title") {
    done = put(text_of(value), about.title);
  } else if (key == "source") {
    done = put(text_of(value), about.source);
  } else if (key == "csv") {
    done = put(text_of(value), about.csv);
  } else if (key == "registers") {
    done = put(text_of(value), about.registers);
  } else if (key == "baseline_bytes") {
    done = put(text_of(value), about.baseline_bytes);
  } else if (key == "reference") {
    done = read_reference(value, about);
  } else if (key == "base") {
    // The file's keys were taken already.
  } else if (key == "cut") {
    done = read_cuts(value, about.cuts);
  } else if (key == "words") {
    done = read_words(value, about.words);
  } else if (key == "numbers") {
    done = read_numbers(value, about.numbers);
  } else if (key == "where") {
    done = read_conditions(value, about.where);
  } else if (key == "apart") {
    done = read_apart(value, about.apart);
  } else if (key == "compile") {
    done = read_compile(value, about.code.emplace());
  } else if (key == "by") {
    done = read_by_word(value, about.by_word);
  } else if (key == "left_out") {
    done = read_left_out(value, about.left_out);
  } else {
    return false;
  }
  if (!done) return done.error();
  return true;
}

std::vector<std::string> description_keys(DescriptionOf kind) {
  std::vector<std::string> keys{"base",     "cut",      "schema",    "name",           "title",
                                "source",   "csv",      "registers", "baseline_bytes", "words",
                                "where",    "apart",    "numbers",   "compile",        "by",
                                "left_out", "reference"};
  keys.insert(keys.end(), case_keys.begin(), case_keys.end());
  if (kind == DescriptionOf::configurations) {
    keys.insert(keys.end(), space_keys.begin(), space_keys.end());
  }
  return keys;
}

/// The keys of the description that this one stands on, where it lacks them.
Expected<void> add_base(PlainValue& table, const ValueCursor& base) {
  std::string name;
  if (auto done = put(text_of(base), name); !done) return done;
  const std::filesystem::path file = base.resolved(name);
  auto text = read_file(file);
  if (!text) return base.placed(text.error());
  // Its own faults are told with its own name.
  if (auto sound = parse_description(*text, file); !sound) return std::move(sound).error();
  auto below = parse_toml(*text, {file.string(), 0, file.parent_path()}, "");
  if (!below) return std::move(below).error();
  if (below->find("base") != nullptr) return base.wrong("a description without a base of its own");
  for (std::size_t i = 0; i < below->keys.size(); ++i) {
    if (table.find(below->keys[i]) != nullptr) continue;
    table.keys.push_back(below->keys[i]);
    table.items.push_back(below->items[i]);
  }
  return {};
}

/// What was measured, and which rows are judged with others, is nothing to a space.
void forget_measurements(SetDescription& about) {
  PlainValue request;
  request.kind = Kind::table;
  for (std::size_t i = 0; i < about.request.keys.size(); ++i) {
    const std::string& key = about.request.keys[i];
    if (key == "measured_ms" || key == "spread" || key == "group") continue;
    request.keys.push_back(key);
    request.items.push_back(about.request.items[i]);
  }
  about.request = std::move(request);
  about.registers = about.reference = about.reference_ms = about.baseline_bytes = "";
  about.apart.clear();
  about.left_out.clear();
}

}  // namespace

Expected<SetDescription> parse_description(std::string_view toml, const std::filesystem::path& file,
                                           DescriptionOf kind) {
  SetDescription about;
  about.origin = {file.string(), 0, file.parent_path()};
  auto table = parse_toml(toml, about.origin, "a description of measured data in TOML");
  if (!table) return std::move(table).error();
  const auto based = std::find(table->keys.begin(), table->keys.end(), "base");
  if (based != table->keys.end()) {
    const PlainValue own = *table;
    const auto index = static_cast<std::size_t>(based - table->keys.begin());
    const ValueCursor cursor(own, about.origin);
    if (auto done = add_base(*table, cursor.item(index)); !done) return done.error();
  }
  const ValueCursor root(*table, about.origin);
  if (table->find("schema") == nullptr) {
    return root.refuse("the key 'schema' is missing",
                       "schema = \"" + std::string(schema_of(kind)) + "\"");
  }
  about.request.kind = Kind::table;
  auto read = each_key(
      root,
      [&](const std::string& key, const ValueCursor& value, std::size_t index) -> Expected<void> {
        auto own = read_own_key(key, value, kind, about);
        if (!own) return std::move(own).error();
        if (*own || (kind == DescriptionOf::configurations &&
                     std::find(space_keys.begin(), space_keys.end(), key) != space_keys.end())) {
          return {};
        }
        if (std::find(case_keys.begin(), case_keys.end(), key) == case_keys.end()) {
          return root.unknown_key(index, description_keys(kind));
        }
        about.request.keys.push_back(key);
        about.request.items.push_back(value.value());
        return {};
      });
  if (!read) return read.error();
  if (kind == DescriptionOf::configurations) {
    forget_measurements(about);
    return about;
  }
  for (const std::string_view needed : {"name", "csv", "measured_ms"}) {
    if (table->find(needed) == nullptr) {
      return root.refuse("the key '" + std::string(needed) + "' is missing",
                         "name, csv, measured_ms");
    }
  }
  if (about.title.empty()) about.title = about.name;
  return about;
}

}  // namespace forewarp::measured
