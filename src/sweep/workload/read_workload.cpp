// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "measured/exports/profiler_export.h"
#include "measured/measured_file.h"
#include "request/files/case_file.h"
#include "request/files/case_writer.h"
#include "sweep/workload/workload.h"

namespace forewarp::sweep {
namespace {

/// Gathers launches; those that are written alike are one.
class Gathering {
 public:
  explicit Gathering(Workload& workload) : workload_(workload) {}

  void add(Case request) {
    const double count = request.count.value_or(1);
    const auto measured = request.measured_ms;
    const std::string gpu = request.gpu;
    request.count.reset();
    request.measured_ms.reset();
    request.spread.reset();
    request.gpu.clear();
    request.group.clear();
    const std::string id = std::exchange(request.id, "");
    const auto [known, added] = places_.try_emplace(case_line(request), workload_.launches.size());
    if (added) {
      request.id = id;
      workload_.launches.push_back({std::move(request), 0, {}});
    }
    WorkloadLaunch& launch = workload_.launches[known->second];
    launch.count += count;
    if (!measured) return;
    auto& [launches, milliseconds] = launch.measured[gpu];
    launches += count;
    milliseconds += count * *measured;
  }

 private:
  Workload& workload_;
  std::map<std::string, std::size_t> places_;
};

Expected<void> gather_cases(std::string_view text, const std::string& file, const Case& defaults,
                            Gathering& gathering) {
  std::istringstream input{std::string(text)};
  CaseLines lines(input);
  CaseText line;
  while (lines.next(line)) {
    CaseLine parsed = parse_case(line, file);
    if (!parsed.parsed) return parsed.parsed.error();
    const std::string gpu = parsed.parsed->gpu;
    add_defaults(defaults, *parsed.parsed);
    parsed.parsed->gpu = gpu;
    gathering.add(*std::move(parsed.parsed));
  }
  return {};
}

Expected<void> gather_export(std::string_view text, const std::string& file, const Case& defaults,
                             Workload& workload, Gathering& gathering) {
  const auto data = parse_export(text, file);
  if (!data) return data.error();
  MeasuredOptions options;
  options.defaults = defaults;
  options.defaults.gpu.clear();
  // A form without the GPU's name says nothing of any board.
  const bool named =
      std::ranges::none_of(data->launches, &std::string::empty, &ExportedLaunch::device);
  if (!named) options.defaults.gpu = "-";
  auto set = exported_points(*data, file, options);
  if (!set) return std::move(set).error();
  for (MeasuredPoint& point : set->points) {
    if (point.fault) return *point.fault;
    add_defaults(options.defaults, point.request);
    if (!named) {
      point.request.gpu.clear();
      point.request.measured_ms.reset();
    }
    gathering.add(std::move(point.request));
  }
  workload.notes = std::move(set->notes);
  return {};
}

}  // namespace

Expected<Workload> parse_workload(std::string_view text, const std::string& file,
                                  const Case& defaults) {
  Workload workload;
  workload.file = file;
  Gathering gathering(workload);
  const auto read = looks_like_export(text)
                        ? gather_export(text, file, defaults, workload, gathering)
                        : gather_cases(text, file, defaults, gathering);
  if (!read) return read.error();
  if (workload.launches.empty()) {
    return Diagnostic{file, "holds no launch", "cases as JSON lines or a profiler's export", ""};
  }
  return workload;
}

Expected<Workload> read_workload(const std::string& file, const Case& defaults) {
  auto text = read_file(file);
  if (!text) return text.error();
  return parse_workload(*text, file, defaults);
}

std::string case_lines(const Workload& workload) {
  std::string text;
  for (const WorkloadLaunch& launch : workload.launches) {
    Case request = launch.request;
    request.count = launch.count;
    text += case_line(request) + '\n';
  }
  return text;
}

}  // namespace forewarp::sweep
