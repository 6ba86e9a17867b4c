// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/expected.h"

namespace forewarp {

/// Texts of a source file and what stands in their place.
using Replacements = std::vector<std::pair<std::string, std::string>>;

/// Path of a copy of the file with every replacement made and a text added to its end, kept by
/// content in the cache folder
/// (or the system's temporary one). Refused: a file that cannot be read, a text that it lacks.
Expected<std::string> edited_source(const std::filesystem::path& file,
                                    const Replacements& replacements,
                                    const std::string& added = {});

}  // namespace forewarp
