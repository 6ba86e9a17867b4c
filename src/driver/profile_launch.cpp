// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/profile_launch.h"

#include <utility>

#include "driver/result_builder.h"
#include "driver/stages/drafted.h"
#include "explain/execution_report.h"
#include "launch/memory_options.h"

namespace forewarp::driver {

Expected<Result> profile_launch(const std::shared_ptr<const Loaded>& loaded, const Case& request,
                                const PredictOptions& options, ProfileStore& store) {
  auto drafted = draft(loaded, request, options);
  if (!drafted) return std::move(drafted).error();
  const LoadedKernel& code = loaded->code;
  const Gpu& gpu = *loaded->gpu;
  auto executed = store.profile(code, drafted->draft, options, gpu.limits.shared_per_block_optin,
                                counting_budget(options, profile_budget));
  if (!executed) return std::move(executed).error();
  const PathProfile& paths = (*executed)->executed.paths;
  if (paths.stopped) return *paths.stopped;
  if (paths.cut) return *paths.cut;
  note_executed(*drafted, **executed, drafted->notes.findings, drafted->notes.assumptions);
  Result result;
  result.profile_only = true;
  describe_launch(*drafted, drafted->notes, result);
  fill_executed(*code.analysis, (*executed)->executed, result);
  const MemoryProfile memory =
      profile_memory((*executed)->executed.accesses, (*executed)->executed.plan, gpu,
                     memory_options(gpu, drafted->draft, request, options));
  fill_memory(*code.analysis, memory, result);
  note_memory(memory, result.assumptions);
  return result;
}

}  // namespace forewarp::driver
