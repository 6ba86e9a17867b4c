// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "execution/access/access_stream.h"

namespace forewarp::execution {

/// Of all lanes with which the instructions marked in `of` access global memory, the share that
/// goes to the word which most of them go to; 0 if no such access was recorded.
[[nodiscard]] double hottest_word(const AccessStreams& streams, const std::vector<bool>& of);

}  // namespace forewarp::execution
