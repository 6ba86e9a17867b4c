// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/tables/work_budget.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "embedded/work.h"
#include "request/tables/field_reading.h"
#include "request/text/toml_value.h"

namespace forewarp::request {
namespace {

constexpr std::string_view schema = "forewarp.work/1";

Expected<void> read_rates(const ValueCursor& table, WorkRates& into) {
  return each_key(
      table,
      [&](const std::string& key, const ValueCursor& value, std::size_t index) -> Expected<void> {
        if (key == "warp_instructions") return put(number_of(value), into.warp_instructions);
        if (key == "replayed_lines") return put(number_of(value), into.replayed_lines);
        if (key == "simulated_instructions") {
          return put(number_of(value), into.simulated_instructions);
        }
        if (key == "library_operations") return put(number_of(value), into.library_operations);
        return table.unknown_key(index, {"warp_instructions", "replayed_lines",
                                         "simulated_instructions", "library_operations"});
      });
}

Expected<void> read_cut(const ValueCursor& table, WorkRates& into) {
  return each_key(
      table,
      [&](const std::string& key, const ValueCursor& value, std::size_t index) -> Expected<void> {
        if (key == "factor") return put(number_of(value), into.cut_factor);
        return table.unknown_key(index, {"factor"});
      });
}

std::uint64_t count_of(double number) {
  return static_cast<std::uint64_t>(std::clamp(number, 1.0, 1e15));
}

double seconds_of(const PredictOptions& options) {
  return options.budget_seconds.value_or(usual_budget_seconds);
}

/// Whether the execution has no limit: the user chose the sample and gave no budget.
bool open_ended(const PredictOptions& options) {
  return options.sample.mode != SampleChoice::Mode::automatic && !options.budget_seconds;
}

constexpr double endless = 1e11;  // warp instructions: takes hours

}  // namespace

Expected<WorkRates> parse_work_rates(std::string_view toml, std::string_view file) {
  const ValueOrigin origin{std::string(file), 0, {}};
  auto table = parse_toml(toml, origin, "a table of rates in TOML");
  if (!table) return std::move(table).error();
  const ValueCursor root(*table, origin);
  WorkRates read;
  std::string found_schema, source;
  auto done = each_key(
      root,
      [&](const std::string& key, const ValueCursor& value, std::size_t index) -> Expected<void> {
        if (key == "schema") return put(text_of(value), found_schema);
        if (key == "source") return put(text_of(value), source);
        if (key == "rate") return read_rates(value, read);
        if (key == "cut") return read_cut(value, read);
        return root.unknown_key(index, {"schema", "source", "rate", "cut"});
      });
  if (!done) return done.error();
  if (found_schema != schema) {
    return root.refuse("the key 'schema' is '" + found_schema + "'",
                       "'" + std::string(schema) + "'");
  }
  if (!(read.warp_instructions > 0 && read.replayed_lines > 0 && read.simulated_instructions > 0 &&
        read.library_operations > 0)) {
    return root.refuse("a rate is missing or not above 0",
                       "warp_instructions, replayed_lines, simulated_instructions, "
                       "library_operations in [rate]");
  }
  if (!(read.cut_factor >= 1)) return root.refuse("the factor of [cut] is below 1", "1 or more");
  return read;
}

const WorkRates& own_work_rates() {
  static const WorkRates rates = [] {
    const auto read = parse_work_rates(embedded::work, "data/work.toml");
    assert(read && "data/work.toml is checked by the tests");
    return read ? *read : WorkRates{};
  }();
  return rates;
}

ExecutionBudget prediction_budget(const PredictOptions& options) {
  constexpr double sample_share = 0.1, execution_share = 0.8;
  const double all = seconds_of(options) * own_work_rates().warp_instructions;
  return {count_of(sample_share * all),
          count_of(open_ended(options) ? endless : execution_share * all)};
}

ExecutionBudget counting_budget(const PredictOptions& options, std::uint64_t usual) {
  const double rate = own_work_rates().warp_instructions;
  const double sample =
      options.budget_seconds ? *options.budget_seconds * rate : static_cast<double>(usual);
  constexpr double for_plan = 2;  // the plan may take half of all, see plan_part
  return {count_of(sample), count_of(open_ended(options) ? endless : for_plan * sample)};
}

double simulation_seconds(double warp_instructions) {
  return warp_instructions / own_work_rates().simulated_instructions;
}

}  // namespace forewarp::request
