// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/launch_checks.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "hardware/schema.h"
#include "model/model.h"
#include "prediction/paths/path_finder.h"

namespace forewarp::prediction {

Expected<void> check_board(const Gpu& gpu, std::size_t resources) {
  constexpr std::size_t of_models = 2;  // bounds that a model adds: device memory, block launch
  if (resources + of_models > Prediction::max_bounds) {
    return Diagnostic{gpu.file, std::to_string(resources) + " resources per SM",
                      "at most " + std::to_string(Prediction::max_bounds - of_models), ""};
  }
  for (double Gpu::*const field :
       {&Gpu::sector_bytes, &Gpu::line_bytes, &Gpu::shared_banks, &Gpu::shared_bank_bytes}) {
    const double value = gpu.*field;
    if (value >= 1 && value == std::floor(value)) continue;
    return Diagnostic{gpu.file, std::string(path_of(field)) + " is " + significant(value),
                      "a whole number from 1", ""};
  }
  return {};
}

Expected<void> check_stated(const LoadedKernel& loaded, const PredictOptions& options) {
  const ControlFlow& flow = loaded.analysis->flow();
  std::vector<std::string> heads, branches;
  for (const Loop& loop : loaded.analysis->loops().all()) heads.push_back(hex(loop.begin, 4));
  for (BlockId id = 0; id < flow.blocks().size(); ++id) {
    if (!flow.is_conditional(id)) continue;
    branches.push_back(hex(loaded.kernel->instructions[flow.blocks()[id].end - 1].address, 4));
  }
  const auto check = [&](std::uint32_t address, const std::vector<std::string>& known,
                         const char* option, const char* what) -> Expected<void> {
    if (std::find(known.begin(), known.end(), hex(address, 4)) != known.end()) return {};
    return Diagnostic{
        std::string(option) + " " + hex(address, 4),
        std::string("no ") + what + " there in " + loaded.kernel->name,
        known.empty() ? "none: the kernel has no " + std::string(what) : join(known, ", "),
        "`forewarp analyze` lists them"};
  };
  for (const auto& [address, trips] : options.trips) {
    if (auto ok = check(address, heads, "--trip", "loop begins"); !ok) return ok;
  }
  for (const auto& [address, share] : options.branch_probabilities) {
    if (auto ok = check(address, branches, "--assume-branch", "conditional branch"); !ok) return ok;
  }
  return {};
}

bool overrules_run(const LoadedKernel& loaded, const PredictOptions& options,
                   const PathProfile& paths) {
  return std::any_of(options.branch_probabilities.begin(), options.branch_probabilities.end(),
                     [&](const auto& stated) {
                       const auto instruction =
                           static_cast<std::uint32_t>(loaded.kernel->index_at(stated.first));
                       return std::find(paths.assumed.begin(), paths.assumed.end(), instruction) ==
                              paths.assumed.end();
                     });
}

}  // namespace forewarp::prediction
