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

/// Listing of a cubin, fatbin, executable or library: `cuobjdump -sass -res-usage` and of `-elf`
/// what only the file's sections say (parameters, jump tables, constants, variables). `sm` selects
/// one architecture.
Expected<std::string> disassemble(const Toolkit& toolkit, const std::filesystem::path& binary,
                                  std::optional<std::uint32_t> sm);

/// What nvdisasm says of source lines (`-gi`) of a cubin; empty where it says nothing.
[[nodiscard]] std::string line_dump(const Toolkit& toolkit, const std::filesystem::path& cubin);

/// Writes the PTX for compute_`sm` that the binary holds into `folder`; the files.
Expected<std::vector<std::filesystem::path>> extract_ptx(const Toolkit& toolkit,
                                                         const std::filesystem::path& binary,
                                                         std::uint32_t sm,
                                                         const std::filesystem::path& folder);

/// Of a dump that `-elf` is part of: without the sections that say nothing about how a kernel runs.
[[nodiscard]] std::string without_idle_sections(std::string_view dump);

}  // namespace forewarp::input
