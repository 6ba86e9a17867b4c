// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/latencies/device_latencies.h"

#include <optional>

#include "characterise/estimators/window_pairs.h"

namespace forewarp::characterise {
namespace {

constexpr std::size_t rounds = 500;  // of the deconvolution

std::string all_configs(const std::vector<WindowPair>& pairs) {
  std::string text;
  for (const WindowPair& pair : pairs) text += (text.empty() ? "" : "; ") + pair.config;
  return text;
}

}  // namespace

Expected<DeviceLatencies> device_latencies(
    const SampleTable& samples, const MeasuredDevice& device, const std::string& test,
    const std::vector<std::pair<std::string, std::string>>& where) {
  const Evidence evidence(samples.records, [&](std::string_view path) -> std::optional<double> {
    const auto found = device.numbers.find(std::string(path));
    if (found == device.numbers.end()) return {};
    return found->second;
  });
  NumberRow row;
  row.fact = test;
  row.tests = {test};
  row.where = where;
  const auto pairs = window_pairs(row, test, evidence);
  if (!pairs) return pairs.error();
  if (pairs->size() != 1) {
    return Diagnostic{test,
                      std::to_string(pairs->size()) + " configurations: " + all_configs(*pairs),
                      "one", "name it: --where NAME=VALUE"};
  }
  const WindowPair& pair = pairs->front();
  auto found = deconvolved(pair.windows, pair.empty, rounds, test + " " + pair.config);
  if (!found) return std::move(found).error();
  return DeviceLatencies{pair.config, pair.windows, pair.empty, *std::move(found)};
}

}  // namespace forewarp::characterise
