// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "launch/memory_options.h"

#include <algorithm>

namespace forewarp::launch {

MemoryOptions memory_options(const Gpu& gpu, const LaunchDraft& draft, const Case& request,
                             const PredictOptions& options) {
  MemoryOptions memory;
  memory.warm =
      (options.repeat ? *options.repeat : request.repeat.value_or(Repeat::cold)) == Repeat::warm;
  memory.blocks_per_sm = std::max(1U, draft.occupancy.blocks);
  memory.shared_per_block =
      draft.needs.static_shared + draft.needs.dynamic_shared + gpu.limits.shared_reserved;
  if (options.most_replayed) memory.most_replayed = *options.most_replayed;
  return memory;
}

}  // namespace forewarp::launch
