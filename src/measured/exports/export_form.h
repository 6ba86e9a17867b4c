// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace forewarp::measured {

enum class ExportForm {
  compute_wide,     ///< Nsight Compute, --csv --page raw: a column for each metric
  compute_details,  ///< Nsight Compute, --csv: a row for each metric
  systems_trace,    ///< nsys stats --report cuda_gpu_trace --format csv
  nvprof_trace,     ///< nvprof --csv --print-gpu-trace
  nvprof_metrics,   ///< nvprof --csv --metrics: a row for each kernel and metric
  nvprof_launches,  ///< nvprof --csv --print-gpu-trace --metrics: a column for each metric
};

/// The table in a profiler's output: header and rows, without what it prints around them.
struct FoundTable {
  ExportForm form = ExportForm::compute_wide;
  std::string text;
};

/// Begins at the first line that is the header of one of the forms, ends at an empty line.
[[nodiscard]] std::optional<FoundTable> find_table(std::string_view text);

}  // namespace forewarp::measured
