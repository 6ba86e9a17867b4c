// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0

#include <nlohmann/json.hpp>

#include "result/boards/board_table.h"
#include "result/json_number.h"

namespace forewarp::result {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* energy_method =
    "watts x time of the kernel; watts: standing, of the clock, and of every instruction and byte, "
    "at most limit_w; joules_range: standing power over the shortest time to limit_w over the "
    "longest; power_measured: the numbers were fitted to this board's measured power";

Json assumptions_json(const Result& result) {
  Json list = Json::array();
  for (const Result::Assumption& a : result.assumptions) {
    list.push_back({{"id", a.id}, {"text", a.text}, {"change_with", a.change_with}});
  }
  return list;
}

Json row_json(const BoardTable::Row& row) {
  const Result& r = row.result;
  return {{"gpu", r.gpu.id},
          {"name", r.gpu.name},
          {"cc", r.gpu.cc},
          {"sms", r.gpu.sms},
          {"clock_mhz", json_number(r.gpu.clock_mhz)},
          {"time_ms", json_number(r.time_ms)},
          {"interval_ms", {json_number(r.interval_ms[0]), json_number(r.interval_ms[1])}},
          {"interval_class", r.interval_class},
          {"model", r.model},
          {"limited_by", r.limited_by.resource},
          {"limited_share", json_number(r.limited_by.share)},
          {"watts", json_number(row.watts)},
          {"limit_w", json_number(r.power.limit_w)},
          {"joules", json_number(row.joules)},
          {"joules_range", {json_number(row.joules_range[0]), json_number(row.joules_range[1])}},
          {"power_measured", row.measured_power},
          {"bandwidth_gbs", json_number(row.bandwidth_gbs)},
          {"bandwidth_from", row.bandwidth_from},
          {"bandwidth_source", row.bandwidth_source},
          {"unsure_rank", row.unsure_rank},
          {"price_per_hour", json_number(row.price_per_hour)},
          {"cost_per_1000", json_number(row.cost_per_1000)},
          {"front", row.front},
          {"assumptions", assumptions_json(r)}};
}

}  // namespace

std::size_t BoardTable::asked() const {
  std::size_t count = rows.size();
  for (const Refused& reason : refused) count += reason.ids.size();
  return count;
}

std::string to_json(const BoardTable& table) {
  Json json = {{"schema", "forewarp.gpus/1"}};
  if (!table.rows.empty()) {
    const Result& first = table.rows.front().result;
    json["kernel"] = first.kernel.name;
    json["input"] = first.kernel.input;
    json["grid"] = first.launch.grid;
    json["block"] = first.launch.block;
    json["timing"] = first.timing;
    json["tool_version"] = first.tool_version;
  }
  json["closer_look"] = table.closer_look;
  json["energy_method"] = energy_method;
  json["prices"] = table.prices;
  json["boards"] = Json::array();
  for (const BoardTable::Row& row : table.rows) json["boards"].push_back(row_json(row));
  json["refused"] = Json::array();
  for (const BoardTable::Refused& reason : table.refused) {
    json["refused"].push_back(
        {{"reason", reason.reason}, {"way_out", reason.way_out}, {"gpus", reason.ids}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace forewarp::result
