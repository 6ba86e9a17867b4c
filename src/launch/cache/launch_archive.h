// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "launch/profile_store.h"
#include "memory/memory_profile.h"

namespace forewarp::launch {

/// What executing a launch and replaying it on one GPU gave, without the recorded accesses.
struct ArchivedLaunch {
  LaunchProfile profile;
  MemoryProfile memory;
};

/// As bytes, in the layout of this build: a cache for this program, not a format for others.
[[nodiscard]] std::string pack_launch(const ArchivedLaunch& launch);

/// Nothing where the bytes are not those of a launch; never more memory than a few times theirs.
[[nodiscard]] std::optional<ArchivedLaunch> unpack_launch(std::string_view bytes);

}  // namespace forewarp::launch
