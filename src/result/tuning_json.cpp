// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "result/tuning_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "result/json_number.h"

namespace forewarp::result {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  return value == 0 ? Json(nullptr) : json_number(value);
}

/// A parameter's word: a number where it is one.
Json word_value(const std::string& word) {
  std::int64_t whole = 0;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), whole);
  if (failure == std::errc() && end == word.data() + word.size()) return whole;
  const auto value = parse_number(word);
  if (value && std::isfinite(*value)) return *value;
  return word;
}

Json configuration(const Tuning& tuning, const TunedPoint& point) {
  Json object = Json::object();
  for (std::size_t i = 0; i < tuning.parameters.size(); ++i) {
    object[tuning.parameters[i]] = word_value(point.words[i]);
  }
  return object;
}

const char* refusal_name(PointRefusal refused) {
  switch (refused) {
    case PointRefusal::no_launch:
      return "launch";
    case PointRefusal::no_code:
      return "compilation";
    case PointRefusal::no_prediction:
      return "prediction";
    case PointRefusal::none:
      break;
  }
  return "none";
}

const char* kind_name(TuningCorrection::Kind kind) {
  if (kind == TuningCorrection::Kind::residual) return "residual";
  return kind == TuningCorrection::Kind::factor ? "factor" : "none";
}

Json ranked(const Tuning& tuning, std::size_t index) {
  const TunedPoint& point = tuning.points[index];
  return {{"configuration", configuration(tuning, point)},
          {"expected_ms", number(point.expected_ms)},
          {"predicted_ms", number(point.predicted_ms)},
          {"interval_ms", {number(point.low_ms), number(point.high_ms)}},
          {"measured_ms", number(point.measured_ms)},
          {"refined", point.refined},
          {"limited_by", point.limited_by},
          {"warps_per_sm", point.warps_per_sm},
          {"waves", point.waves},
          {"registers", point.registers}};
}

Json correction_json(const TuningCorrection& correction) {
  return {{"kind", kind_name(correction.kind)},   {"measured", correction.measured},
          {"elsewhere", correction.elsewhere},    {"failed", correction.failed},
          {"factor", correction.factor},          {"error_before", correction.error_before},
          {"error_after", correction.error_after}};
}

Json size_value(const std::vector<std::string>& sizes) {
  Json list = Json::array();
  for (const std::string& size : sizes) {
    Json value = word_value(size);
    if (!value.is_number_integer()) return join(sizes, ", ");
    list.push_back(std::move(value));
  }
  if (list.empty()) return "";
  return list;
}

/// As Python writes the values one after the other.
std::string cache_key(const TunedPoint& point) {
  return join(point.words, ",");
}

const char* failed_time(PointRefusal refused) {
  if (refused == PointRefusal::no_code) return "CompilationFailedConfig";
  return refused == PointRefusal::no_launch ? "InvalidConfig" : "RuntimeFailedConfig";
}

Json cache_entry(const Tuning& tuning, const TunedPoint& point) {
  Json entry = configuration(tuning, point);
  if (point.predicted() || point.measured_ms > 0) {
    entry["time"] = point.expected_ms;
    entry["times"] = {point.expected_ms};
    entry["predicted_ms"] = number(point.predicted_ms);
    entry["limited_by"] = point.limited_by;
  } else {
    entry["time"] = failed_time(point.refused);
  }
  for (const char* spent :
       {"compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time"}) {
    entry[spent] = 0;
  }
  entry["timestamp"] = "1970-01-01T00:00:00+00:00";  // nothing ran
  return entry;
}

}  // namespace

std::string to_json(const Tuning& tuning, std::size_t top) {
  Json object;
  object["schema"] = "forewarp.tuning/1";
  object["tool_version"] = tuning.tool_version;
  object["options"] = tuning.options;
  object["title"] = tuning.title;
  object["kernel"] = tuning.kernel;
  object["gpu"] = tuning.gpu;
  Json& parameters = object["parameters"] = Json::object();
  for (std::size_t i = 0; i < tuning.parameters.size(); ++i) {
    Json& values = parameters[tuning.parameters[i]] = Json::array();
    for (const std::string& word : tuning.values[i]) values.push_back(word_value(word));
  }
  object["counts"] = {{"unrestricted", tuning.whole},
                      {"configurations", tuning.points.size()},
                      {"ranked", tuning.ranking.size()},
                      {"not_reached", tuning.not_reached}};
  object["correction"] = correction_json(tuning.correction);
  const std::size_t count = top == 0 ? tuning.ranking.size() : std::min(top, tuning.ranking.size());
  Json& ranking = object["ranking"] = Json::array();
  for (std::size_t i = 0; i < count; ++i) ranking.push_back(ranked(tuning, tuning.ranking[i]));
  Json& next = object["next"] = Json::array();
  for (const std::size_t index : tuning.next) next.push_back(ranked(tuning, index));
  Json& refused = object["refused"] = Json::array();
  for (const RefusedGroup& group : tuning.refusals) {
    refused.push_back(
        {{"at", refusal_name(group.refused)}, {"count", group.count}, {"reason", group.reason}});
  }
  object["notes"] = tuning.notes;
  return object.dump(1) + '\n';
}

std::string kernel_tuner_cache(const Tuning& tuning) {
  Json head;
  head["schema_version"] = "1.1.0";
  head["device_name"] = tuning.gpu_name;
  head["kernel_name"] = tuning.kernel;
  head["problem_size"] = size_value(tuning.problem_size);
  head["tune_params_keys"] = tuning.parameters;
  Json& values = head["tune_params"] = Json::object();
  for (std::size_t i = 0; i < tuning.parameters.size(); ++i) {
    Json& list = values[tuning.parameters[i]] = Json::array();
    for (const std::string& word : tuning.values[i]) list.push_back(word_value(word));
  }
  head["objective"] = "time";
  std::string text = "{\n";
  for (const auto& [key, value] : head.items()) {
    text += Json(key).dump() + ": " + value.dump() + ",\n";
  }
  text += "\"cache\": {";
  const char* between = "\n";
  for (const TunedPoint& point : tuning.points) {
    if (!point.reached) continue;
    text += between + Json(cache_key(point)).dump() + ": " + cache_entry(tuning, point).dump();
    between = ",\n";
  }
  return text + "\n}\n}\n";
}

}  // namespace forewarp::result
