// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hardware/gpu.h"

namespace forewarp::binding {

/// The share of L2 hits in the far part of a divided L2, of a launch that touches so many bytes.
/// Each part keeps copies of what its own SMs read, until the kernel's data exceed such a part;
/// then hits come from the part that data belong to.
[[nodiscard]] double far_share(double unique_bytes, const Gpu& gpu);

}  // namespace forewarp::binding
