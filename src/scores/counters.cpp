// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "scores/counters.h"

#include <algorithm>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "request/tables/field_reading.h"
#include "request/text/toml_value.h"
#include "result/result_fields.h"

namespace forewarp::scores {

namespace {

namespace fs = std::filesystem;
using Figures = std::map<std::string, double, std::less<>>;

constexpr std::string_view schema = "forewarp.counters/1";

/// Collects the members of a profile that are numbers, by the keys of its JSON.
struct FigureCollector {
  Figures& figures;
  void operator()(std::string_view key, double value) const { figures.emplace(key, value); }
  template <typename T>
  void operator()(std::string_view /*key*/, const T& /*value*/) const {}
};

Figures figures_of(const Result::Profile& profile) {
  Figures figures;
  FigureCollector collector{figures};
  result_fields::fields(collector, profile);
  return figures;
}

Expected<void> read_flag(const ValueCursor& cursor, bool& into) {
  if (cursor.value().kind != PlainValue::Kind::boolean) return cursor.wrong("true or false");
  into = cursor.value().boolean;
  return {};
}

Expected<void> check_figures(const ValueCursor& cursor, const std::vector<std::string>& figures) {
  const Figures known = figures_of({});
  for (const std::string& figure : figures) {
    if (known.contains(figure)) continue;
    std::vector<std::string> names;
    for (const auto& [name, value] : known) names.push_back(name);
    return cursor.refuse("a profile has no figure '" + figure + "'", "one of " + join(names, ", "));
  }
  return {};
}

Expected<Counter> read_counter(const ValueCursor& cursor) {
  Counter counter;
  auto read = each_key(
      cursor,
      [&](const std::string& key, const ValueCursor& value, std::size_t index) -> Expected<void> {
        if (key == "name") return put(text_of(value), counter.name);
        if (key == "columns") return put(texts_of(value), counter.columns);
        if (key == "figures") return put(texts_of(value), counter.figures);
        if (key == "opcodes") return put(texts_of(value), counter.opcodes);
        if (key == "unit") return put(number_of(value), counter.unit);
        if (key == "goal") return put(number_of(value), counter.goal);
        if (key == "local") return read_flag(value, counter.local);
        return cursor.unknown_key(
            index, {"name", "columns", "figures", "opcodes", "unit", "goal", "local"});
      });
  if (!read) return read.error();
  const bool complete = !counter.name.empty() && !counter.columns.empty() && counter.unit > 0 &&
                        !(counter.figures.empty() && counter.opcodes.empty());
  if (!complete)
    return cursor.refuse("the counter is incomplete", "name, columns, figures or opcodes");
  if (auto checked = check_figures(cursor, counter.figures); !checked) return checked.error();
  return counter;
}

/// Traffic of local memory that the measurement counted.
double local_traffic(const Counter& counter, const Figures& numbers) {
  double sum = 0;
  for (const auto& [column, value] : numbers) {
    if (!counter.local_columns.empty() && column.find(counter.local_columns) != std::string::npos) {
      sum += value;
    }
  }
  return sum;
}

double own_figure(const Counter& counter, const Figures& figures, const Result::Profile& profile) {
  double sum = 0;
  for (const std::string& figure : counter.figures) sum += figures.find(figure)->second;
  for (const auto& [opcode, threads] : profile.threads_by_opcode) {
    const auto& wanted = counter.opcodes;
    if (std::find(wanted.begin(), wanted.end(), opcode) != wanted.end()) sum += threads;
  }
  return sum / counter.unit;
}

}  // namespace

Expected<std::vector<Counter>> parse_counters(std::string_view toml, std::string_view file) {
  const ValueOrigin origin{std::string(file), 0, {}};
  auto table = parse_toml(toml, origin, "a list of counters in TOML");
  if (!table) return std::move(table).error();
  const ValueCursor root(*table, origin);
  std::vector<Counter> counters;
  std::string local_columns, found_schema, source;
  auto read = each_key(
      root,
      [&](const std::string& key, const ValueCursor& value, std::size_t index) -> Expected<void> {
        if (key == "schema") return put(text_of(value), found_schema);
        if (key == "source") return put(text_of(value), source);
        if (key == "local_columns") return put(text_of(value), local_columns);
        if (key != "counter")
          return root.unknown_key(index, {"schema", "source", "local_columns", "counter"});
        return each_item(value, [&](const ValueCursor& item) -> Expected<void> {
          return put(read_counter(item), counters.emplace_back());
        });
      });
  if (!read) return read.error();
  if (found_schema != schema) {
    return root.refuse("the key 'schema' is '" + found_schema + "'",
                       "'" + std::string(schema) + "'");
  }
  for (Counter& counter : counters) counter.local_columns = local_columns;
  return counters;
}

Expected<std::vector<Counter>> load_counters(const fs::path& data_folder) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(data_folder / "counters", failure)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Counter> counters;
  std::set<std::string> names;
  for (const fs::path& file : files) {
    const auto text = read_file(file);
    if (!text) return text.error();
    auto more = parse_counters(*text, file.string());
    if (!more) return more;
    for (Counter& counter : *more) {
      if (!names.insert(counter.name).second) {
        return Diagnostic{file.string(), "the counter '" + counter.name + "' stands twice",
                          "every name once in all files", ""};
      }
      counters.push_back(std::move(counter));
    }
  }
  return counters;
}

std::vector<CountedFigure> counted_figures(const std::vector<Counter>& counters,
                                           const Figures& numbers, const Result::Profile& profile) {
  const Figures figures = figures_of(profile);
  std::vector<CountedFigure> found;
  for (const Counter& counter : counters) {
    double counted = 0;
    bool has_all = true;
    for (const std::string& column : counter.columns) {
      const auto number = numbers.find(column);
      has_all = has_all && number != numbers.end();
      if (has_all) counted += number->second;
    }
    if (!has_all || (!counter.local && local_traffic(counter, numbers) > 0)) continue;
    found.push_back({counter.name, own_figure(counter, figures, profile), counted});
  }
  return found;
}

}  // namespace forewarp::scores
