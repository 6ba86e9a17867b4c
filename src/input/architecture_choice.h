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

/// The code that a file offers. Numbers as in sm_52 and compute_52.
struct AvailableCode {
  std::vector<std::uint32_t> machine;  ///< compiled for these architectures
  std::vector<std::uint32_t> ptx;      ///< in the virtual instruction set, still to be compiled
};

/// Which of the code to take for the architecture that was asked.
struct ArchitectureChoice {
  std::uint32_t sm = 0;      ///< of the code to read, or the .target of the PTX
  bool compile_ptx = false;  ///< take the PTX and compile it for the architecture asked
  std::string assumption;    ///< what the two numbers do not say; mostly empty
};

/// Code of sm_XY runs on capability X.Z with Z >= Y.
[[nodiscard]] bool runs_on(std::uint32_t code_sm, std::uint32_t wanted_sm);

/// The best match: the same architecture, else the nearest that runs there, else PTX. With
/// `assume_isa` the newest older code is taken, or the oldest newer, as if it ran there. Without a
/// wanted architecture the newest code is taken. Refuses with the architectures in the file.
Expected<ArchitectureChoice> choose_architecture(const AvailableCode& available,
                                                 std::optional<std::uint32_t> wanted_sm,
                                                 bool assume_isa);

/// "sm_52, sm_70, compute_80"
[[nodiscard]] std::string architecture_names(const AvailableCode& available);

}  // namespace forewarp::input
