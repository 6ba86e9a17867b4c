// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/measured_file.h"

#include <filesystem>
#include <set>
#include <sstream>

#include "base/file.h"
#include "base/text.h"
#include "measured/described/set_description.h"
#include "measured/exports/profiler_export.h"
#include "measured/points/csv_table.h"
#include "measured/tuners/tuned_points.h"
#include "request/files/case_file.h"

namespace forewarp::measured {

namespace {

namespace fs = std::filesystem;

MeasuredSet measured_cases(const std::string& file, const std::string& text) {
  MeasuredSet set;
  set.name = set.title = fs::path(file).stem().string();
  std::istringstream input(text);
  CaseLines lines(input);
  CaseText line;
  while (lines.next(line)) {
    CaseLine parsed = parse_case(line, file);
    MeasuredPoint point;
    point.id = set.name + "/" + (parsed.id.empty() ? std::to_string(line.line) : parsed.id);
    if (!parsed.parsed) {
      point.fault = parsed.parsed.error();
    } else if (!parsed.parsed->measured_ms) {
      point.fault = Diagnostic{place_in_file(file, line.line), "the case has no measured_ms",
                               "the time that it took", ""};
    } else {
      point.request = std::move(*parsed.parsed);
    }
    set.points.push_back(std::move(point));
  }
  return set;
}

Expected<MeasuredSet> described_set(const std::string& file, const std::string& text,
                                    const MeasuredOptions& options) {
  auto about = parse_description(text, file);
  if (!about) return std::move(about).error();
  const auto csv = find_table(*about, options);
  if (!csv) return csv.error();
  const auto content = read_file(*csv);
  if (!content) return content.error();
  const auto table = parse_csv(*content, *csv);
  if (!table) return table.error();
  return described_points(*about, *table, options);
}

Expected<MeasuredSet> read_by_content(const std::string& file, const std::string& text,
                                      const MeasuredOptions& options) {
  if (looks_like_tuning_results(text)) return read_tuning_results(file, text, options);
  const bool is_json = trim(text).starts_with('{');
  if (is_json && text.find("\"KernelSpecification\"") != std::string::npos) {
    return Diagnostic{file, "describes what is tuned (T1) and holds no measurement",
                      "results of a tuner or its cache file", "give it with --t1 beside them"};
  }
  if (is_json) return measured_cases(file, text);
  if (looks_like_export(text)) {
    const auto data = parse_export(text, file);
    if (!data) return data.error();
    return exported_points(*data, file, options);
  }
  return described_set(file, text, options);
}

}  // namespace

void add_defaults(const Case& defaults, Case& request) {
  if (request.input.empty()) request.input = defaults.input;
  if (request.kernel.empty()) request.kernel = defaults.kernel;
  if (!defaults.gpu.empty()) request.gpu = defaults.gpu;  // the option wins over every case
  if (!request.has_grid()) request.launch.grid = defaults.launch.grid;
  if (!request.has_block()) request.launch.block = defaults.launch.block;
  if (!request.has_dynamic_shared && defaults.has_dynamic_shared) {
    request.launch.dynamic_shared = defaults.launch.dynamic_shared;
    request.has_dynamic_shared = true;
  }
  if (request.resident_blocks == 0) request.resident_blocks = defaults.resident_blocks;
  const auto& options = defaults.compile_options;
  request.compile_options.insert(request.compile_options.end(), options.begin(), options.end());
  if (request.launch.arguments.empty()) request.launch.arguments = defaults.launch.arguments;
  if (request.launch.constants.empty()) request.launch.constants = defaults.launch.constants;
  if (!request.clock) request.clock = defaults.clock;
  if (!request.timing) request.timing = defaults.timing;
  if (!request.repeat) request.repeat = defaults.repeat;
}

Expected<MeasuredSet> read_measured(const std::string& file, const MeasuredOptions& options) {
  auto text = read_file(file);
  if (!text) return text.error();
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text->starts_with(byte_order_mark)) text->erase(0, byte_order_mark.size());
  auto set = read_by_content(file, *text, options);
  if (!set) return set;
  if (set->points.empty()) {
    return Diagnostic{file, "holds no measurement", "cases with measured_ms", ""};
  }
  std::set<std::string> ids;
  for (std::size_t i = 0; i < set->points.size(); ++i) {
    MeasuredPoint& point = set->points[i];
    add_defaults(options.defaults, point.request);
    // Ids of a file need not be unique: the place makes them so.
    if (!ids.insert(point.id).second) ids.insert(point.id += "#" + std::to_string(i + 1));
  }
  return set;
}

}  // namespace forewarp::measured
