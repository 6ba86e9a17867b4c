// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/expected.h"
#include "system/description/system.h"

namespace forewarp::system {

/// Most processes of one run.
inline constexpr std::uint32_t most_processes = 20'000;

/// Where one process runs.
struct Place {
  std::string label;
  std::uint32_t index = 0;    ///< among those of its label, from 0
  std::size_t component = 0;  ///< index among the system's components
};

/// How many processes of each label the whole system may run: the sum of its units' places.
[[nodiscard]] std::map<std::string, std::uint64_t> capacity(const System& system);

/// The processes of a run, label after label in the order of `labels`; one label's processes fill
/// unit after unit in the order of the file. `counts`: how many of a label; default all places.
/// Refuses a label without a place, more processes than places, and more than most_processes.
Expected<std::vector<Place>> placed(const System& system, const std::vector<std::string>& labels,
                                    const std::map<std::string, std::uint64_t>& counts);

}  // namespace forewarp::system
