// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "input/toolkit/toolkit.h"

namespace forewarp::input {

/// Listing of a cubin, fatbin, executable or library: the output of `cuobjdump -sass -res-usage`,
/// and from `-elf` what only the file's sections tell (parameters, jump tables, constants,
/// variables). `sm` selects one architecture; `folder` is for temporary files.
Expected<std::string> disassemble(const Toolkit& toolkit, const std::filesystem::path& binary,
                                  std::optional<std::uint32_t> sm,
                                  const std::filesystem::path& folder);

/// Output of nvdisasm about a cubin's source lines (`-gi`); empty if there is none.
[[nodiscard]] std::string line_dump(const Toolkit& toolkit, const std::filesystem::path& cubin);

/// Extracts the binary's PTX for compute_`sm` into `folder`; returns the files.
Expected<std::vector<std::filesystem::path>> extract_ptx(const Toolkit& toolkit,
                                                         const std::filesystem::path& binary,
                                                         std::uint32_t sm,
                                                         const std::filesystem::path& folder);

/// A dump of `-elf` without sections that are irrelevant to how a kernel runs.
[[nodiscard]] std::string without_idle_sections(std::string_view dump);

}  // namespace forewarp::input
