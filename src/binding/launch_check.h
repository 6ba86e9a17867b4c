// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/expected.h"
#include "binding/occupancy.h"
#include "program/launch.h"

namespace forewarp::binding {

/// Whether the driver would accept the launch. The diagnostic is the error that a user would see,
/// with the exceeded limit and the nearest accepted value. `needs.threads` must be the volume of
/// `block`.
Expected<void> check_launch(const SmLimits& limits, const Extent& grid, const Extent& block,
                            const BlockNeeds& needs);

/// The same check for one block alone, whatever the shapes of grid and block.
Expected<void> check_block(const SmLimits& limits, const BlockNeeds& needs);

/// Whether the board has clusters of so many blocks and the grid consists of whole ones; x 0: there
/// is no cluster.
Expected<void> check_cluster(const SmLimits& limits, const Extent& grid, const Extent& cluster);

/// SMs on which whole clusters fit, each on SMs of one GPC; all of them where it is not known which
/// SMs these are.
[[nodiscard]] std::uint32_t sms_for_clusters(const SmLimits& limits, std::uint32_t sms,
                                             std::uint64_t cluster_blocks);

/// Most registers per thread with which a block of this size launches; 0: it never does.
[[nodiscard]] std::uint32_t launchable_registers(const SmLimits& limits, std::uint32_t threads);

}  // namespace forewarp::binding
