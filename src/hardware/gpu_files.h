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

/// The files that together describe one board.
struct GpuFiles {
  FactFile board, capability, isa, memory, rules;
  std::string set;  ///< name of the parameter set in use; empty: none

  /// Names whose own facts ("volkov.a") are allowed: the board's parameter sets.
  [[nodiscard]] std::vector<std::string> special() const;
};

/// Reads what `board` names. `technology` replaces the board's memory technology when not empty.
Expected<GpuFiles> read_gpu_files(const std::filesystem::path& directory,
                                  const std::filesystem::path& board, std::string_view set,
                                  std::string_view technology);

/// The capability's file, through its alias where it is one.
Expected<FactFile> read_capability(const std::filesystem::path& directory,
                                   std::string_view capability);

/// All facts of the files, later ones over earlier: models, ISA, capability, memory, board, set,
/// overrides; then the rules for what is missing.
Expected<Facts> merge_facts(const GpuFiles& files, const std::vector<FactOverride>& overrides);

/// How messages call a file: relative to the data folder's parent where it lies inside.
[[nodiscard]] std::string shown_name(const std::filesystem::path& directory,
                                     const std::filesystem::path& file);

}  // namespace forewarp::hardware
