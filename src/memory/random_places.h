// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/access/access_stream.h"

namespace forewarp::memory {

/// Whether accesses lie as if drawn at random, as where a hash of the index is an address: what
/// lies between those of neighbouring blocks is far and hardly ever the same. Steps, tiles in
/// another order and reversed bits repeat their distances.
[[nodiscard]] bool places_look_random(const AccessStreams& streams);

}  // namespace forewarp::memory
