// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/run/predicted_kernels.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "request/files/case_fields.h"
#include "request/text/json_value.h"
#include "system/description/factors.h"

namespace forewarp::system {
namespace {

void add_once(std::vector<std::string>& lines, const std::string& line) {
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
}

}  // namespace

Expected<PredictedKernel> PredictedKernels::predict(const std::string& launch,
                                                    double memory_bytes) {
  const auto found = known_.find({launch, memory_bytes});
  if (found != known_.end()) return found->second;
  std::optional<Expected<PredictedKernel>> asked;
  // Stacks of simulated processes are small; a prediction gets a usual one.
  std::thread([&] { asked = ask(launch, memory_bytes); }).join();
  if (*asked) known_.emplace(std::pair(launch, memory_bytes), **asked);
  return *std::move(asked);
}

Expected<PredictedKernel> PredictedKernels::ask(const std::string& launch, double memory_bytes) {
  const ValueOrigin origin{"sim.kernel", 0, application_.parent_path()};
  const auto value = parse_json(launch, origin);
  if (!value) return value.error();
  auto request = read_case(*value, origin, CaseScope::full_case);
  if (!request) {
    Diagnostic refused = std::move(request).error();
    refused.place.clear();  // a place inside the text that we made of the table
    return refused;
  }
  if (auto fits = check_memory(*request, memory_bytes); !fits) return fits.error();
  const auto result = predictor_.predict(*request, request->gpu, {}, {});
  if (!result) return result.error();
  if (result->error) return Diagnostic{"", *result->error, "", ""};
  for (const Result::Assumption& one : result->assumptions) {
    add_once(assumptions_, "kernel " + result->kernel.name + ": " + one.text);
  }
  const auto gpu = predictor_.gpu(request->gpu, {});
  if (!gpu) return gpu.error();
  const LaunchCosts costs = {(*gpu)->host_us * per_micro, (*gpu)->stream_us * per_micro,
                             (*gpu)->graph_us * per_micro};
  return PredictedKernel{result->time_ms * per_milli, result->kernel.name, costs};
}

Expected<void> PredictedKernels::check_memory(const Case& request, double memory_bytes) {
  const auto gpu = predictor_.gpu(request.gpu, {});
  if (!gpu) return gpu.error();
  double bytes = 0;
  for (const NamedArgument& argument : request.launch.arguments) {
    if (argument.value.kind == Argument::Kind::buffer) {
      bytes += static_cast<double>(argument.value.buffer_bytes);
    }
  }
  const double room = memory_bytes > 0 ? memory_bytes : (*gpu)->memory.bytes;
  if (room <= 0 || bytes <= room) return {};
  const std::string found = fmt::format("its data take {:.0f} bytes, more than the {:.0f} of {}",
                                        bytes, room, (*gpu)->name);
  if (!beyond_memory_) return Diagnostic{"", found, "", "--beyond-memory goes past it"};
  add_once(warnings_, "kernel " + request.kernel + ": " + found);
  return {};
}

}  // namespace forewarp::system
