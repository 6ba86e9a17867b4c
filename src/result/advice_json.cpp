// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "result/advice.h"
#include "result/json_number.h"

namespace forewarp::result {
namespace {

using Json = nlohmann::ordered_json;

Json edit_json(const Advice& advice, const Advice::Edit& edit) {
  Json json = {{"kind", edit.kind},
               {"edit", edit.text},
               {"reason", edit.reason},
               {"condition", edit.condition},
               {"evaluated", edit.how},
               {"file", edit.file},
               {"line", edit.line},
               {"source", edit.source},
               {"address", edit.address ? Json(hex(*edit.address)) : Json()}};
  const bool timed = edit.time_ms > 0;
  json["time_ms"] = timed ? json_number(edit.time_ms) : Json();
  json["interval_ms"] =
      timed ? Json{json_number(edit.interval_ms[0]), json_number(edit.interval_ms[1])} : Json();
  json["factor"] = timed ? json_number(advice.factor(edit)) : Json();
  json["limited_by"] = edit.limited_by;
  json["sure"] = edit.sure;
  json["refused"] = edit.refused;
  return json;
}

Json list_json(const Advice& advice, const std::vector<Advice::Edit>& edits) {
  Json list = Json::array();
  for (const Advice::Edit& edit : edits) list.push_back(edit_json(advice, edit));
  return list;
}

}  // namespace

std::string to_json(const Advice& advice) {
  const Result& now = advice.now;
  Json json = {{"schema", "forewarp.advice/1"},
               {"kernel", now.kernel.name},
               {"input", now.kernel.input},
               {"gpu", now.gpu.id},
               {"grid", now.launch.grid},
               {"block", now.launch.block},
               {"time_ms", json_number(now.time_ms)},
               {"interval_ms", {json_number(now.interval_ms[0]), json_number(now.interval_ms[1])}},
               {"limited_by", now.limited_by.resource},
               {"model", now.model},
               {"tool_version", now.tool_version}};
  json["gains"] = list_json(advice, advice.gains);
  json["others"] = list_json(advice, advice.others);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace forewarp::result
