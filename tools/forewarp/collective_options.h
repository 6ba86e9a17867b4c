// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/expected.h"
#include "hardware/collective_tables.h"
#include "model/collective/collective_time.h"

namespace forewarp::cli {

/// The options of `forewarp collective` as written; empty: not given.
struct CollectiveOptions {
  std::string kind, bytes, gpu, ranks, fabric, network, network_gbs, adapters, latency;
  std::string nodes = "1", reduces = "auto", tables = "nccl";
};

/// What they ask, as numbers.
struct AskedCollective {
  CollectiveTables tables;
  CollectivePlace place;
  CollectiveKind kind = CollectiveKind::all_reduce;
  std::vector<double> sizes;
  std::string title;
  std::vector<std::string> assumptions;  ///< of the options: what has no effect, what is left out
};

/// Refuses values out of range, links that the GPUs cannot have, and a missing link.
[[nodiscard]] Expected<AskedCollective> asked_collective(const CollectiveOptions& options);

}  // namespace forewarp::cli
