// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as a table of runs: runs of which a host can be made, or one line of text.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "hardware/link_database.h"
#include "validation/calibration/host_fit.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace forewarp::tests;
  constexpr std::size_t most_runs = 8;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto runs = parse_host_runs(text, "runs.csv");
  if (!runs) {
    const std::string line = runs.error().line();
    if (line.empty() || line.find('\n') != std::string::npos) std::abort();
    return 0;
  }
  if (runs->size() > most_runs) runs->resize(most_runs);
  static const auto link = LinkDatabase(FOREWARP_DATA_DIR).load("pcie-3-x16");
  HostStart start;
  start.host.first_touch_gbs = 7;
  start.launch_us = 7;
  const auto fit = fit_host(*runs, *link, start);
  if (!fit) return 0;
  for (const HostNumber& number : fit->numbers) {
    if (!std::isfinite(number.value)) std::abort();
  }
  return 0;
}
