// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "characterise/statistics/metric_sums.h"
#include "measured/exports/export_values.h"
#include "measured/exports/profiler_export.h"
#include "request/tables/field_reading.h"
#include "request/text/toml_value.h"
#include "stored_run.h"
#include "suite_plan.h"

namespace forewarp::cli {
namespace {

/// Columns of a profiler, which make a counter together.
struct CounterName {
  std::string name;
  std::vector<std::string> columns;
};

Expected<std::vector<CounterName>> counter_names(const std::string& text) {
  const ValueOrigin origin{"bench/counters.toml", 0, {}};
  const auto document = parse_toml(text, origin, "[counters]");
  if (!document) return document.error();
  std::vector<CounterName> names;
  const ValueCursor root(*document, origin);
  auto read = each_key(
      root, [&](const std::string& key, const ValueCursor& list, std::size_t i) -> Expected<void> {
        if (key != "counters") return root.unknown_key(i, {"counters"});
        return each_key(list,
                        [&](const std::string& name, const ValueCursor& columns,
                            std::size_t) -> Expected<void> {
                          names.push_back({name, {}});
                          return put(texts_of(columns), names.back().columns);
                        });
      });
  if (!read) return read.error();
  for (const MetricSum& sum : metric_sums()) {  // of nvprof
    names.push_back({std::string(sum.name), {sum.events.begin(), sum.events.end()}});
  }
  return names;
}

std::optional<double> counted(const ExportedLaunch& launch, const CounterName& counter) {
  double sum = 0;
  for (const std::string& column : counter.columns) {
    const auto found = launch.numbers.find(column);
    if (found == launch.numbers.end()) return {};
    sum += found->second;
  }
  return counter.columns.empty() ? std::nullopt : std::optional<double>(sum);
}

/// By its kernel and its shape; where an export has no shapes, by the kernel.
bool is_launch_of(const Wanted& wanted, const ExportedLaunch& launch, bool shapes) {
  const bool shape = launch.grid == wanted.launch.grid && launch.block == wanted.launch.block;
  return !wanted.test->copy && launch.kernel == exported_kernel_name(wanted.kernel()) &&
         (shape || !shapes);
}

void add_records(const Wanted& wanted, const ExportedLaunch& launch,
                 const std::vector<CounterName>& names, std::vector<Record>& into) {
  constexpr double us_per_s = 1e6;
  std::map<std::string, double> values;
  for (const CounterName& counter : names) {
    if (const auto value = counted(launch, counter)) values.try_emplace(counter.name, *value);
  }
  for (const auto& [name, value] : values) {
    Record record;
    record.test = wanted.test->id;
    record.config = wanted.launch.swept;
    if (name == "time") {
      if (wanted.test->timing != Timing::device) continue;
      record.quantity = name;
      record.unit = "us";
      record.samples = {{value * us_per_s, 1}};
    } else {
      record.quantity = (wanted.empty ? "empty/" : "count/") + name;
      record.unit = "1";
      record.samples = {{value, 1}};
    }
    into.push_back(std::move(record));
  }
}

}  // namespace

Expected<std::vector<Record>> counted_records(const std::vector<BenchTest>& tests,
                                              const StoredRun& run, const std::string& exported,
                                              const std::string& file, const std::string& names) {
  const auto counters = counter_names(names);
  if (!counters) return counters.error();
  const auto data = parse_export(exported, file);
  if (!data) return data.error();
  const auto plan = planned(tests, run.device);
  if (!plan) return plan.error();
  // Events of nvprof come without a shape: which launch is which says their order alone, if none is
  // missing.
  const bool shapes = data->form != ExportForm::nvprof_launches;
  const auto launches =
      std::ranges::count_if(*plan, [](const Wanted& wanted) { return !wanted.test->copy; });
  if (!shapes && data->launches.size() != static_cast<std::size_t>(launches)) {
    return Diagnostic{file, std::to_string(data->launches.size()) + " launches without their grids",
                      "all " + std::to_string(launches) + " of the tests, in their order",
                      "profile forewarp-bench run --profiled with the same tests"};
  }
  std::vector<Record> records;
  auto next = plan->begin();
  for (const ExportedLaunch& launch : data->launches) {
    next = std::find_if(next, plan->end(),
                        [&](const Wanted& wanted) { return is_launch_of(wanted, launch, shapes); });
    if (next == plan->end()) {
      return Diagnostic{file,
                        "launch " + launch.id + " of " + launch.kernel + " is none that follows",
                        "the launches of the tests in their order",
                        "profile forewarp-bench run --profiled with the same tests"};
    }
    add_records(*next, launch, *counters, records);
    ++next;
  }
  if (!records.empty()) return records;
  return Diagnostic{file, "counts nothing that an estimator knows",
                    "a metric of bench/counters.toml", "ncu --csv --page raw --metrics .."};
}

}  // namespace forewarp::cli
