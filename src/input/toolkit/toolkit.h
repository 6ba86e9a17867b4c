// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/expected.h"

namespace forewarp::input {

/// Where to look for a CUDA toolkit, best first.
struct ToolkitSearch {
  struct Place {
    std::filesystem::path folder;  ///< holds the programs, or a bin folder that does
    std::string named_by;          ///< "--cuda", "CUDA_HOME", "PATH", "the usual places"
  };
  std::vector<Place> places;

  /// `named` (the value of --cuda) alone when it is not empty; else CUDA_HOME, PATH,
  /// /usr/local/cuda.
  static ToolkitSearch from_environment(const std::string& named);
};

/// What a kind of input needs of a toolkit.
struct ToolkitNeeds {
  bool source_compiler = false;  ///< nvcc
  bool ptx_compiler = false;     ///< ptxas
  bool disassembler = true;      ///< cuobjdump, with nvdisasm beside it
};

/// The programs of one folder; a path is empty where the program is not there.
struct Toolkit {
  std::filesystem::path folder, nvcc, ptxas, cuobjdump, nvdisasm;
  std::string named_by;
  /// Changes when a program is exchanged; found without running one.
  std::string identity;
};

/// The first place whose programs suffice. Fails with what the places lack and how to get it.
Expected<Toolkit> find_toolkit(const ToolkitSearch& search, const ToolkitNeeds& needs);

/// "11.8", as the program says; "unknown version" when it says nothing.
[[nodiscard]] std::string version_of(const std::filesystem::path& program);

/// The architectures, 52 for sm_52, for which the compiler makes machine code; empty when it does
/// not say.
[[nodiscard]] std::vector<std::uint32_t> architectures_of(const Toolkit& toolkit,
                                                          const ToolkitNeeds& needs);

}  // namespace forewarp::input
