// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/tuners/tuning_results.h"

#include <algorithm>
#include <cmath>

#include "base/statistics.h"
#include "base/text.h"
#include "request/tables/field_reading.h"
#include "request/text/json_value.h"

namespace forewarp::measured {

namespace {

using Kind = PlainValue::Kind;

/// Milliseconds in one of the unit; the schema's own examples spell one of them with a single l.
std::optional<double> milliseconds_in(std::string_view unit) {
  const std::string word = lower(unit);
  if (word == "ms" || word.starts_with("mil")) return 1;
  if (word == "us" || word.starts_with("mic")) return 1e-3;
  if (word == "ns" || word.starts_with("nano")) return 1e-6;
  if (word == "s" || word.starts_with("sec")) return 1e3;
  return {};
}

/// Kernel Tuner once wrote this for what failed.
bool is_time(const PlainValue& value) {
  constexpr double sentinel = 1e20;
  return value.is_number() && value.number() > 0 && value.number() < sentinel;
}

void summarise(const std::vector<double>& times, TunedConfiguration& configuration) {
  double sum = 0, squares = 0;
  for (const double time : times) sum += time;
  const double mean = sum / static_cast<double>(times.size());
  for (const double time : times) squares += (time - mean) * (time - mean);
  configuration.runs = times.size();
  configuration.median_ms = quantile(times, 0.5);
  if (times.size() > 1) {
    configuration.spread = std::sqrt(squares / static_cast<double>(times.size() - 1)) / mean;
  }
}

std::vector<double> times_of(const PlainValue* list, double unit) {
  std::vector<double> times;
  if (list == nullptr) return times;
  for (const PlainValue& item : list->items) {
    if (is_time(item)) times.push_back(item.number() * unit);
  }
  return times;
}

Expected<void> take_parameter(const ValueCursor& value, const std::string& name,
                              TunedConfiguration& configuration) {
  if (value.value().kind == Kind::boolean) {
    configuration.parameters.emplace_back(name, value.value().boolean ? "1" : "0");
    return {};
  }
  std::string& word = configuration.parameters.emplace_back(name, "").second;
  if (auto done = put(text_of(value), word); !done) return done;
  // 2.0 is no whole number for a compiler.
  const bool looks_whole = word.find_first_not_of("-0123456789") == std::string::npos;
  if (value.value().kind == Kind::floating && looks_whole) word += ".0";
  return {};
}

/// One entry of a cache file: parameters and figures stand side by side.
Expected<void> read_cached(const ValueCursor& entry, const std::vector<std::string>& keys,
                           TuningResults& results) {
  if (entry.value().kind != Kind::table) return entry.wrong("a configuration");
  const PlainValue* time = entry.value().find("time");
  auto times = times_of(entry.value().find("times"), 1);
  if (times.empty() && time != nullptr && is_time(*time)) times.push_back(time->number());
  if (time == nullptr || !is_time(*time) || times.empty()) {
    ++results.failed;
    return {};
  }
  TunedConfiguration configuration;
  for (const std::string& key : keys) {
    const auto& names = entry.value().keys;
    const auto found = std::find(names.begin(), names.end(), key);
    if (found == names.end())
      return entry.refuse("a configuration lacks '" + key + "'", "a value of it");
    const auto index = static_cast<std::size_t>(found - names.begin());
    if (auto done = take_parameter(entry.item(index), key, configuration); !done) return done;
  }
  summarise(times, configuration);
  results.configurations.push_back(std::move(configuration));
  return {};
}

Expected<void> read_problem_size(const ValueCursor& cursor, TuningResults& results) {
  if (cursor.value().kind == Kind::list) return put(texts_of(cursor), results.problem_size);
  return put(text_of(cursor), results.problem_size.emplace_back());
}

Expected<void> read_cache_file(const ValueCursor& root, TuningResults& results) {
  results.cache_file = true;
  std::vector<std::string> keys;
  auto head = each_key(
      root, [&](const std::string& key, const ValueCursor& value, std::size_t) -> Expected<void> {
        if (key == "device_name") return put(text_of(value), results.device);
        if (key == "kernel_name") return put(text_of(value), results.kernel);
        if (key == "problem_size") return read_problem_size(value, results);
        if (key == "tune_params_keys") return put(texts_of(value), keys);
        return {};
      });
  if (!head) return head;
  if (keys.empty()) return root.refuse("it names no parameters", "tune_params_keys");
  return each_key(root, [&](const std::string& key, const ValueCursor& cache, std::size_t) {
    if (key != "cache") return Expected<void>{};
    return each_key(cache, [&](const std::string&, const ValueCursor& entry, std::size_t) {
      return read_cached(entry, keys, results);
    });
  });
}

/// Runs where they stand, else the measurement called time.
Expected<std::vector<double>> result_times(const ValueCursor& result, double unit) {
  const PlainValue* all = result.value().find("times");
  auto times = times_of(all == nullptr ? nullptr : all->find("runtimes"), unit);
  const PlainValue* measurements = result.value().find("measurements");
  if (!times.empty() || measurements == nullptr) return times;
  for (const PlainValue& measurement : measurements->items) {
    const PlainValue* name = measurement.find("name");
    const PlainValue* value = measurement.find("value");
    const PlainValue* written = measurement.find("unit");
    if (name == nullptr || name->text != "time" || value == nullptr || !is_time(*value)) continue;
    const auto own = written == nullptr ? unit : milliseconds_in(written->text);
    if (!own)
      return result.refuse("the unit '" + written->text + "' is unknown", "ms, us, ns or s");
    times.push_back(value->number() * *own);
  }
  return times;
}

Expected<void> read_result(const ValueCursor& result, double unit, TuningResults& results) {
  if (result.value().kind != Kind::table) return result.wrong("a result");
  const PlainValue* invalidity = result.value().find("invalidity");
  const bool correct = invalidity == nullptr || invalidity->text == "correct";
  const auto times = result_times(result, unit);
  if (!times) return times.error();
  if (!correct || times->empty()) {
    ++results.failed;
    return {};
  }
  TunedConfiguration configuration;
  auto read = each_key(result, [&](const std::string& key, const ValueCursor& value, std::size_t) {
    if (key != "configuration") return Expected<void>{};
    return each_key(value, [&](const std::string& name, const ValueCursor& word, std::size_t) {
      return take_parameter(word, name, configuration);
    });
  });
  if (!read) return read;
  if (configuration.parameters.empty())
    return result.refuse("a result has no configuration", "one");
  summarise(*times, configuration);
  results.configurations.push_back(std::move(configuration));
  return {};
}

Expected<void> read_schema_results(const ValueCursor& root, TuningResults& results) {
  double unit = 1;
  const PlainValue* metadata = root.value().find("metadata");
  if (metadata != nullptr) {
    if (const PlainValue* word = metadata->find("timeunit")) {
      const auto known = milliseconds_in(word->text);
      if (!known) {
        return root.refuse("the time unit '" + word->text + "' is unknown",
                           "milliseconds, microseconds, nanoseconds or seconds");
      }
      unit = *known;
    }
    for (const std::string_view key : {"device_name", "device", "gpu"}) {
      const PlainValue* device = metadata->find(key);
      if (device != nullptr && results.device.empty()) results.device = device->text;
    }
  }
  return each_key(root, [&](const std::string& key, const ValueCursor& list, std::size_t) {
    if (key != "results") return Expected<void>{};
    return each_item(list,
                     [&](const ValueCursor& result) { return read_result(result, unit, results); });
  });
}

/// A cache file lacks its last two braces until its tuner is done.
Expected<PlainValue> parse_whole(std::string_view json, const ValueOrigin& origin) {
  auto value = parse_json(json, origin);
  if (value) return value;
  std::string_view cut = trim(json);
  while (cut.ends_with(',')) cut = trim(cut.substr(0, cut.size() - 1));
  auto closed = parse_json(std::string(cut) + "}}", origin);
  return closed ? std::move(closed) : std::move(value);
}

}  // namespace

bool looks_like_tuning_results(std::string_view json) {
  const auto has = [&](std::string_view key) { return json.find(key) != std::string_view::npos; };
  return trim(json).starts_with('{') && ((has("\"cache\"") && has("\"tune_params_keys\"")) ||
                                         (has("\"results\"") && has("\"configuration\"")));
}

Expected<TuningResults> parse_tuning_results(std::string_view json, const std::string& file) {
  TuningResults results;
  results.origin = {file, 0, std::filesystem::path(file).parent_path()};
  const auto value = parse_whole(json, results.origin);
  if (!value) return value.error();
  const ValueCursor root(*value, results.origin);
  auto read = value->find("cache") != nullptr ? read_cache_file(root, results)
                                              : read_schema_results(root, results);
  if (!read) return read.error();
  return results;
}

}  // namespace forewarp::measured
