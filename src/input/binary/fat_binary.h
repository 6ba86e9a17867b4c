// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "input/architecture_choice.h"
#include "input/binary/code_part.h"

namespace forewarp::input {

[[nodiscard]] bool starts_as_fat_binary(std::string_view bytes);

/// False when a fatbin file ends before the size that it states.
[[nodiscard]] bool is_complete_fat_binary(std::string_view bytes);

/// Appends the entries of every fat binary that lies anywhere in `bytes`, as far as they are
/// complete.
void add_fat_binaries(std::string_view bytes, std::vector<CodePart>& parts);

/// The architectures in every fat binary that lies anywhere in `bytes`: a fatbin file, the section
/// .nv_fatbin of an executable (one per source file), or a library of objects.
[[nodiscard]] AvailableCode code_in_fat_binaries(std::string_view bytes);

}  // namespace forewarp::input
