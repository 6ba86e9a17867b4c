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

/// One file to compile to a cubin for one architecture.
struct CompileJob {
  std::filesystem::path source;
  std::filesystem::path cubin;  ///< is written
  std::string shown_as;         ///< the source's name in messages; empty: as it is
  std::uint32_t sm = 0;
  std::vector<std::string> options = {};  ///< of the user, for nvcc
  bool keeps_lines = false;               ///< ptxas: places of a source that the PTX names
};

/// nvcc. An option -arch=compute_XY stays: the code for the GPU then comes from PTX for XY, as when
/// a driver compiles it. When nvcc refuses the default host compiler, the newest g++ on PATH that
/// it accepts is named to it: its own message says up to which version that is.
Expected<void> compile_source(const Toolkit& toolkit, const CompileJob& job);

/// ptxas.
Expected<void> compile_ptx(const Toolkit& toolkit, const CompileJob& job);

/// The first line that names an error, as "FILE:LINE" and text where it has that form.
[[nodiscard]] Diagnostic first_error(std::string_view program, std::string_view messages,
                                     std::string_view shown_as);

}  // namespace forewarp::input
