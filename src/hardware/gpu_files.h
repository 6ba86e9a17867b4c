// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "hardware/fact_file.h"
#include "hardware/fact_override.h"

namespace forewarp::hardware {

/// The files that together describe a board.
struct GpuFiles {
  FactFile board, capability, isa, memory, rules;
  std::string set;  ///< the parameter set in use; empty: none

  /// Names of the board's parameter sets, which may have facts of their own ("volkov.a").
  [[nodiscard]] std::vector<std::string> special() const;
};

/// Reads the files that `board` refers to. A non-empty `technology` replaces its memory technology.
Expected<GpuFiles> read_gpu_files(const std::filesystem::path& directory,
                                  const std::filesystem::path& board, std::string_view set,
                                  std::string_view technology);

/// Reads a capability's file, following an alias.
Expected<FactFile> read_capability(const std::filesystem::path& directory,
                                   std::string_view capability);

/// Merges all facts, later over earlier: models, ISA, capability, memory, board, set, overrides.
/// Then rules fill in what is missing.
Expected<Facts> merge_facts(const GpuFiles& files, const std::vector<FactOverride>& overrides);

/// Name of a file in messages: relative to the data folder's parent if inside it.
[[nodiscard]] std::string shown_name(const std::filesystem::path& directory,
                                     const std::filesystem::path& file);

}  // namespace forewarp::hardware
