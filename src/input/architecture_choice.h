// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/expected.h"

namespace forewarp::input {

/// The code that a file contains. Numbers as in sm_52 and compute_52.
struct AvailableCode {
  std::vector<std::uint32_t> machine;  ///< compiled for these architectures
  std::vector<std::uint32_t> ptx;      ///< of these virtual architectures, yet to be compiled
};

/// Which code to use for the architecture asked for.
struct ArchitectureChoice {
  std::uint32_t sm = 0;      ///< architecture of the code to read, or .target of the PTX
  bool compile_ptx = false;  ///< compile the PTX for the architecture asked for
  std::string assumption;    ///< what had to be assumed; usually empty
};

/// Whether code of sm_XY runs on capability X.Z: it does if Z >= Y.
[[nodiscard]] bool runs_on(std::uint32_t code_sm, std::uint32_t wanted_sm);

/// The best match: the same architecture, else the nearest whose code runs there, else PTX. With
/// `assume_isa` the newest older code, or else the oldest newer, is used as if it ran there.
/// Without `wanted_sm`, the newest code. Otherwise fails and lists the file's architectures.
Expected<ArchitectureChoice> choose_architecture(const AvailableCode& available,
                                                 std::optional<std::uint32_t> wanted_sm,
                                                 bool assume_isa);

/// "sm_52, sm_70, compute_80"
[[nodiscard]] std::string architecture_names(const AvailableCode& available);

}  // namespace forewarp::input
