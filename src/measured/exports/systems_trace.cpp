// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "measured/exports/device_trace.h"
#include "measured/exports/export_form.h"
#include "measured/exports/export_values.h"
#include "measured/points/csv_table.h"

namespace forewarp::measured {
namespace {

/// "Duration (ns)" and its factor to base units.
struct Column {
  std::size_t index = 0;
  double factor = 1;
};

std::optional<Column> column_of(const CsvTable& table, std::string_view name, bool is_time) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::string_view column = table.columns[i];
    if (!column.starts_with(name)) continue;
    column.remove_prefix(name.size());
    if (column.empty() && !is_time) return Column{i, 1};
    if (!column.starts_with(" (") || !column.ends_with(')')) continue;
    const std::string_view unit = column.substr(2, column.size() - 3);
    if (is_time && !is_time_unit(unit)) return std::nullopt;
    return Column{i, unit_factor(unit)};
  }
  return std::nullopt;
}

class Rows {
 public:
  explicit Rows(const CsvTable& table) : table_(table) {}

  [[nodiscard]] std::string cell(const std::vector<std::string>& row, std::string_view name) const {
    const auto column = table_.column(name);
    return column ? row[*column] : std::string();
  }
  [[nodiscard]] std::optional<Extent> extent(const std::vector<std::string>& row,
                                             const char* axes) const {
    const std::string front(axes);
    return exported_extent(cell(row, front + "X") + "," + cell(row, front + "Y") + "," +
                           cell(row, front + "Z"));
  }

 private:
  const CsvTable& table_;
};

}  // namespace

Expected<DeviceTrace> parse_systems_trace(std::string_view csv, const std::string& file) {
  const auto found = find_table(csv);
  if (!found || found->form != ExportForm::systems_trace) {
    return Diagnostic{file, "has no table of what a GPU did",
                      "nsys stats --report cuda_gpu_trace --format csv", ""};
  }
  const auto table = parse_csv(found->text, file, CsvRows::short_too);
  if (!table) return table.error();
  const auto start = column_of(*table, "Start", true);
  const auto duration = column_of(*table, "Duration", true);
  const auto bytes = column_of(*table, "Bytes", false);
  if (!start || !duration) {
    return Diagnostic{file, "has no columns 'Start' and 'Duration' with a unit of time",
                      "Start (ns), Duration (ns)", ""};
  }
  const Rows rows(*table);
  DeviceTrace trace;
  trace.file = file;
  std::map<std::string, std::uint64_t> devices;
  for (const std::vector<std::string>& row : table->rows) {
    const auto begin = exported_number(row[start->index]);
    const auto took = exported_number(row[duration->index]);
    if (!begin || !took) continue;
    DeviceOperation one;
    const std::string name = rows.cell(row, "Name");
    one.begin_s = *begin * start->factor;
    one.end_s = one.begin_s + *took * duration->factor;
    one.device = devices.try_emplace(rows.cell(row, "Device"), devices.size()).first->second;
    one.stream = parse_natural(rows.cell(row, "Strm")).value_or(0);
    one.grid = rows.extent(row, "Grd");
    one.block = rows.extent(row, "Blk");
    if (one.grid) {
      one.name = exported_kernel_name(name);
    } else {
      one.name = name;
      const std::string from = rows.cell(row, "SrcMemKd"), to = rows.cell(row, "DstMemKd");
      name_copy(one, name + " (" + from + " -> " + to + ")");
      const auto size = bytes ? exported_number(row[bytes->index]) : std::nullopt;
      one.bytes = size ? *size * bytes->factor : 0;
    }
    trace.operations.push_back(std::move(one));
  }
  return finished_trace(std::move(trace));
}

}  // namespace forewarp::measured
