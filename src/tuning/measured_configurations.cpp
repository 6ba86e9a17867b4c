// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "tuning/measured_configurations.h"

#include <map>
#include <optional>

#include "base/text.h"
#include "measured/points/csv_table.h"
#include "measured/tuners/tuning_results.h"
#include "request/argument_text.h"

namespace forewarp::tuning {

namespace {

/// 16, 16.0 and " 16" are one value.
std::string plain_word(std::string_view word) {
  const std::string_view bare = trim(word);
  const auto number = parse_number(bare);
  if (number) return exact_text(*number);
  if (bare == "True" || bare == "true") return "1";
  if (bare == "False" || bare == "false") return "0";
  return std::string(bare);
}

/// Configurations by what their words mean.
class Places {
 public:
  explicit Places(const Tuning& tuning) {
    for (std::size_t i = 0; i < tuning.points.size(); ++i) {
      places_[key(tuning.points[i].words)] = i;
    }
  }
  [[nodiscard]] std::optional<std::size_t> find(const std::vector<std::string>& words) const {
    const auto found = places_.find(key(words));
    if (found == places_.end()) return {};
    return found->second;
  }

 private:
  static std::string key(const std::vector<std::string>& words) {
    std::string all;
    for (const std::string& word : words) all += plain_word(word) + '\n';
    return all;
  }
  std::map<std::string, std::size_t> places_;
};

class Collector {
 public:
  explicit Collector(const Tuning& tuning) : places_(tuning) {}

  void add(const std::vector<std::string>& words, double ms) {
    const auto place = places_.find(words);
    if (!place) {
      ++found_.elsewhere;
    } else {
      last_[*place] = ms;
    }
  }
  void fail(std::size_t rows = 1) { found_.failed += rows; }

  MeasuredConfigurations take() {
    for (const auto& [point, ms] : last_) found_.times.push_back({point, ms});
    return std::move(found_);
  }

 private:
  Places places_;
  std::map<std::size_t, double> last_;
  MeasuredConfigurations found_;
};

Expected<MeasuredConfigurations> from_table(std::string_view text, const std::string& file,
                                            const Tuning& tuning) {
  const auto table = parse_csv(text, file);
  if (!table) return table.error();
  std::vector<std::size_t> columns;
  for (const std::string& name : tuning.parameters) {
    const auto column = table->column(name);
    if (!column) {
      return Diagnostic{file, "has no column '" + name + "'",
                        "a column for each of " + join(tuning.parameters, ", "), ""};
    }
    columns.push_back(*column);
  }
  std::optional<std::size_t> time;
  for (const std::string_view name : {"time_ms", "measured_ms", "time"}) {
    if (!time) time = table->column(name);
  }
  if (!time) return Diagnostic{file, "has no column of times", "time_ms", ""};
  Collector collector(tuning);
  for (const auto& row : table->rows) {
    const auto ms = parse_number(trim(row[*time]));
    if (!ms || !(*ms > 0)) {
      collector.fail();
      continue;
    }
    std::vector<std::string> words;
    for (const std::size_t column : columns) words.push_back(row[column]);
    collector.add(words, *ms);
  }
  return collector.take();
}

Expected<MeasuredConfigurations> from_tuner(std::string_view text, const std::string& file,
                                            const Tuning& tuning) {
  const auto results = parse_tuning_results(text, file);
  if (!results) return results.error();
  Collector collector(tuning);
  collector.fail(results->failed);
  for (const TunedConfiguration& configuration : results->configurations) {
    std::vector<std::string> words;
    for (const std::string& name : tuning.parameters) {
      const std::string* word = nullptr;
      for (const auto& [own, value] : configuration.parameters) {
        if (own == name) word = &value;
      }
      if (word == nullptr) {
        return Diagnostic{file, "a configuration has no parameter '" + name + "'",
                          "all of " + join(tuning.parameters, ", "), ""};
      }
      words.push_back(*word);
    }
    collector.add(words, configuration.median_ms);
  }
  return collector.take();
}

}  // namespace

Expected<MeasuredConfigurations> parse_measured(std::string_view text, const std::string& file,
                                                const Tuning& tuning) {
  auto measured = looks_like_tuning_results(text) ? from_tuner(text, file, tuning)
                                                  : from_table(text, file, tuning);
  if (!measured) return measured;
  if (measured->times.empty()) {
    return Diagnostic{file, "holds no measured configuration of this space",
                      "rows whose parameters are among the configurations", ""};
  }
  return measured;
}

}  // namespace forewarp::tuning
