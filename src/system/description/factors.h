// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "system/layers.h"

namespace forewarp::system {

/// From the units of files and options to seconds, bytes and bytes per second.
inline constexpr double per_micro = 1e-6, per_milli = 1e-3, per_giga = 1e9;
/// And from seconds to those of what is shown.
inline constexpr double micro = 1e6, milli = 1e3;

}  // namespace forewarp::system
