// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "memory/memory_profile.h"
#include "prediction/execution.h"

namespace forewarp::prediction {

/// The results of executing a launch and replaying it on one GPU, without the recorded accesses.
struct ArchivedLaunch {
  LaunchProfile profile;
  MemoryProfile memory;
};

/// The profile as it is archived.
[[nodiscard]] LaunchProfile without_accesses(const LaunchProfile& profile);

/// The launch as bytes, in the layout of this build: for this program's cache only, no exchange
/// format.
[[nodiscard]] std::string pack_launch(const ArchivedLaunch& launch);

/// nullopt where the bytes are not those of a launch. Allocates at most a few times their size.
[[nodiscard]] std::optional<ArchivedLaunch> unpack_launch(std::string_view bytes);

}  // namespace forewarp::prediction
