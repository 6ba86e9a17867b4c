// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "characterise/findings/fact_at_threads.h"
#include "characterise/findings/fact_comparison.h"

namespace forewarp::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr int digits = 6, thread_digits = 9;

/// How many facts there are of each kind.
struct Counts {
  std::size_t measured = 0, told = 0, taken = 0;
};

Counts counts_of(const Characterisation& found) {
  Counts counts;
  for (const FoundFact& fact : found.facts) {
    if (!fact.fact.text.empty()) continue;
    if (!fact.how.empty()) {
      ++counts.measured;
    } else if (fact.fact.confidence == Confidence::assumed) {
      ++counts.taken;
    } else {
      ++counts.told;
    }
  }
  return counts;
}

void add_row(std::string& out, const ComparedFact& row) {
  const FoundFact& found = *row.found;
  const bool other = !row.others.empty();
  out += fmt::format("  {:<30} {:>13} {:<10} {:>10} {:>13} {:>6}  {:<8} {}\n", found.path,
                     significant(found.fact.value, digits), found.fact.unit,
                     found.deviation ? significant(*found.deviation, 3) : "-",
                     other ? significant(row.others.front().value, digits) : "-",
                     other ? significant(row.others.front().ratio, 3) : "-",
                     verdict_name(row.verdict()),
                     found.tests.empty() ? "the driver" : join(found.tests, ", "));
  for (std::size_t i = 1; i < row.others.size(); ++i) {
    const OtherValue& value = row.others[i];
    out += fmt::format("  {:<30} {:>13} {:<10} {:>10} {:>13} {:>6}  {:<8} {}\n", "", "", "", "",
                       significant(value.value, digits), significant(value.ratio, 3),
                       verdict_name(value.verdict), value.source);
  }
}

Json others_as_json(const ComparedFact& row) {
  Json others = Json::array();
  for (const OtherValue& value : row.others) {
    others.push_back({{"value", value.value},
                      {"source", value.source},
                      {"ratio", value.ratio},
                      {"verdict", verdict_name(value.verdict)}});
  }
  return others;
}

Json there_as_json(const FoundFact& found, double threads) {
  const auto there = fact_at_threads(found, threads);
  if (!there) return {};
  return {{"threads", there->threads},
          {"value", there->mean},
          {"deviation", there->deviation ? Json(*there->deviation) : Json()}};
}

/// The numbers of threads in the grid with which it was measured.
Json threads_as_json(const FoundFact& found) {
  Json numbers = Json::array();
  const ConfigTable table = fact_over_threads(found);
  for (const ConfigValue& value : table.values()) numbers.push_back(value.threads);
  return numbers;
}

Json fact_as_json(const FoundFact& found) {
  Json json{{"path", found.path},
            {"value", found.fact.value},
            {"unit", found.fact.unit},
            {"deviation", found.deviation ? Json(*found.deviation) : Json()},
            {"source", found.fact.source},
            {"confidence", confidence_name(found.fact.confidence)},
            {"how", found.how},
            {"tests", found.tests},
            {"note", found.fact.note}};
  Json points = Json::array();
  for (const EstimatePoint& point : found.points) {
    points.push_back({{"config", point.config},
                      {"value", point.value},
                      {"deviation", point.deviation ? Json(*point.deviation) : Json()}});
  }
  json["points"] = std::move(points);
  return json;
}

void add_value_at(std::string& out, const FoundFact& fact, const ConfigValue& there) {
  out += fmt::format("  {:<30} {:>13} {:<10} {:>10} {:>13} threads\n", fact.path,
                     significant(there.mean, digits), fact.fact.unit,
                     there.deviation ? significant(*there.deviation, 3) : "-",
                     significant(there.threads, thread_digits));
}

void add_at_threads(std::string& out, const Characterisation& found, std::uint64_t asked) {
  const auto threads = static_cast<double>(asked);
  std::string inside, outside;
  for (const FoundFact& fact : found.facts) {
    const ConfigTable table = fact_over_threads(fact);
    if (table.values().empty()) continue;
    if (const auto there = fact_at_threads(fact, threads)) {
      add_value_at(inside, fact, *there);
    } else {
      const double least = table.values().front().threads, most = table.values().back().threads;
      outside +=
          fmt::format("  {:<30} {}{} threads\n", fact.path, significant(least, thread_digits),
                      most > least ? " to " + significant(most, thread_digits) : "");
    }
  }
  if (!inside.empty()) {
    out += fmt::format("with {} threads in the grid, or the nearest number that was measured:\n{}",
                       asked, inside);
  }
  if (!outside.empty()) {
    out +=
        fmt::format("{} threads in the grid are outside of what was measured:\n{}", asked, outside);
  }
  if (inside.empty() && outside.empty()) {
    out += fmt::format("{} threads in the grid: no number was measured over threads\n", asked);
  }
}

}  // namespace

std::string characterisation_as_text(const Characterisation& found, const Gpu& board,
                                     std::optional<std::uint64_t> threads) {
  const Counts counts = counts_of(found);
  std::string out =
      fmt::format("{} ({}){}{}: {} numbers measured, {} told by the driver, {} as {}\n", found.name,
                  found.device.cc.text(), found.device.date.empty() ? "" : ", ", found.device.date,
                  counts.measured, counts.told, counts.taken, found.like);
  out += fmt::format("  {:<30} {:>13} {:<10} {:>10} {:>13} {:>6}  {:<8} {}\n", "fact", "value",
                     "unit", "deviation", board.id, "ratio", "verdict", "from");
  for (const ComparedFact& row : compare_facts(found, board)) add_row(out, row);
  for (const FoundFact& fact : found.facts) {
    if (fact.fact.text.empty() && fact.fact.confidence == Confidence::assumed) {
      out += fmt::format("  {:<30} {:>13} {:<10} {}\n", fact.path,
                         significant(fact.fact.value, digits), fact.fact.unit, fact.fact.source);
    }
  }
  if (threads) add_at_threads(out, found, *threads);
  if (!found.gaps.empty()) out += fmt::format("not measured: {}\n", found.gaps.size());
  for (const FactGap& gap : found.gaps) {
    out += fmt::format("  {}: {}{}{}\n", gap.path, gap.reason,
                       gap.filled.empty() ? "" : "; taken instead: ", gap.filled);
  }
  for (const std::string& note : found.notes) out += "note: " + note + "\n";
  return out;
}

std::string characterisation_as_json(const Characterisation& found, const Gpu& board,
                                     std::optional<std::uint64_t> threads) {
  Json json{{"schema", "forewarp.characterisation/1"},
            {"name", found.name},
            {"device",
             {{"name", found.device.name},
              {"cc", found.device.cc.text()},
              {"backend", found.device.backend},
              {"date", found.device.date}}},
            {"like", found.like},
            {"compared_with", board.id}};
  Json facts = Json::array(), taken = Json::array(), gaps = Json::array();
  for (const ComparedFact& row : compare_facts(found, board)) {
    Json fact = fact_as_json(*row.found);
    fact["verdict"] = verdict_name(row.verdict());
    fact["others"] = others_as_json(row);
    if (threads) {
      fact["at_threads"] = there_as_json(*row.found, static_cast<double>(*threads));
      fact["measured_threads"] = threads_as_json(*row.found);
    }
    facts.push_back(std::move(fact));
  }
  for (const FoundFact& fact : found.facts) {
    if (fact.fact.text.empty() && fact.fact.confidence == Confidence::assumed) {
      taken.push_back({{"path", fact.path},
                       {"value", fact.fact.value},
                       {"unit", fact.fact.unit},
                       {"source", fact.fact.source}});
    }
  }
  for (const FactGap& gap : found.gaps) {
    gaps.push_back({{"path", gap.path}, {"reason", gap.reason}, {"filled", gap.filled}});
  }
  json["facts"] = std::move(facts);
  json["taken_over"] = std::move(taken);
  json["gaps"] = std::move(gaps);
  json["notes"] = found.notes;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace forewarp::cli
