// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "occupancy_table.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"
#include "occupancy_text.h"

namespace forewarp::cli {
namespace {

constexpr std::array<std::string_view, 7> column_names{
    "cc", "block", "regs", "static_smem", "dynamic_smem", "carveout_config", "block_barriers"};

using Columns = std::array<std::size_t, column_names.size()>;

/// The seven columns of one row, still as text but for the numbers behind the capability.
struct Row {
  std::string_view capability;
  std::array<std::int64_t, column_names.size() - 1> numbers{};
};

std::string all_columns() {
  std::string text = "the columns";
  for (const auto name : column_names) text += " " + std::string(name);
  return text;
}

Expected<Columns> find_columns(const std::string& place, std::string_view header) {
  const auto names = split(header, ',');
  Columns columns{};
  for (std::size_t i = 0; i < column_names.size(); ++i) {
    const auto at = std::find(names.begin(), names.end(), column_names[i]);
    if (at == names.end()) {
      return Diagnostic{place, fmt::format("no column '{}'", column_names[i]), all_columns(), ""};
    }
    columns[i] = static_cast<std::size_t>(at - names.begin());
  }
  return columns;
}

Expected<Row> read_row(const std::string& place, std::string_view line, const Columns& columns) {
  const auto fields = split(line, ',');
  Row row;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i] >= fields.size()) {
      return Diagnostic{place, fmt::format("no field '{}'", column_names[i]), "", ""};
    }
    const auto field = trim(fields[columns[i]]);
    if (i == 0) {
      row.capability = field;
      continue;
    }
    const auto number = parse_integer(field);
    if (!number || *number < -1 || *number > std::int64_t{unlimited}) {
      return Diagnostic{place, fmt::format("'{}' in column '{}'", field, column_names[i]),
                        "a whole number", ""};
    }
    row.numbers[i - 1] = *number;
  }
  return row;
}

BlockNeeds needs_of(const Row& row) {
  const auto number = [&row](std::size_t i) {
    return static_cast<std::uint32_t>(std::max<std::int64_t>(row.numbers[i], 0));
  };
  return {.threads = number(0),
          .registers = number(1),
          .static_shared = number(2),
          .dynamic_shared = number(3),
          .carveout_percent = static_cast<std::int32_t>(row.numbers[4]),
          .barriers = number(5)};
}

/// Limits by capability, each read once.
class LimitsCache {
 public:
  explicit LimitsCache(const HardwareDatabase& database) : database_(database) {}

  Expected<const SmLimits*> limits(std::string_view text) {
    if (const auto known = known_.find(text); known != known_.end()) return &known->second;
    const auto capability = parse_capability(text);
    if (!capability) return capability.error();
    auto read = database_.limits(*capability);
    if (!read) return read.error();
    return &known_.emplace(std::string(text), std::move(read).value()).first->second;
  }

 private:
  const HardwareDatabase& database_;
  std::map<std::string, SmLimits, std::less<>> known_;
};

Expected<std::string> answer_row(LimitsCache& cache, const Row& row) {
  const auto limits = cache.limits(row.capability);
  if (!limits) return limits.error();
  const auto found = occupancy(**limits, needs_of(row));
  std::string line(row.capability);
  for (const auto number : row.numbers) fmt::format_to(std::back_inserter(line), ",{}", number);
  return line +
         fmt::format(",{},{},{}\n", found.blocks, found.warps, limiters_text(found.limiters));
}

}  // namespace

Expected<std::string> occupancy_table(const HardwareDatabase& database, const std::string& path) {
  const auto content = read_file(path);
  if (!content) return content.error();
  LimitsCache cache(database);
  std::optional<Columns> columns;
  std::string text =
      fmt::format("{},blocks_per_sm,warps_per_sm,limiters\n", fmt::join(column_names, ","));
  std::size_t line_number = 0;
  for (const auto raw : split(*content, '\n')) {
    ++line_number;
    const auto line = trim(raw);
    if (line.empty() || line.starts_with('#')) continue;
    const auto place = place_in_file(path, line_number);
    if (!columns) {
      const auto found = find_columns(place, line);
      if (!found) return found.error();
      columns = *found;
      continue;
    }
    const auto row = read_row(place, line, *columns);
    if (!row) return row.error();
    const auto answer = answer_row(cache, *row);
    if (!answer) return answer.error();
    text += *answer;
  }
  if (!columns) return Diagnostic{path, "the table is empty", all_columns(), ""};
  return text;
}

}  // namespace forewarp::cli
