// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "result/boards/workload_table.h"
#include "result/json_number.h"

namespace forewarp::result {
namespace {

using Json = nlohmann::ordered_json;

Json interval_json(const std::array<double, 2>& interval) {
  return {json_number(interval[0]), json_number(interval[1])};
}

Json cell_json(const WorkloadTable::Board& board, const WorkloadTable::Cell& cell) {
  if (cell.error) return {{"gpu", board.id}, {"error", cell.error->line()}};
  return {{"gpu", board.id},
          {"time_ms", json_number(cell.time_ms)},
          {"interval_ms", interval_json(cell.interval_ms)},
          {"share", json_number(cell.share)},
          {"limited_by", cell.limited_by},
          {"limited_share", json_number(cell.limit_share)},
          {"model", cell.model},
          {"measured_ms", json_number(cell.measured_ms)}};
}

}  // namespace

std::string to_json(const WorkloadTable& table) {
  Json json = {{"schema", "forewarp.workload/1"}, {"file", table.file}};
  json["boards"] = Json::array();
  for (const WorkloadTable::Board& board : table.boards) {
    json["boards"].push_back({{"gpu", board.id},
                              {"name", board.name},
                              {"total_ms", json_number(board.total_ms)},
                              {"interval_ms", interval_json(board.interval_ms)},
                              {"refused_launches", json_number(board.refused)},
                              {"measured_ms", json_number(board.measured_ms)}});
  }
  json["launches"] = Json::array();
  for (const WorkloadTable::Launch& launch : table.launches) {
    Json one = {{"id", launch.id},     {"kernel", launch.kernel}, {"input", launch.input},
                {"grid", launch.grid}, {"block", launch.block},   {"count", launch.count}};
    one["boards"] = Json::array();
    for (std::size_t i = 0; i < launch.cells.size(); ++i)
      one["boards"].push_back(cell_json(table.boards[i], launch.cells[i]));
    json["launches"].push_back(std::move(one));
  }
  json["notes"] = table.notes;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace forewarp::result
