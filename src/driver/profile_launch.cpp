// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/profile_launch.h"

#include <utility>

#include "driver/preparation.h"
#include "driver/result_builder.h"
#include "explain/execution_report.h"
#include "launch/memory_options.h"

namespace forewarp::driver {

Expected<Result> profile_launch(const LoadedKernel& loaded, const std::shared_ptr<const Gpu>& gpu,
                                const Case& request, const PredictOptions& options,
                                ProfileStore& store) {
  auto prepared = prepare_launch(loaded, gpu, request, options);
  if (!prepared) return std::move(prepared).error();
  auto executed =
      store.profile(loaded, prepared->draft, options, gpu->limits.shared_per_block_optin,
                    counting_budget(options, profile_budget));
  if (!executed) return std::move(executed).error();
  const PathProfile& paths = (*executed)->executed.paths;
  if (paths.stopped) return *paths.stopped;
  if (paths.cut) return *paths.cut;
  note_executed(*loaded.kernel, **executed, prepared->findings, prepared->assumptions);
  Result result;
  result.profile_only = true;
  describe_launch(*prepared, result);
  fill_executed(*loaded.analysis, (*executed)->executed, result);
  const MemoryProfile memory =
      profile_memory((*executed)->executed.accesses, (*executed)->executed.plan, *gpu,
                     memory_options(*gpu, prepared->draft, request, options));
  fill_memory(*loaded.analysis, memory, result);
  note_memory(memory, result.assumptions);
  return result;
}

}  // namespace forewarp::driver
