// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "prediction/launch.h"
#include "trace/trace_header.h"

namespace forewarp::driver {

/// Up to so many warp instructions, the whole grid is traced unless --sample or --budget say
/// otherwise.
inline constexpr std::uint64_t trace_budget = 4'000'000;

/// Where a trace goes, and how it is written.
struct TraceOptions {
  std::filesystem::path folder;
  std::string format = "forewarp";  ///< name of a trace format
};

/// What was written as a trace.
struct TraceSummary {
  TraceHeader header;
  std::uint64_t bytes = 0;         ///< size of its files
  std::vector<std::string> notes;  ///< what to know about the files, a sentence each
};

/// Executes the chosen blocks of a launch and writes what each warp did. Fails with one line that
/// says what stops it, and then leaves no files.
Expected<TraceSummary> trace_launch(const Launch& launch, const Query& query,
                                    const TraceOptions& order);

}  // namespace forewarp::driver
