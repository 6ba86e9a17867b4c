// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/registry.h"
#include "trace/trace_format.h"

namespace forewarp::trace {

/// The trace formats, Forewarp's own first.
[[nodiscard]] Registry<TraceFormat> builtin_trace_formats();

}  // namespace forewarp::trace
