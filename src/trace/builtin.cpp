// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/builtin.h"

#include <memory>

#include "trace/accel_sim_format.h"
#include "trace/forewarp_format.h"

namespace forewarp::trace {

Registry<TraceFormat> builtin_trace_formats() {
  Registry<TraceFormat> formats("trace format");
  formats.add(std::make_unique<ForewarpFormat>());
  formats.add(std::make_unique<AccelSimFormat>());
  return formats;
}

}  // namespace forewarp::trace
