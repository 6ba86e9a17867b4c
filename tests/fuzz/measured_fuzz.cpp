// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as measurements of every form: a table, a description of one, a tuner's results and
// its description of the kernel, a profiler's export, a list of counters. Each is a set or one
// line of text. A description and its table stand in one input, with a line of '%' between them.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "measured/described/set_description.h"
#include "measured/exports/profiler_export.h"
#include "measured/points/csv_table.h"
#include "measured/tuners/python_expression.h"
#include "measured/tuners/tuned_points.h"
#include "scores/counters.h"

namespace {

using namespace forewarp::tests;

void check_line(const Diagnostic& failure) {
  const std::string line = failure.line();
  if (line.empty() || line.find('\n') != std::string::npos) std::abort();
}

void check(const Expected<MeasuredSet>& set) {
  if (!set) {
    check_line(set.error());
    return;
  }
  for (const MeasuredPoint& point : set->points) {
    if (point.fault) check_line(*point.fault);
  }
}

/// No file is named, so that nothing is compiled or looked for.
MeasuredOptions options() {
  MeasuredOptions options;
  options.defaults.input = "/dev/null";
  options.defaults.gpu = "g";
  return options;
}

void read_described(std::string_view text) {
  const std::size_t cut = text.find("\n%\n");
  const auto about = parse_description(text.substr(0, cut), "d.toml");
  if (!about) {
    check_line(about.error());
    return;
  }
  if (cut == std::string_view::npos || about->code) return;
  const auto table = parse_csv(text.substr(cut + 3), "t.csv");
  if (!table) {
    check_line(table.error());
    return;
  }
  check(described_points(*about, *table, options()));
}

void read_tuned(std::string_view text) {
  const std::size_t cut = text.find("\n%\n");
  const auto results = parse_tuning_results(text.substr(0, cut), "r.json");
  if (!results) {
    check_line(results.error());
    return;
  }
  check(tuned_points(*results, nullptr, options()));
  if (cut == std::string_view::npos) return;
  const auto problem = parse_tuning_problem(text.substr(cut + 3), "p.json");
  if (!problem) {
    check_line(problem.error());
    return;
  }
  check(tuned_points(*results, &*problem, options()));
}

void read_export(std::string_view text) {
  const auto data = parse_export(text, "e.csv");
  if (data) {
    check(exported_points(*data, "e.csv", options()));
  } else {
    check_line(data.error());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_described(text);
  if (looks_like_tuning_results(text)) read_tuned(text);
  read_export(text);
  const auto counters = parse_counters(text, "c.toml");
  if (!counters) check_line(counters.error());
  const auto formula = formula_of(text);
  if (!formula) check_line(formula.error());
  return 0;
}
