// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "base/expected.h"
#include "measured/exports/device_trace.h"

namespace forewarp::cli {

/// Cases of kernels by name, each as a Lua table without its end: "input = '..', args = {..}".
using KernelCases = std::map<std::string, std::string>;

/// Lines of a file of cases (docs/cases.md) that name their kernel. A grid or block that a case
/// states stays; else those of the trace are used. Refused: a line that is no object with a kernel.
Expected<KernelCases> read_kernel_cases(const std::string& file);

/// The application that a trace shows, as a script: one process of the label TRACE gives all
/// operations to streams, each after the operation that ended last before it began, and after the
/// time that then passed with nothing of its own.
std::string trace_script(const DeviceTrace& trace, const KernelCases& cases);

/// Whether the file is a trace by its ending: .sqlite, .csv or .json.
[[nodiscard]] bool is_trace(const std::string& file);
Expected<DeviceTrace> read_device_trace(const std::string& file);

}  // namespace forewarp::cli
