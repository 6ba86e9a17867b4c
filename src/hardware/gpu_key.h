// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/cache/content_key.h"
#include "hardware/gpu.h"

namespace forewarp::hardware {

/// Adds to a key all numbers of a board: its facts, and the fields as they are, which a what-if may
/// have changed. Without the name under which it was asked for and its file.
void add_board(const Gpu& gpu, KeyBytes& key);

/// Adds what a replay of accesses through the board's caches depends on, and more: not its clocks,
/// what device memory takes, queues, tensor units, power, nor what launching takes.
void add_replayed(const Gpu& gpu, KeyBytes& key);

/// Bytes of memory that it takes, for a cache.
[[nodiscard]] std::size_t kept_bytes(const Gpu& gpu);

}  // namespace forewarp::hardware
