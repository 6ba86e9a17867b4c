// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "suite_table.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>

#include <nlohmann/json.hpp>

#include "base/text.h"

namespace forewarp::cli {
namespace {

/// Energy and failure chance of runs so far of which none beats another: chance falls as energy
/// grows.
class Front {
 public:
  /// Whether a run seen before is as good in both.
  [[nodiscard]] bool beats(double energy, double chance) const {
    auto after = best_.upper_bound(energy);
    return after != best_.begin() && std::prev(after)->second <= chance;
  }
  void add(double energy, double chance) {
    auto at = best_.insert_or_assign(energy, chance).first;
    for (++at; at != best_.end() && at->second >= chance;) at = best_.erase(at);
  }

 private:
  std::map<double, double> best_;
};

auto criteria(const SuiteRun& run) {
  return std::tuple(run.time_s, run.energy_j, run.failure_chance);
}

}  // namespace

SuiteRun suite_run(std::string_view text) {
  using Json = nlohmann::json;
  SuiteRun run;
  const Json json = Json::parse(text, nullptr, false);
  try {
    run.time_s = json.at("time_s");
    run.energy_j = json.at("energy_ws");
    run.failure_chance = json.at("failure_chance");
    run.limited_by = json.at("bottleneck");
  } catch (const Json::exception&) {
    run.error =
        text.empty() ? "gave no answer" : std::string(trim(text.substr(0, text.find('\n'))));
    if (run.error.starts_with("forewarp: ")) run.error = run.error.substr(10);
  }
  return run;
}

void mark_best(std::vector<SuiteRun>& runs) {
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](std::size_t i) { return !runs[i].error.empty(); });
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return criteria(runs[a]) < criteria(runs[b]);
  });
  Front front;
  const SuiteRun* before = nullptr;
  for (const std::size_t i : order) {
    SuiteRun& run = runs[i];
    if (before != nullptr && criteria(*before) == criteria(run)) {
      run.is_best = before->is_best;  // alike in all: neither beats the other
    } else {
      run.is_best = !front.beats(run.energy_j, run.failure_chance);
    }
    if (run.is_best) front.add(run.energy_j, run.failure_chance);
    before = &run;
  }
}

ResultsTable suite_table(const std::vector<std::string>& axes,
                         const std::vector<std::vector<std::string>>& values,
                         const std::vector<SuiteRun>& runs) {
  constexpr double milli = 1e3;
  ResultsTable table;
  table.columns = axes;
  for (const char* name :
       {"time_ms", "energy_ws", "failure_chance", "best", "limited_by", "error"}) {
    table.columns.emplace_back(name);
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const SuiteRun& run = runs[i];
    TableRow row;
    for (const std::string& value : values[i]) {
      const auto number = parse_number(value);
      row.push_back(number ? TableCell(*number) : TableCell(value));
    }
    if (run.error.empty()) {
      row.insert(row.end(), {run.time_s * milli,
                             run.energy_j,
                             run.failure_chance,
                             std::string(run.is_best ? "yes" : "no"),
                             run.limited_by,
                             {}});
    } else {
      row.insert(row.end(), {{}, {}, {}, {}, {}, run.error});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string suite_text(const ResultsTable& table, const std::string& format) {
  if (format.empty() || format == "text") return aligned_text(table);
  std::vector<std::string> lines;
  for (const TableRow& row : table.rows) {
    lines.push_back(format == "csv" ? csv_line(row) : json_line(table.columns, row));
  }
  if (format == "json") return "[" + join(lines, ",\n ") + "]\n";
  if (format == "csv") lines.insert(lines.begin(), csv_header(table.columns));
  return join(lines, "\n") + "\n";
}

}  // namespace forewarp::cli
