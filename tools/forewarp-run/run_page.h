// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "program_run/run_report.h"

namespace forewarp::cli {

/// A page of its own (--format html), of processes and their summaries: per process its times, its
/// streams over time, and tables of kernels, of predicted launches and of copies.
[[nodiscard]] std::string run_page(const std::vector<program_run::Journal>& processes,
                                   const std::vector<program_run::RunSummary>& summaries);

}  // namespace forewarp::cli
