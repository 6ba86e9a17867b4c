// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/outcome/outcome_json.h"

#include "base/checked_json.h"
#include "system/description/factors.h"

namespace forewarp::system {
namespace {

using Json = OrderedCheckedJson;

std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json timeline_json(const Timeline& timeline) {
  Json json = {{"lanes", timeline.lanes()}, {"segments", Json::array()}};
  for (const Segment& segment : timeline.segments()) {
    json["segments"].push_back({segment.lane, static_cast<int>(segment.activity), segment.name,
                                segment.begin, segment.end, segment.has_cause, segment.cause.lane,
                                segment.cause.at, segment.gpu, segment.bytes, segment.is_pinned});
  }
  return json;
}

Timeline timeline_from(const Json& json) {
  Timeline timeline;
  for (const Json& lane : json.at("lanes")) timeline.add_lane(lane.get<std::string>());
  for (const Json& row : json.at("segments")) {
    timeline.add({row.at(0), static_cast<Activity>(row.at(1).get<int>()), row.at(2), row.at(3),
                  row.at(4), Instant{row.at(6), row.at(7)}, row.at(5), row.at(8), row.at(9),
                  row.at(10)});
  }
  return timeline;
}

std::array<double, 2> pair_from(const Json& json) {
  return {json.at(0), json.at(1)};
}

Json kernel_json(const KnownKernel& one) {
  const PredictedKernel& kernel = one.predicted;
  return {{"kernel", kernel.name},
          {"time_s", kernel.seconds},
          {"interval_s", kernel.interval_s},
          {"launch", one.launch},
          {"memory_bytes", one.memory_bytes},
          {"costs_s", {kernel.costs.start_s, kernel.costs.call_s, kernel.costs.node_s}}};
}

KnownKernel kernel_from(const Json& json) {
  const Json& costs = json.at("costs_s");
  return {json.at("launch"),
          json.at("memory_bytes"),
          {json.at("time_s"),
           pair_from(json.at("interval_s")),
           json.at("kernel"),
           {costs.at(0), costs.at(1), costs.at(2)}}};
}

void read_answers(const Json& json, Outcome& outcome) {
  if (json.contains("interval_s")) {
    outcome.interval = {pair_from(json.at("interval_s")), json.at("interval_meaning")};
  }
  for (const Json& one : json.at("answers")) {
    outcome.answers.push_back({one.at("name"), one.at("value"), pair_from(one.at("interval"))});
  }
  for (const Json& one : json.at("kernels")) outcome.kernels.push_back(kernel_from(one));
}

void add_answers(const Outcome& outcome, Json& json) {
  if (outcome.interval) {
    json["interval_s"] = outcome.interval->seconds;
    json["interval_meaning"] = outcome.interval->meaning;
  }
  json["answers"] = Json::array();
  for (const AnswerOutcome& one : outcome.answers) {
    json["answers"].push_back(
        {{"name", one.name}, {"value", one.value}, {"interval", one.interval}});
  }
}

Outcome read(const Json& json) {
  Outcome outcome;
  outcome.system = json.at("system");
  outcome.application = json.at("application");
  if (!json.at("error").is_null()) {
    const Json& error = json.at("error");
    outcome.error =
        Diagnostic{error.at("place"), error.at("found"), error.at("expected"), error.at("way_out")};
    return outcome;
  }
  outcome.overall_s = json.at("time_s");
  read_answers(json, outcome);
  outcome.energy_j = json.at("energy_ws");
  outcome.failure_chance = json.at("failure_chance");
  for (const Json& one : json.at("failures")) {
    outcome.failures.push_back({one.at("what"), one.at("at_s")});
  }
  if (json.contains("broken_off")) {
    const Json& broken = json.at("broken_off");
    outcome.broken_off = {true, broken.at("repair_s"), broken.at("repair_w")};
  }
  outcome.bottleneck = json.at("bottleneck");
  outcome.messages = json.at("messages");
  const Json& reduces = json.at("all_reduces");
  outcome.reduces = {reduces.at("closed_form"),      reduces.at("disturbed"),
                     reduces.at("messages"),         reduces.at("library"),
                     reduces.at("library_messages"), reduces.at("reason")};
  for (const auto& [name, value] : json.at("variables").items()) {
    outcome.variables.emplace_back(name, value);
  }
  for (const Json& one : json.at("processes")) {
    outcome.processes.push_back(
        {one.at("name"), one.at("unit"), one.at("finish_s"), one.at("energy_ws")});
  }
  for (const Json& one : json.at("units")) {
    outcome.units.push_back({one.at("name"), one.at("busy_s"), one.at("energy_ws")});
  }
  for (const Json& one : json.at("critical_path")) {
    outcome.path.push_back({one.at("what"), one.at("seconds")});
  }
  outcome.assumptions = json.at("assumptions").get<std::vector<std::string>>();
  outcome.warnings = json.at("warnings").get<std::vector<std::string>>();
  outcome.said = json.at("printed").get<std::vector<std::string>>();
  if (json.contains("timeline")) outcome.timeline = timeline_from(json.at("timeline"));
  return outcome;
}

Json error_json(const std::optional<Diagnostic>& error) {
  if (!error) return nullptr;
  return {{"line", error->line()},
          {"place", error->place},
          {"found", error->found},
          {"expected", error->expected},
          {"way_out", error->way_out}};
}

}  // namespace

std::string to_json(const Outcome& outcome, bool timeline) {
  Json json = {{"schema", "forewarp.simulation/1"},
               {"system", outcome.system},
               {"application", outcome.application},
               {"error", error_json(outcome.error)}};
  if (outcome.error) return dumped(json, timeline ? -1 : 2);
  json["time_ms"] = outcome.overall_s * milli;
  json["time_s"] = outcome.overall_s;
  add_answers(outcome, json);
  json["energy_ws"] = outcome.energy_j;
  json["failure_chance"] = outcome.failure_chance;
  json["failures"] = Json::array();
  for (const FailureOutcome& one : outcome.failures) {
    json["failures"].push_back({{"what", one.what}, {"at_s", one.at_s}});
  }
  if (outcome.broken_off.is_so) {
    json["broken_off"] = {{"repair_s", outcome.broken_off.repair_s},
                          {"repair_w", outcome.broken_off.repair_w}};
  }
  json["bottleneck"] = outcome.bottleneck;
  json["messages"] = outcome.messages;
  json["all_reduces"] = {{"closed_form", outcome.reduces.closed},
                         {"disturbed", outcome.reduces.disturbed},
                         {"messages", outcome.reduces.messages},
                         {"library", outcome.reduces.library},
                         {"library_messages", outcome.reduces.library_messages},
                         {"reason", outcome.reduces.reason}};
  json["variables"] = Json::object();
  for (const auto& [name, value] : outcome.variables) json["variables"][name] = value;
  json["processes"] = Json::array();
  for (const ProcessOutcome& one : outcome.processes) {
    json["processes"].push_back({{"name", one.name},
                                 {"unit", one.unit},
                                 {"finish_s", one.finish_s},
                                 {"energy_ws", one.energy_j}});
  }
  json["units"] = Json::array();
  for (const UnitOutcome& one : outcome.units) {
    json["units"].push_back(
        {{"name", one.name}, {"busy_s", one.busy_s}, {"energy_ws", one.energy_j}});
  }
  json["critical_path"] = Json::array();
  for (const PathShare& one : outcome.path) {
    json["critical_path"].push_back({{"what", one.what}, {"seconds", one.seconds}});
  }
  json["assumptions"] = outcome.assumptions;
  json["warnings"] = outcome.warnings;
  json["kernels"] = Json::array();
  for (const KnownKernel& one : outcome.kernels) json["kernels"].push_back(kernel_json(one));
  json["printed"] = outcome.said;
  if (timeline) json["timeline"] = timeline_json(outcome.timeline);
  return dumped(json, timeline ? -1 : 2);
}

Expected<Outcome> outcome_from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return Diagnostic{"the simulation", "ended without an outcome", "", ""};
  try {
    return read(json);
  } catch (const Json::exception& fault) {
    return Diagnostic{"the simulation", std::string("has no readable outcome: ") + fault.what(), "",
                      ""};
  }
}

}  // namespace forewarp::system
