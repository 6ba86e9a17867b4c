// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/expected.h"
#include "execution/access/edited_streams.h"
#include "prediction/execution.h"
#include "prediction/launch.h"
#include "prediction/trace.h"

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

/// A launch after an edit.
struct EditedLaunch {
  std::shared_ptr<const Launch> launch;
  Trace trace;  ///< its accesses wait to be replayed: no memory profile
};

/// The launch with the edit made. Refused: a launch that was not executed or not to its end, a
/// block that the board does not take.
Expected<EditedLaunch> edited_launch(const Launch& launch, const Trace& trace,
                                     const LaunchEdit& edit);

}  // namespace forewarp::explain
