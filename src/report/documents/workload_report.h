// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/expected.h"
#include "report/text_style.h"
#include "result/boards/workload_table.h"

namespace forewarp::report {

/// Many launches on several boards: totals by board, then kernels by board with shares and what
/// limits each. Formats: text, markdown, json (schema forewarp.workload/1), csv (a row for each
/// launch on each board). An unknown format is a diagnostic that lists them.
Expected<std::string> render_workload(const WorkloadTable& table, std::string_view format,
                                      const TextStyle& style);

}  // namespace forewarp::report
