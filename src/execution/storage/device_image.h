// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "execution/storage/execution_input.h"

namespace forewarp::execution {

/// Addresses of variables that lie apart from their module's others, by mangled name.
using PlacesApart = std::map<std::string, std::uint64_t, std::less<>>;

/// The memory of a device as a running program has it before a launch: it stands in for buffers
/// that are described. Addresses in the launch's arguments are the program's own.
struct DeviceImage {
  std::vector<ExecutionBuffer> buffers;       ///< all that kernels may touch; each has a place
  std::vector<ConstantBank> banks;            ///< of the kernel's module
  std::shared_ptr<ProgramServices> services;  ///< null: none
  /// The whole parameter area, with handles of textures behind the parameters; empty: as the
  /// launch's arguments say.
  std::vector<std::uint8_t> parameters;
  std::uint64_t module_address = 0;  ///< where the module's variables begin
  PlacesApart apart;                 ///< those that do not lie there
  std::uint64_t serial = 0;          ///< differs where contents may
};

}  // namespace forewarp::execution
