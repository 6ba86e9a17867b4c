// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/profile_launch.h"

#include <utility>

#include "driver/result_builder.h"
#include "memory/memory_looks.h"
#include "prediction/execution.h"
#include "prediction/execution_report.h"
#include "prediction/launch.h"
#include "prediction/memory_options.h"

namespace forewarp::driver {

Expected<Result> profile_launch(const Launch& launch, const Query& query, MemoryCache& cache) {
  const auto planned =
      plan_execution(launch, query.options, counting_budget(query.options, profile_budget));
  if (!planned) return planned.error();
  const auto profile = executed(launch.code, *planned, cache);
  if (!profile) return profile.error();
  const ExecutedProfile& seen = (*profile)->executed;
  if (seen.paths.stopped) return *seen.paths.stopped;
  if (seen.paths.cut) return *seen.paths.cut;
  Notes notes = launch.notes;
  note_executed(launch, **profile, notes.findings, notes.assumptions);
  Result result;
  result.profile_only = true;
  describe_launch(launch, notes, result);
  fill_executed(*launch.code.analysis, **profile, result);
  const MemoryProfile memory =
      profile_memory(seen.accesses, seen.plan, *launch.gpu, memory_options(launch, query));
  fill_memory(*launch.code.analysis, memory, result);
  note_memory(memory, result.assumptions);
  return result;
}

}  // namespace forewarp::driver
