// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "measured/exports/export_form.h"
#include "measured/points/measured_set.h"

namespace forewarp::measured {

/// One launch as a profiler exported it. What the export's form does not have stays empty.
struct ExportedLaunch {
  std::string id;
  std::string kernel;  ///< without parameters, return type, namespaces and template arguments
  std::string device;
  Extent grid{0, 1, 1}, block{0, 1, 1};
  std::optional<double> time_ms, registers, dynamic_shared;
  std::map<std::string, double, std::less<>> numbers;  ///< counters, in base units (bytes, seconds)
};

struct ProfilerExport {
  ExportForm form = ExportForm::compute_wide;
  std::vector<ExportedLaunch> launches;
  std::size_t copies = 0;  ///< rows about memory operations, which are skipped
};

/// Whether a line of the text is the header of one of the forms.
[[nodiscard]] bool looks_like_export(std::string_view text);

/// Skips what the program or the profiler printed around the table. Refuses a text without a table,
/// an invalid grid, and a time whose unit is not known.
Expected<ProfilerExport> parse_export(std::string_view text, std::string_view file);

/// The launches as points; code, arguments, and the GPU where the form has none, are the options'
/// defaults. With a kernel among these only its launches are taken.
Expected<MeasuredSet> exported_points(const ProfilerExport& data, const std::string& file,
                                      const MeasuredOptions& options);

}  // namespace forewarp::measured
