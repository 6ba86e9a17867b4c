// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/run/predicted_kernels.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "system/description/factors.h"

namespace forewarp::system {
namespace {

void add_once(std::vector<std::string>& lines, const std::string& line) {
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
}

}  // namespace

Diagnostic diagnostic_of(const api::Error& error) {
  return {error.place, error.found, error.expected, error.way_out};
}

Expected<PredictedKernel> PredictedKernels::predict(const std::string& launch,
                                                    double memory_bytes) {
  auto found = known_.find({launch, memory_bytes});
  if (found == known_.end()) {
    std::optional<Expected<PredictedKernel>> asked;
    // Stacks of simulated processes are small; a prediction gets a usual one.
    std::thread([&] { asked = ask(launch, memory_bytes); }).join();
    if (!*asked) return *std::move(asked);
    found = known_.emplace(std::pair(launch, memory_bytes), **asked).first;
  }
  PredictedKernel kernel = found->second;
  kernel.seconds = kernel.at(place_);
  return kernel;
}

void PredictedKernels::take(IntervalPlace place, const std::vector<KnownKernel>& known) {
  place_ = place;
  for (const KnownKernel& one : known) {
    known_.emplace(std::pair(one.launch, one.memory_bytes), one.predicted);
  }
}

std::vector<KnownKernel> PredictedKernels::known() const {
  std::vector<KnownKernel> all;
  for (const auto& [asked, predicted] : known_) {
    all.push_back({asked.first, asked.second, predicted});
  }
  return all;
}

Expected<PredictedKernel> PredictedKernels::ask(const std::string& launch, double memory_bytes) {
  const auto query = session_.query(launch, application_.parent_path());
  if (!query) {
    Diagnostic refused = diagnostic_of(query.error());
    if (refused.place.starts_with("case")) refused.place.clear();  // it is a text that we made
    return refused;
  }
  if (auto fits = check_memory(*query, memory_bytes); !fits) return fits.error();
  const auto result = session_.predict(*query);
  if (!result) return diagnostic_of(result.error());
  for (const api::Assumption& one : result->assumptions()) {
    add_once(assumptions_, "kernel " + result->kernel() + ": " + one.text);
  }
  const LaunchCosts costs = {query->gpu.host_launch_us() * per_micro,
                             query->gpu.stream_launch_us() * per_micro,
                             query->gpu.graph_launch_us() * per_micro};
  const auto [low_ms, high_ms] = result->interval_ms();
  return PredictedKernel{result->time_ms() * per_milli,
                         {low_ms * per_milli, high_ms * per_milli},
                         result->kernel(),
                         costs};
}

Expected<void> PredictedKernels::check_memory(const api::Query& query, double memory_bytes) {
  const auto bytes = static_cast<double>(query.launch.buffer_bytes());
  const double room = memory_bytes > 0 ? memory_bytes : query.gpu.memory_bytes();
  if (room <= 0 || bytes <= room) return {};
  const std::string found = fmt::format("its data take {:.0f} bytes, more than the {:.0f} of {}",
                                        bytes, room, query.gpu.name());
  if (!beyond_memory_) return Diagnostic{"", found, "", "--beyond-memory goes past it"};
  add_once(warnings_, "kernel " + query.kernel.name() + ": " + found);
  return {};
}

}  // namespace forewarp::system
