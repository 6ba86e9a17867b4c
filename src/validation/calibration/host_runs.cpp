// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "validation/calibration/host_runs.h"

#include <cmath>
#include <optional>
#include <utility>

#include "base/text.h"
#include "measured/points/csv_table.h"

namespace forewarp::validation {
namespace {

constexpr double most = 1e18;  // bytes, calls or ms: a typing error above

std::optional<double> size_of(std::string_view text) {
  const auto number = parse_number(text);
  return number && *number >= 0 && *number <= most ? number : std::nullopt;
}

std::optional<HostCopy> copy_of(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ':');
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  const auto direction = direction_named(parts[0]);
  const auto bytes = size_of(parts[1]);
  const auto side =
      parts.size() < 3 ? std::optional(HostSide::pageable) : host_side_named(parts[2]);
  if (!direction || !bytes || !side) return std::nullopt;
  if (*side == HostSide::untouched && *direction == CopyDirection::to_device) return std::nullopt;
  return HostCopy{*direction, *side, *bytes};
}

/// Reads one cell; the text is what a wrong one should have been.
std::optional<std::string> read_cell(const std::string& column, std::string_view cell,
                                     HostRun& run) {
  if (column == "id") {
    run.id = cell;
    return std::nullopt;
  }
  if (column == "copies") {
    for (const std::string_view word : split(cell, ' ')) {
      if (trim(word).empty()) continue;
      const auto copy = copy_of(trim(word));
      if (!copy) return "h2d|d2h:BYTES[:pageable|pinned], or d2h:BYTES:untouched";
      run.copies.push_back(*copy);
    }
    return std::nullopt;
  }
  if (trim(cell).empty()) return std::nullopt;
  const auto number = size_of(trim(cell));
  if (!number) return "a number from 0 on";
  const std::pair<const char*, double HostRun::*> numbers[] = {{"kernel_ms", &HostRun::kernel_ms},
                                                               {"launches", &HostRun::launches},
                                                               {"calls", &HostRun::calls},
                                                               {"ms", &HostRun::ms}};
  for (const auto& [name, field] : numbers) {
    if (column == name) run.*field = *number;
  }
  return std::nullopt;
}

Expected<void> check_columns(const CsvTable& table, std::string_view file) {
  const std::vector<std::string> known{"id", "copies", "kernel_ms", "launches", "calls", "ms"};
  bool unknown = !table.column("ms");
  for (const std::string& column : table.columns) {
    bool found = false;
    for (const std::string& name : known) found = found || name == column;
    unknown = unknown || !found;
  }
  if (!unknown) return {};
  return Diagnostic{std::string(file), "the columns " + join(table.columns, ", "),
                    "ms and any of " + join(known, ", "), "see docs/hosts.md"};
}

}  // namespace

Expected<std::vector<HostRun>> parse_host_runs(std::string_view csv, std::string_view file) {
  const auto table = parse_csv(csv, file);
  if (!table) return table.error();
  if (auto fine = check_columns(*table, file); !fine) return fine.error();
  std::vector<HostRun> runs;
  for (std::size_t row = 0; row < table->rows.size(); ++row) {
    const std::string place = std::string(file) + ", row " + std::to_string(row + 1);
    HostRun run;
    for (std::size_t i = 0; i < table->columns.size(); ++i) {
      const std::string& cell = table->rows[row][i];
      if (const auto expected = read_cell(table->columns[i], cell, run)) {
        return Diagnostic{place, "'" + cell + "' in '" + table->columns[i] + "'", *expected, ""};
      }
    }
    if (run.ms <= 0) return Diagnostic{place, "no time", "ms above 0", ""};
    if (run.copies.empty() && run.launches <= 0 && run.calls <= 0) {
      return Diagnostic{place, "a run without copies, launches and calls", "one of them", ""};
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace forewarp::validation
