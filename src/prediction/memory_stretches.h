// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "model/model.h"
#include "prediction/launch.h"
#include "prediction/trace.h"

namespace forewarp::prediction {

/// Parts of the grid whose data lie partly in a slow segment of memory, with the traffic that it
/// allows. Buffers are taken to fill the segments one after the other, and the grid to walk through
/// all buffers at once from their beginnings. Empty if one segment holds everything.
[[nodiscard]] std::array<MemoryStretch, 3> memory_stretches(const Launch& launch,
                                                            const Trace& trace);

}  // namespace forewarp::prediction
