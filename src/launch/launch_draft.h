// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantities.h"
#include "binding/occupancy.h"
#include "launch/arguments/signature.h"
#include "program/launch.h"
#include "request/case.h"

namespace forewarp::launch {

/// A launch that the GPU would accept, with the resources of an SM that it needs.
struct LaunchDraft {
  Launch launch;  ///< extents and dynamic shared memory only
  BoundArguments arguments;
  BlockNeeds needs;
  Occupancy occupancy;
  Megahertz clock;
  bool clock_known = false;  ///< the clock was given, or measured on this board
  Timing timing = Timing::device;
  Microseconds added;  ///< by launching and timing, on top of the device's own time
};

}  // namespace forewarp::launch
