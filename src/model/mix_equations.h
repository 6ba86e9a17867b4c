// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/gpu_perf.h"
#include "model/mwp_cwp.h"
#include "model/warp_mix.h"

namespace forewarp::model {

/// One round of resident warps whose accesses are all alike, with the latency that the path has.
/// Bandwidth is the theoretical one, as SM cycles per access.
[[nodiscard]] MwpCwpInput mwp_cwp_input(const WarpMix& mix, double blocks_per_sm);

/// The same for GPUPerf, with the bandwidth reached in practice; lanes are counted in warps.
[[nodiscard]] GpuPerfInput gpu_perf_input(const WarpMix& mix);

}  // namespace forewarp::model
