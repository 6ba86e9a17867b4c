// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "system/outcome/outcome.h"

namespace forewarp::system {

/// The timeline for chrome://tracing and Perfetto: one line per process and stream, times in
/// microseconds. Kernels and copies have the categories and arguments of PyTorch's profiler, so
/// that the file can be replayed (measured/exports/device_trace.h).
[[nodiscard]] std::string chrome_trace(const Outcome& outcome);

/// A picture: a row per process and stream, the critical path's kinds of work in colours. At most
/// 64 rows; segments that stand in the same pixel are one.
[[nodiscard]] std::string gantt_svg(const Outcome& outcome);

/// For ViTE and other readers of Paje: a container per process and stream with the state of what it
/// does.
[[nodiscard]] std::string paje_trace(const Outcome& outcome);

/// A picture for .svg, Paje for .paje, else for chrome://tracing.
[[nodiscard]] std::string timeline_text(const Outcome& outcome, const std::string& file);

}  // namespace forewarp::system
