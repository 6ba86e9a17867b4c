// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "launch/profile_store.h"
#include "memory/memory_profile.h"

namespace forewarp::launch {

/// The results of executing a launch and replaying it on one GPU, without the recorded accesses.
struct ArchivedLaunch {
  LaunchProfile profile;
  MemoryProfile memory;
};

/// The launch as bytes, in the layout of this build: for this program's cache only, no exchange
/// format.
[[nodiscard]] std::string pack_launch(const ArchivedLaunch& launch);

/// nullopt where the bytes are not those of a launch. Allocates at most a few times their size.
[[nodiscard]] std::optional<ArchivedLaunch> unpack_launch(std::string_view bytes);

}  // namespace forewarp::launch
