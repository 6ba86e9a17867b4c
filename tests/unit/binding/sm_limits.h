// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "hardware/gpu.h"

namespace forewarp::tests::test {

/// Limits of a compute capability, "7.5", as data/capabilities states them.
const SmLimits& limits_of(std::string_view capability);

}  // namespace forewarp::tests::test
