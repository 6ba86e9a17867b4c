// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "input/toolkit/toolkit.h"

namespace forewarp::input {

/// Compilation of one file to a cubin for one architecture.
struct CompileJob {
  std::filesystem::path source;
  std::filesystem::path cubin;  ///< to be written
  std::string shown_as;         ///< the source's name in messages; empty: its own
  std::uint32_t sm = 0;
  std::vector<std::string> options = {};  ///< of the user, for nvcc
  bool keeps_lines = false;               ///< ptxas: places of a source that the PTX names
  std::filesystem::path rule = {};        ///< written with the files that it read; empty: none
};

/// Runs nvcc. With an option -arch=compute_XY, the GPU's code is generated from PTX for XY, as a
/// driver would. If nvcc rejects the default host compiler, the newest g++ on PATH that it accepts
/// (by its own message) is passed to it.
Expected<void> compile_source(const Toolkit& toolkit, const CompileJob& job);

/// Runs ptxas.
Expected<void> compile_ptx(const Toolkit& toolkit, const CompileJob& job);

/// The first line with an error, as "FILE:LINE" and text if it has that form.
[[nodiscard]] Diagnostic first_error(std::string_view program, std::string_view messages,
                                     std::string_view shown_as);

}  // namespace forewarp::input
