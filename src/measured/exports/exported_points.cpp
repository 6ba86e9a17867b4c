// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <set>

#include "base/text.h"
#include "measured/exports/export_values.h"
#include "measured/exports/profiler_export.h"

namespace forewarp::measured {

namespace {

bool is_nsight_compute(ExportForm form) {
  return form == ExportForm::compute_wide || form == ExportForm::compute_details;
}

/// What the profiler's name says about how the launch ran, where the command line does not.
void set_conditions(ExportForm form, Case& request) {
  request.timing = Timing::device;
  if (!is_nsight_compute(form)) return;
  request.repeat = Repeat::cold;
  request.clock = ClockChoice{ClockChoice::Kind::base, 0};
}

std::vector<std::string> notes_of(const ProfilerExport& data, std::size_t other_kernels) {
  std::vector<std::string> notes;
  if (is_nsight_compute(data.form)) {
    notes.emplace_back(
        "Nsight Compute empties the caches before a launch and locks the clock to base unless told "
        "otherwise; --clock says what it was");
  }
  if (data.copies > 0) notes.push_back(std::to_string(data.copies) + " rows are no launches");
  if (other_kernels > 0) {
    notes.push_back(std::to_string(other_kernels) + " launches of other kernels are left out");
  }
  return notes;
}

MeasuredPoint point_of(const ExportedLaunch& launch, ExportForm form,
                       const MeasuredOptions& options) {
  const Case& defaults = options.defaults;
  MeasuredPoint point;
  Case& request = point.request;
  set_conditions(form, request);
  if (defaults.timing) request.timing = defaults.timing;
  if (defaults.repeat) request.repeat = defaults.repeat;
  if (defaults.clock) request.clock = defaults.clock;
  request.input = defaults.input;
  request.kernel = defaults.kernel.empty() ? launch.kernel : defaults.kernel;
  request.gpu = defaults.gpu.empty() ? launch.device : defaults.gpu;
  request.launch.grid = launch.grid;
  request.launch.block = launch.block;
  request.measured_ms = launch.time_ms;
  // A trace rounds it: what the command line says is exact.
  const bool stated = defaults.has_dynamic_shared || defaults.launch.dynamic_shared != 0;
  request.launch.dynamic_shared =
      stated ? defaults.launch.dynamic_shared
             : static_cast<std::uint32_t>(launch.dynamic_shared.value_or(0));
  request.has_dynamic_shared = stated || launch.dynamic_shared;
  point.registers = launch.registers;
  point.numbers = launch.numbers;
  return point;
}

/// Why a launch is no point that can be predicted.
std::optional<Diagnostic> fault_of(const ExportedLaunch& launch, const MeasuredOptions& options) {
  const Case& defaults = options.defaults;
  const bool sized = (launch.grid[0] != 0 || defaults.has_grid()) &&
                     (launch.block[0] != 0 || defaults.has_block());
  if (!sized) {
    return Diagnostic{"launch " + launch.id, "this form has no grid and block", "the launch",
                      "--launch FILE with grid and block"};
  }
  if (launch.dynamic_shared && !(*launch.dynamic_shared >= 0 && *launch.dynamic_shared < 1e9)) {
    return Diagnostic{"launch " + launch.id,
                      "dynamic shared memory of " + significant(*launch.dynamic_shared) + " bytes",
                      "a size", ""};
  }
  return {};
}

}  // namespace

Expected<MeasuredSet> exported_points(const ProfilerExport& data, const std::string& file,
                                      const MeasuredOptions& options) {
  const Case& defaults = options.defaults;
  if (defaults.input.empty()) {
    return Diagnostic{file, "is a profiler's export: it does not have the code",
                      "the kernel's code", "--code FILE"};
  }
  MeasuredSet set;
  set.name = set.title = std::filesystem::path(file).stem().string();
  std::set<std::string> ids;
  std::size_t others = 0;
  for (const ExportedLaunch& launch : data.launches) {
    const bool wanted =
        defaults.kernel.empty() || launch.kernel == exported_kernel_name(defaults.kernel);
    if (!wanted) {
      ++others;
      continue;
    }
    auto fault = fault_of(launch, options);
    MeasuredPoint point = fault ? MeasuredPoint{} : point_of(launch, data.form, options);
    point.fault = std::move(fault);
    point.id = set.name + "/" + launch.id;
    if (!ids.insert(point.id).second) {
      point.id += "#" + std::to_string(ids.size() + 1);
      ids.insert(point.id);
    }
    if (!point.fault && point.request.gpu.empty()) {
      return Diagnostic{file, "does not say which GPU was measured", "its name", "--gpu ID"};
    }
    set.points.push_back(std::move(point));
  }
  set.notes = notes_of(data, others);
  return set;
}

}  // namespace forewarp::measured
