// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/command.h"
#include "base/expected.h"

namespace forewarp::input {

/// Where to look for a CUDA toolkit, in order of preference.
struct ToolkitSearch {
  struct Place {
    std::filesystem::path folder;  ///< contains the programs, or a bin folder with them
    std::string named_by;          ///< "--cuda", "CUDA_HOME", "PATH", "the usual places"
  };
  std::vector<Place> places;

  /// `named` (the value of --cuda) alone unless it is empty; otherwise CUDA_HOME, PATH and
  /// /usr/local/cuda.
  static ToolkitSearch from_environment(const std::string& named);
};

/// The programs of a toolkit that a kind of input needs.
struct ToolkitNeeds {
  bool source_compiler = false;  ///< nvcc
  bool ptx_compiler = false;     ///< ptxas
  bool disassembler = true;      ///< cuobjdump, with nvdisasm beside it
};

/// The programs of one folder; empty paths for those that it lacks.
struct Toolkit {
  std::filesystem::path folder, nvcc, ptxas, cuobjdump, nvdisasm;
  std::string named_by;
  /// Changes when a program is replaced; determined without running one.
  std::string identity;
};

/// The first place with all programs needed. Else fails: what the places lack, and how to get it.
Expected<Toolkit> find_toolkit(const ToolkitSearch& search, const ToolkitNeeds& needs);

/// What a program says to one word, "--help"; it has a minute for that.
Expected<CommandOutput> answer_of(const std::filesystem::path& program,
                                  const std::string& question);

/// The version that the program prints, such as "11.8"; "unknown version" if it prints none.
[[nodiscard]] std::string version_of(const std::filesystem::path& program);

/// Architectures (52 for sm_52) that the compiler generates code for; empty if it lists none.
[[nodiscard]] std::vector<std::uint32_t> architectures_of(const Toolkit& toolkit,
                                                          const ToolkitNeeds& needs);

}  // namespace forewarp::input
