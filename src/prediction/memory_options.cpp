// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/memory_options.h"

#include <algorithm>

namespace forewarp::prediction {

MemoryOptions memory_options(const Launch& launch, const Query& query) {
  MemoryOptions memory;
  memory.warm = query.repeat.value == Repeat::warm;
  memory.blocks_per_sm = std::max(1U, launch.occupancy.blocks);
  memory.shared_per_block =
      launch.needs.static_shared + launch.needs.dynamic_shared + launch.gpu->limits.shared_reserved;
  if (query.options.most_replayed) memory.most_replayed = *query.options.most_replayed;
  return memory;
}

}  // namespace forewarp::prediction
