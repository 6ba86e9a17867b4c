// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as a trace of a device, in both forms: operations in order, or one line of text.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "measured/exports/device_trace.h"

namespace {

using forewarp::measured::DeviceTrace;

void check(const forewarp::base::Expected<DeviceTrace>& trace) {
  if (!trace) {
    const std::string line = trace.error().line();
    if (line.empty() || line.find('\n') != std::string::npos) std::abort();
    return;
  }
  double before = trace->operations.front().begin_s;
  for (const auto& one : trace->operations) {
    if (!(one.end_s >= one.begin_s) || one.begin_s < before) std::abort();
    before = one.begin_s;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(forewarp::measured::parse_chrome_trace(text, "trace.json"));
  check(forewarp::measured::parse_systems_trace(text, "trace.csv"));
  return 0;
}
