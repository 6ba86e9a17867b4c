// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "result/validation_json.h"

#include <limits>

#include <nlohmann/json.hpp>

#include "base/checked_json.h"
#include "result/json_number.h"

namespace forewarp::result {

namespace {

using Json = nlohmann::ordered_json;

/// The members of a point by name; `use` is called with the name and a reference to the member.
template <typename Point, typename Use>
void each_member(Point& point, Use use) {
  use("id", point.id);
  use("gpu", point.gpu);
  use("kernel", point.kernel);
  use("group", point.group);
  use("apart", point.apart);
  use("error", point.error);
  use("measured_ms", point.measured_ms);
  use("spread", point.spread);
  use("predicted_ms", point.predicted_ms);
  use("low_ms", point.low_ms);
  use("high_ms", point.high_ms);
  use("interval_class", point.interval_class);
  use("limited_by", point.limited_by);
  use("limit_label", point.limit_label);
  use("warps_per_sm", point.warps_per_sm);
  use("waves", point.waves);
  use("registers", point.registers);
  use("bytes", point.bytes);
  use("gbs", point.gbs);
  use("reference_ms", point.reference_ms);
  use("counters", point.counters);
  use("model_ms", point.model_ms);
}

struct MemberWriter {
  Json& object;
  void operator()(const char* name, const std::string& text) const { object[name] = text; }
  void operator()(const char* name, double value) const { object[name] = json_number(value); }
  void operator()(const char* name, std::uint32_t value) const { object[name] = value; }
  void operator()(const char* name, const std::map<std::string, double>& values) const {
    Json& list = object[name] = Json::object();
    for (const auto& [key, value] : values) list[key] = json_number(value);
  }
  void operator()(const char* name, const std::vector<CountedFigure>& figures) const {
    Json& list = object[name] = Json::object();
    for (const CountedFigure& figure : figures) {
      list[figure.counter] = {json_number(figure.own), json_number(figure.counted)};
    }
  }
};

struct MemberReader {
  const OrderedCheckedJson& object;
  template <typename T>
  void operator()(const char* name, T& member) const {
    object.at(name).get_to(member);
  }
  void operator()(const char* name, double& member) const {
    const OrderedCheckedJson& value = object.at(name);  // null: was not finite
    member = value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
  }
  void operator()(const char* name, std::vector<CountedFigure>& figures) const {
    for (const auto& [counter, pair] : object.at(name).items()) {
      figures.push_back({counter, pair.at(0).get<double>(), pair.at(1).get<double>()});
    }
  }
};

Json json_of(const ScoredPoint& point) {
  Json object = Json::object();
  each_member(point, MemberWriter{object});
  return object;
}

Json json_of(const ScoreLine& line) {
  const Scores& s = line.scores;
  return {{"part", line.part.empty() ? "judged" : line.part},
          {"gpu", line.gpu},
          {"kernel", line.kernel},
          {"points", s.points},
          {"refused", line.refused},
          {"mape", json_number(s.mape)},
          {"bias", json_number(s.bias)},
          {"ratio", json_number(s.ratio)},
          {"p90", json_number(s.p90)},
          {"worst", json_number(s.worst)},
          {"scaled_mape", json_number(s.scaled_mape)},
          {"spearman", json_number(s.spearman)},
          {"kendall", json_number(s.kendall)},
          {"regret_1", json_number(s.regret_1)},
          {"regret_5", json_number(s.regret_5)},
          {"regret_10", json_number(s.regret_10)},
          {"coverage", json_number(s.coverage)},
          {"width", json_number(s.width)}};
}

Json json_of(const ModelLine& line) {
  return {{"gpu", line.gpu},
          {"model", line.model},
          {"points", line.scores.points},
          {"mape", json_number(line.scores.mape)},
          {"bias", json_number(line.scores.bias)},
          {"spearman", json_number(line.scores.spearman)}};
}

Json json_of(const BaselineLine& line) {
  return {{"name", line.name},
          {"sentence", line.sentence},
          {"mape", json_number(line.mape)},
          {"spearman", json_number(line.spearman)}};
}

Json json_of(const ReferenceLine& line) {
  return {{"kernel", line.kernel},
          {"points", line.points},
          {"mape", json_number(line.mape)},
          {"mae_ms", json_number(line.mae_ms)},
          {"rmse_ms", json_number(line.rmse_ms)},
          {"own_mape", json_number(line.own_mape)},
          {"own_scaled", json_number(line.own_scaled)}};
}

Json json_of(const GroupLine& line) {
  return {{"part", line.part.empty() ? "judged" : line.part},
          {"group", line.group},
          {"points", line.points},
          {"measured_ms", json_number(line.measured_ms)},
          {"predicted_ms", json_number(line.predicted_ms)},
          {"mape", json_number(line.mape)}};
}

Json json_of(const CounterLine& line) {
  const bool judged = line.goal > 0 && line.points > 0;
  return {{"counter", line.counter},
          {"points", line.points},
          {"median", json_number(line.median)},
          {"mean", json_number(line.mean)},
          {"p10", json_number(line.p10)},
          {"p90", json_number(line.p90)},
          {"worst", json_number(line.worst)},
          {"others", line.others},
          {"others_median", json_number(line.others_median)},
          {"goal", json_number(line.goal)},
          {"holds", judged ? Json(line.holds()) : Json(nullptr)}};
}

template <typename T>
Json json_list(const std::vector<T>& items) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(json_of(item));
  return list;
}

std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string to_json(const Validation& validation) {
  Json sets = Json::array();
  for (const ValidatedSet& set : validation.sets) {
    sets.push_back({{"name", set.name},
                    {"title", set.title},
                    {"source", set.source},
                    {"lines", json_list(set.lines)},
                    {"models", json_list(set.models)},
                    {"baselines", json_list(set.baselines)},
                    {"reference", set.reference},
                    {"references", json_list(set.references)},
                    {"groups", json_list(set.groups)},
                    {"counters", json_list(set.counters)},
                    {"notes", set.notes},
                    {"points", json_list(set.points)}});
  }
  const Json all{{"schema", "forewarp.validation/1"},
                 {"options", validation.options},
                 {"sets", sets},
                 {"tool_version", validation.tool_version}};
  return dumped(all, 1) + "\n";
}

std::string point_line(const ScoredPoint& point, std::string_view key) {
  Json object{{"key", key}};
  each_member(point, MemberWriter{object});
  return dumped(object, -1);
}

std::optional<KeyedPoint> read_point_line(std::string_view line) {
  const OrderedCheckedJson object = OrderedCheckedJson::parse(line, nullptr, false);
  if (!object.is_object()) return {};
  KeyedPoint keyed;
  try {
    object.at("key").get_to(keyed.key);
    each_member(keyed.point, MemberReader{object});
  } catch (const OrderedCheckedJson::exception&) {
    return {};  // a line of another version, or cut off
  }
  return keyed;
}

}  // namespace forewarp::result
