// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "program_run/code_modules.h"

namespace forewarp::program_run {

/// A launch as the program asked for it.
struct LaunchOrder {
  Function* function = nullptr;
  Extent grid{1, 1, 1}, block{1, 1, 1};
  Extent cluster{0, 1, 1};  ///< blocks that start together; x 0: as the code says
  std::uint32_t dynamic_shared = 0;
  std::vector<std::uint8_t> parameters;  ///< the whole area
  bool cooperative = false;
  bool early = false;        ///< may begin before what is before it in its stream has ended
  std::uint32_t device = 0;  ///< whose variables it has; see CodeModule::device_for

  /// The module's variables and the code on that device, once CodeModules placed it there.
  [[nodiscard]] const ModuleCopy& variables() const { return function->module->copies.at(device); }
  [[nodiscard]] const execution::Program& program() const {
    return function->placed.at(device)->program;
  }

  /// Of the launch or of the code; {1, 1, 1}: none.
  [[nodiscard]] Extent clusters() const {
    if (cluster[0] != 0) return cluster;
    return function->code.kernel->resources.cluster.value_or(Extent{1, 1, 1});
  }
};

}  // namespace forewarp::program_run
