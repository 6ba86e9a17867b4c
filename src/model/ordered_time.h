// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "execution/order/order_record.h"

namespace forewarp::model {

/// How long a launch takes whose blocks wait for each other, if nothing but their waits, their own
/// latencies and their places on the GPU took time: a lower bound beside those of throughput.
struct OrderedTime {
  double cycles = 0;               ///< SM clock; 0: nothing is known
  double followed = 1;             ///< share of the launch that was followed; the rest is like it
  OrderRecord record;              ///< of the part that was followed, in cycles
  std::uint64_t instructions = 0;  ///< warp instructions executed for it
};

}  // namespace forewarp::model
