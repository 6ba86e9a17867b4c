// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/exports/profiler_export.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "measured/exports/export_values.h"
#include "measured/points/csv_table.h"

namespace forewarp::measured {

namespace {

using Row = std::vector<std::string>;

/// Cells of a row by the names of the columns.
class ExportRows {
 public:
  explicit ExportRows(CsvTable table) : table_(std::move(table)) {}

  [[nodiscard]] const CsvTable& table() const { return table_; }
  [[nodiscard]] std::string_view cell(const Row& row, std::string_view column) const {
    const auto at = table_.column(column);
    return at ? std::string_view(row[*at]) : std::string_view();
  }

 private:
  CsvTable table_;
};

/// A figure that is also a fact of the launch, whatever the profiler's page calls it.
void take_figure(std::string_view name, double value, ExportedLaunch& launch) {
  constexpr double milliseconds = 1e3;
  if (name.starts_with("gpu__time_duration") || name == "Duration") {
    launch.time_ms = value * milliseconds;
  } else if (name == "launch__registers_per_thread" || name == "Registers Per Thread") {
    launch.registers = value;
  } else if (name == "launch__shared_mem_per_block_dynamic" ||
             name == "Dynamic Shared Memory Per Block") {
    launch.dynamic_shared = value;
  }
  launch.numbers[std::string(name)] = value;
}

Expected<ExportedLaunch> compute_launch(const ExportRows& rows, const Row& row,
                                        std::string_view file) {
  ExportedLaunch launch;
  launch.id = rows.cell(row, "ID");
  launch.kernel = exported_kernel_name(rows.cell(row, "Kernel Name"));
  const auto grid = exported_extent(rows.cell(row, "Grid Size"));
  const auto block = exported_extent(rows.cell(row, "Block Size"));
  if (!grid || !block) {
    return Diagnostic{std::string(file) + " launch " + launch.id,
                      "grid '" + std::string(rows.cell(row, "Grid Size")) + "' and block '" +
                          std::string(rows.cell(row, "Block Size")) + "'",
                      "(X, Y, Z)", ""};
  }
  launch.grid = *grid;
  launch.block = *block;
  return launch;
}

Expected<void> read_compute(const ExportRows& rows, std::string_view file, ProfilerExport& into) {
  const CsvTable& table = rows.table();
  const bool wide = into.form == ExportForm::compute_wide;
  Row units(table.columns.size());
  for (const Row& row : table.rows) {
    const std::string_view id = rows.cell(row, "ID");
    if (wide && id.empty()) units = row;
    if (id.empty() || rows.cell(row, "Kernel Name").empty()) continue;
    if (wide || into.launches.empty() || into.launches.back().id != id) {
      auto launch = compute_launch(rows, row, file);
      if (!launch) return std::move(launch).error();
      into.launches.push_back(std::move(*launch));
    }
    if (!wide) {
      const auto value = exported_number(rows.cell(row, "Metric Value"));
      const double factor = unit_factor(rows.cell(row, "Metric Unit"));
      const std::string_view name = rows.cell(row, "Metric Name");
      if (value && !name.empty()) take_figure(name, *value * factor, into.launches.back());
      continue;
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool metric = table.columns[i].find("__") != std::string::npos;
      const auto value = metric ? exported_number(row[i]) : std::nullopt;
      if (value)
        take_figure(table.columns[i], *value * unit_factor(units[i]), into.launches.back());
    }
  }
  return {};
}

/// "Duration (ns)", "Duration(nsec)", "Duration": the column and the unit that its name has.
struct NamedUnit {
  std::size_t column = 0;
  std::string unit;
};

std::optional<NamedUnit> column_with_unit(const CsvTable& table, std::string_view name) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::string_view column = table.columns[i];
    if (!column.starts_with(name)) continue;
    column = trim(column.substr(name.size()));
    if (column.empty()) return NamedUnit{i, ""};
    if (column.starts_with('(') && column.ends_with(')')) {
      return NamedUnit{i, std::string(column.substr(1, column.size() - 2))};
    }
  }
  return {};
}

/// The columns of a trace under the two tools' names.
struct TraceNames {
  std::array<std::string_view, 3> grid, block;
  std::string_view registers, dynamic_shared;
  bool binary;  // KB is 1024 bytes
};
constexpr TraceNames systems_names{
    {"GrdX", "GrdY", "GrdZ"}, {"BlkX", "BlkY", "BlkZ"}, "Reg/Trd", "DymSMem", false};
constexpr TraceNames nvprof_names{{"Grid X", "Grid Y", "Grid Z"},
                                  {"Block X", "Block Y", "Block Z"},
                                  "Registers Per Thread",
                                  "Dynamic SMem",
                                  true};

std::optional<Extent> extent_in(const ExportRows& rows, const Row& row,
                                const std::array<std::string_view, 3>& names) {
  std::string all;
  for (const std::string_view name : names) {
    all += (all.empty() ? "" : ",") + std::string(rows.cell(row, name));
  }
  return exported_extent(all);
}

std::optional<double> figure_in(const CsvTable& table, const Row& row, const Row& units,
                                std::string_view name, bool binary) {
  const auto found = column_with_unit(table, name);
  if (!found) return {};
  const auto value = exported_number(row[found->column]);
  if (!value) return {};
  const std::string& unit = found->unit.empty() ? units[found->column] : found->unit;
  return *value * unit_factor(unit, binary);
}

Expected<void> read_trace(const ExportRows& rows, std::string_view file, ProfilerExport& into) {
  const CsvTable& table = rows.table();
  const bool systems = into.form == ExportForm::systems_trace;
  const TraceNames& names = systems ? systems_names : nvprof_names;
  const auto duration = column_with_unit(table, "Duration");
  if (!duration) return Diagnostic{std::string(file), "has no column 'Duration'", "a trace", ""};
  Row units(table.columns.size());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Row& row = table.rows[i];
    if (!systems && i == 0 && is_time_unit(row[duration->column])) {
      units = row;
      continue;
    }
    const auto grid = extent_in(rows, row, names.grid);
    const auto block = extent_in(rows, row, names.block);
    if (!grid || !block) {
      ++into.copies;
      continue;
    }
    const std::string& unit = duration->unit.empty() ? units[duration->column] : duration->unit;
    if (!is_time_unit(unit)) {
      return Diagnostic{std::string(file), "the durations have the unit '" + unit + "'",
                        "ns, us, ms or s", ""};
    }
    ExportedLaunch launch;
    launch.id = systems ? rows.cell(row, "CorrId") : std::string_view();
    if (launch.id.empty()) launch.id = std::to_string(i + 1);
    launch.kernel = exported_kernel_name(rows.cell(row, "Name"));
    launch.device = exported_device(rows.cell(row, "Device"));
    launch.grid = *grid;
    launch.block = *block;
    constexpr double milliseconds = 1e3;
    const auto time = figure_in(table, row, units, "Duration", names.binary);
    if (time) launch.time_ms = *time * milliseconds;
    launch.registers = figure_in(table, row, units, names.registers, names.binary);
    launch.dynamic_shared = figure_in(table, row, units, names.dynamic_shared, names.binary);
    into.launches.push_back(std::move(launch));
  }
  return {};
}

/// A kernel's averages over its launches.
void read_metrics(const ExportRows& rows, ProfilerExport& into) {
  const bool events = rows.table().column("Event Name").has_value();
  for (const Row& row : rows.table().rows) {
    const std::string kernel = exported_kernel_name(rows.cell(row, "Kernel"));
    const std::string device = exported_device(rows.cell(row, "Device"));
    if (kernel.empty()) continue;
    auto found = std::find_if(into.launches.begin(), into.launches.end(), [&](const auto& launch) {
      return launch.kernel == kernel && launch.device == device;
    });
    if (found == into.launches.end()) {
      ExportedLaunch launch;
      launch.id = kernel;
      launch.kernel = kernel;
      launch.device = device;
      found = into.launches.insert(into.launches.end(), std::move(launch));
    }
    const auto value = exported_number(rows.cell(row, "Avg"));
    const std::string_view name = rows.cell(row, events ? "Event Name" : "Metric Name");
    if (value && !name.empty()) found->numbers[std::string(name)] = *value;
  }
}

/// "inst_executed (Instructions Executed)" is inst_executed.
void read_launch_metrics(const ExportRows& rows, ProfilerExport& into) {
  const CsvTable& table = rows.table();
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Row& row = table.rows[i];
    ExportedLaunch launch;
    launch.kernel = exported_kernel_name(rows.cell(row, "Kernel"));
    launch.device = exported_device(rows.cell(row, "Device"));
    if (launch.kernel.empty()) continue;
    launch.id = std::to_string(i + 1);
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string& name = table.columns[c];
      if (const auto value = exported_number(row[c])) {
        launch.numbers[name.substr(0, name.find(" ("))] = *value;
      }
    }
    into.launches.push_back(std::move(launch));
  }
}

}  // namespace

bool looks_like_export(std::string_view text) {
  return find_table(text).has_value();
}

Expected<ProfilerExport> parse_export(std::string_view text, std::string_view file) {
  const auto found = find_table(text);
  if (!found) {
    return Diagnostic{std::string(file), "has no table that a profiler writes",
                      "CSV of Nsight Compute, Nsight Systems or nvprof", ""};
  }
  auto table = parse_csv(found->text, file, CsvRows::short_too);
  if (!table) return std::move(table).error();
  const ExportRows rows(std::move(*table));
  ProfilerExport data;
  data.form = found->form;
  Expected<void> read;
  switch (data.form) {
    case ExportForm::compute_wide:
    case ExportForm::compute_details:
      read = read_compute(rows, file, data);
      break;
    case ExportForm::systems_trace:
    case ExportForm::nvprof_trace:
      read = read_trace(rows, file, data);
      break;
    case ExportForm::nvprof_metrics:
      read_metrics(rows, data);
      break;
    case ExportForm::nvprof_launches:
      read_launch_metrics(rows, data);
      break;
  }
  if (!read) return read.error();
  return data;
}

}  // namespace forewarp::measured
