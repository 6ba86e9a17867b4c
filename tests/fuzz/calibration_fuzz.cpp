// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as a calibration, a table of intervals or a curve of latencies: what is read is written
// and read again alike, what is refused is one line of text.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "request/tables/calibration_file.h"
#include "request/tables/interval_file.h"
#include "validation/calibration/contention_fit.h"

namespace {

void check_line(const forewarp::tests::Diagnostic& failure) {
  const std::string line = failure.line();
  if (line.empty() || line.find('\n') != std::string::npos) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto calibration = forewarp::tests::parse_calibration(text, "c.toml");
  if (calibration) {
    const std::string written = forewarp::tests::calibration_text(*calibration);
    const auto again = forewarp::tests::parse_calibration(written, "c.toml");
    if (!again) std::abort();
  } else {
    check_line(calibration.error());
  }
  if (const auto table = forewarp::tests::parse_intervals(text, "i.toml"); !table) {
    check_line(table.error());
  }
  const auto points = forewarp::tests::parse_loaded_latencies(text, "p.csv");
  if (!points) {
    check_line(points.error());
    return 0;
  }
  if (const auto fit = forewarp::tests::fit_contention(*points); !fit) check_line(fit.error());
  return 0;
}
