// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <nlohmann/json.hpp>

#include "result/comparison.h"
#include "result/json_number.h"
#include "result/result_json.h"

namespace forewarp::result {
namespace {

using Json = nlohmann::ordered_json;

Json factor_json(const TimeFactor& factor) {
  Json json{{"id", factor.id}, {"label", factor.label}, {"factor", json_number(factor.factor)}};
  if (!factor.unit.empty()) {
    json["a"] = json_number(factor.before);
    json["b"] = json_number(factor.after);
    json["unit"] = factor.unit;
  }
  return json;
}

Json pair_json(const Comparison& pair) {
  Json factors = Json::array();
  for (const TimeFactor& factor : pair.factors) factors.push_back(factor_json(factor));
  return {{"id", pair.id},
          {"answer", pair.answer},
          {"ratio", pair.compared() ? json_number(pair.ratio) : Json(nullptr)},
          {"sure", pair.sure},
          {"factors", std::move(factors)},
          {"reasons", pair.reasons},
          {"a", Json::parse(to_json(pair.a, JsonStyle::lean()))},
          {"b", Json::parse(to_json(pair.b, JsonStyle::lean()))}};
}

}  // namespace

std::string to_json(const Comparisons& comparisons) {
  Json pairs = Json::array();
  for (const Comparison& pair : comparisons.pairs) pairs.push_back(pair_json(pair));
  Json json{{"schema", "forewarp.comparison/1"}};
  json["pairs"] = std::move(pairs);
  json["vanished"] = comparisons.vanished;
  json["added"] = comparisons.added;
  json["fail_above"] =
      comparisons.fail_above < 0 ? Json(nullptr) : json_number(comparisons.fail_above);
  json["failures"] = comparisons.failures;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace forewarp::result
