// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "measured/described/set_description.h"
#include "measured/points/row_scope.h"
#include "measured/tuners/edited_source.h"
#include "request/files/case_fields.h"
#include "request/option_text.h"

namespace forewarp::measured {

namespace {

namespace fs = std::filesystem;
using Kind = PlainValue::Kind;

/// Keys whose texts are expressions.
bool is_numeric(std::string_view key) {
  constexpr std::string_view keys[] = {"grid",
                                       "block",
                                       "dynamic_shared",
                                       "resident_blocks",
                                       "spread",
                                       "buffer",
                                       "measured_ms",
                                       "clock_mhz",
                                       "overhead_us",
                                       "i32",
                                       "u32",
                                       "i64",
                                       "u64",
                                       "f32",
                                       "f64",
                                       "same",
                                       "bytes"};
  return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
}

PlainValue number_value(double number) {
  PlainValue value;
  const bool whole = number == std::floor(number) && std::fabs(number) < 9e15;
  value.kind = whole ? Kind::integer : Kind::floating;
  value.integer = whole ? static_cast<std::int64_t>(number) : 0;
  value.floating = number;
  return value;
}

/// A named clock is a word, all other texts where numbers are due are expressions.
bool is_clock_name(std::string_view key, const PlainValue& value) {
  return key == "clock_mhz" && value.kind == Kind::text &&
         (value.text == "base" || value.text == "boost" || value.text == "sustained" ||
          value.text == "load");
}

/// The pattern with this row's words and numbers in it.
Expected<PlainValue> filled(const PlainValue& pattern, bool numeric, RowScope& row) {
  PlainValue value = pattern;
  if (value.kind == Kind::text && numeric) {
    const auto number = row.value(value.text);
    if (!number) return number.error();
    return number_value(*number);
  }
  if (value.kind == Kind::text) {
    auto text = row.text(value.text);
    if (!text) return std::move(text).error();
    value.text = std::move(*text);
  }
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const bool keyed = value.kind == Kind::table;
    if (keyed && is_clock_name(value.keys[i], value.items[i])) continue;
    const bool number = keyed ? is_numeric(value.keys[i]) : numeric;
    auto item = filled(value.items[i], number, row);
    if (!item) return item;
    value.items[i] = std::move(*item);
  }
  return value;
}

class PointBuilder {
 public:
  PointBuilder(const SetDescription& about, const CsvTable& table, const MeasuredOptions& options)
      : about_(about), table_(table), options_(options), row_(table) {}

  Expected<MeasuredSet> build() {
    MeasuredSet set;
    set.name = about_.name;
    set.title = about_.title;
    set.source = about_.source;
    set.reference = about_.reference;
    set.left_out = about_.left_out;
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      number_ = i + 1;
      row_.load(i);
      auto wanted = begin_row();
      if (!wanted) return std::move(wanted).error();
      if (!*wanted) continue;
      if (auto found = find_sources(); !found) return found.error();
      set.points.push_back(point());
    }
    return set;
  }

 private:
  [[nodiscard]] Diagnostic at_row(Diagnostic fault) const {
    const std::string where = about_.csv + " row " + std::to_string(number_);
    fault.place = fault.place.empty() ? where : where + ": " + fault.place;
    return fault;
  }

  /// The files of this row's source; not found once is not found for the set.
  Expected<void> find_sources() {
    sources_.clear();
    if (!about_.code) return {};
    const SourceCode code = this->code();
    for (const std::string& pattern : code.files) {
      auto name = row_.text(pattern);
      if (!name) return at_row(std::move(name).error());
      const auto known = found_.find(*name);
      if (known == found_.end()) {
        auto file = find_source(*name);
        if (!file) return std::move(file).error();
        found_[*name] = *file;
      }
      sources_.push_back(found_[*name]);
    }
    return {};
  }

  [[nodiscard]] Expected<fs::path> find_source(const std::string& name) const {
    std::error_code ignored;
    for (const std::string& folder : options_.source_folders) {
      const fs::path file = fs::path(folder) / name;
      if (fs::exists(file, ignored)) return file;
    }
    return Diagnostic{about_.origin.file,
                      "the source '" + name + "' is in none of the folders of --sources",
                      "its public source (" + about_.source + ")", "--sources DIR"};
  }

  /// Derived columns; false: a condition leaves the row out.
  Expected<bool> begin_row() {
    for (const CutColumn& cut : about_.cuts) {
      const auto from = row_.text("{" + cut.from + "}");
      if (!from) return at_row(from.error());
      std::smatch match;
      const bool found = std::regex_search(*from, match, cut.pattern);
      row_.set_word(cut.column, found ? match[1].str() : std::string());
    }
    for (const WordTable& words : about_.words) {
      const bool made = words.from.find('{') != std::string::npos;
      const auto from = row_.text(made ? words.from : "{" + words.from + "}");
      if (!from) return at_row(from.error());
      std::string word = *from;
      for (const auto& [old, by] : words.words) {
        if (old == *from) word = by;
      }
      row_.set_word(words.column, std::move(word));
    }
    row_.set_word("arch", "{arch}");  // known with the GPU's file
    for (const auto& [column, expression] : about_.numbers) {
      if (auto parsed = row_.check(expression); !parsed) {
        Diagnostic fault = parsed.error();
        fault.place = about_.origin.file + ": numbers." + column;
        return fault;
      }
      const auto value = row_.value(expression);
      if (value) row_.set_number(column, *value);
    }
    for (const RowCondition& condition : about_.where) {
      auto held = holds(condition);
      if (!held) return held;
      if (!*held) return false;
    }
    return true;
  }

  Expected<bool> holds(const RowCondition& condition) {
    if (!condition.test.empty()) {
      const auto value = row_.value(condition.test);
      if (!value) return at_row(value.error());
      return *value != 0;
    }
    const std::string* word = row_.word(condition.column);
    if (word == nullptr) {
      return at_row({"", "there is no column '" + condition.column + "'", "",
                     "columns: " + join(table_.columns, ", ")});
    }
    const auto has = [&](const std::vector<std::string>& words) {
      return std::find(words.begin(), words.end(), *word) != words.end();
    };
    return (condition.among.empty() || has(condition.among)) && !has(condition.none_of);
  }

  MeasuredPoint point() {
    MeasuredPoint point;
    point.id = about_.name + "/" + std::to_string(number_);
    for (const std::string& column : table_.columns) {
      const double number = row_.number(column);
      if (std::isfinite(number)) point.numbers[column] = number;
    }
    if (auto done = fill(point); !done) point.fault = at_row(done.error());
    return point;
  }

  Expected<void> fill(MeasuredPoint& point) {
    for (const RowCondition& condition : about_.apart) {
      const auto held = holds(condition);
      if (!held) return held.error();
      if (*held && point.apart.empty()) point.apart = condition.name;
    }
    if (!about_.registers.empty()) {
      const double registers = row_.number(about_.registers);
      if (std::isfinite(registers)) point.registers = registers;
    }
    if (!about_.baseline_bytes.empty()) {
      const auto bytes = row_.value(about_.baseline_bytes);
      if (!bytes) return bytes.error();
      point.baseline_bytes = *bytes;
    }
    if (!about_.reference_ms.empty()) {
      const auto time = row_.value(about_.reference_ms);
      if (!time) return time.error();
      point.reference_ms = *time;
    }
    auto request = filled(pattern(), false, row_);
    if (!request) return request.error();
    auto read = read_case(*request, about_.origin, CaseScope::full_case);
    if (!read) return read.error();
    point.request = std::move(*read);
    if (!point.request.id.empty()) point.id = about_.name + "/" + point.request.id;
    return about_.code ? add_code(point.request) : Expected<void>{};
  }

  [[nodiscard]] bool applies(const WordCase& special) const {
    const std::string* word = row_.word(special.column);
    return word != nullptr && *word == special.word;
  }

  /// The description's case with the keys that it has for this row's words.
  [[nodiscard]] PlainValue pattern() const {
    PlainValue pattern = about_.request;
    for (const WordCase& special : about_.by_word) {
      if (!applies(special)) continue;
      for (std::size_t i = 0; i < special.request.keys.size(); ++i) {
        const auto found =
            std::find(pattern.keys.begin(), pattern.keys.end(), special.request.keys[i]);
        if (found == pattern.keys.end()) {
          pattern.keys.push_back(special.request.keys[i]);
          pattern.items.push_back(special.request.items[i]);
        } else {
          const auto index = static_cast<std::size_t>(found - pattern.keys.begin());
          pattern.items[index] = special.request.items[i];
        }
      }
    }
    return pattern;
  }

  /// The description's source code with what it has for this row's words.
  [[nodiscard]] SourceCode code() const {
    SourceCode code = *about_.code;
    for (const WordCase& special : about_.by_word) {
      if (!applies(special)) continue;
      const SourceCode& own = special.code;
      if (!own.files.empty()) code.files = own.files;
      if (!own.prepended.empty()) code.prepended = own.prepended;
      if (!own.appended.empty()) code.appended = own.appended;
      if (!own.defines.empty()) code.defines = own.defines;
      if (!own.options.empty()) code.options = own.options;
      if (!own.replacements.empty()) code.replacements = own.replacements;
    }
    return code;
  }

  Expected<void> add_code(Case& request) {
    const SourceCode code = this->code();
    for (const std::string& column : code.defines) {
      const std::string* word = row_.word(column);
      if (word == nullptr) return Diagnostic{"", "there is no column '" + column + "'", "", ""};
      request.compile_options.push_back("-D" + column + "=" + *word);
    }
    for (const std::string& option : code.options) {
      auto text = row_.text(option);
      if (!text) return text.error();
      request.compile_options.push_back(std::move(*text));
    }
    request.input = sources_.front().string();
    if (code.replacements.empty() && code.prepended.empty() && code.appended.empty() &&
        sources_.size() == 1) {
      return {};
    }
    Replacements replacements;
    for (const auto& [old, by] : code.replacements) {
      auto text = row_.text(by);
      if (!text) return text.error();
      replacements.emplace_back(old, std::move(*text));
    }
    auto before = row_.text(code.prepended);
    if (!before) return before.error();
    auto after = row_.text(code.appended);
    if (!after) return after.error();
    return make_copy(replacements, *before, *after, request);
  }

  /// One source of all parts, which find what they include where they stand.
  Expected<void> make_copy(const Replacements& replacements, const std::string& before,
                           const std::string& after, Case& request) const {
    std::string joined;
    for (const fs::path& source : sources_) {
      auto part = read_file(source);
      if (!part) return std::move(part).error();
      joined += *part;
      const std::string option = "-I" + fs::absolute(source).parent_path().string();
      auto& options = request.compile_options;
      if (std::find(options.begin(), options.end(), option) == options.end()) {
        options.push_back(option);
      }
    }
    const bool one = sources_.size() == 1;
    auto copy = edited_copy(std::move(joined), sources_.front().string(),
                            one ? sources_.front().extension().string() : ".cu", replacements,
                            before, after);
    if (!copy) return copy.error();
    request.input = std::move(*copy);
    return {};
  }

  const SetDescription& about_;
  const CsvTable& table_;
  const MeasuredOptions& options_;
  RowScope row_;
  std::map<std::string, fs::path> found_;
  std::vector<fs::path> sources_;  // of this row
  std::size_t number_ = 0;         // of the row, from 1
};

}  // namespace

Expected<std::string> find_table(const SetDescription& about, const MeasuredOptions& options) {
  std::vector<fs::path> places{about.origin.directory / about.csv};
  for (const std::string& folder : options.data_folders) {
    places.push_back(fs::path(folder) / about.csv);
  }
  std::error_code ignored;
  for (const fs::path& place : places) {
    if (fs::exists(place, ignored)) return place.string();
  }
  return Diagnostic{about.origin.file, "'" + about.csv + "' is neither beside it nor in --data",
                    "the measurements that it describes", "--data DIR"};
}

Expected<MeasuredSet> described_points(const SetDescription& about, const CsvTable& table,
                                       const MeasuredOptions& options) {
  return PointBuilder(about, table, options).build();
}

}  // namespace forewarp::measured
