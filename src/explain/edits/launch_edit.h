// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/expected.h"
#include "execution/access/edited_streams.h"
#include "launch/profile_store.h"
#include "launch/stages.h"

namespace forewarp::explain {

/// A virtual edit: what an executed launch would be with other code, other addresses or other
/// resources, without executing anything again.
struct LaunchEdit {
  /// As many instructions as before, some of them others; null: as it is. Registers, local and
  /// static shared memory of the block are its own.
  std::shared_ptr<const Kernel> code;
  std::vector<bool> dropped;  ///< by instruction: not there any more; empty: none
  std::vector<bool> changed;  ///< by instruction: `change` looks at its accesses; empty: none
  AccessChange change;
  std::optional<std::uint32_t> registers;       ///< per thread
  std::optional<std::uint32_t> dynamic_shared;  ///< bytes
};

/// The launch with the edit made; its accesses wait to be replayed (no memory profile). Refused:
/// a launch that was not executed or not to its end, a block that the board does not take.
Expected<Executed> edited_launch(const Executed& executed, const LaunchEdit& edit);

}  // namespace forewarp::explain
