// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/expected.h"

namespace forewarp::measured {

/// Texts of a source file and their replacements.
using Replacements = std::vector<std::pair<std::string, std::string>>;

/// Whether the source contains the text as whole words: not inside a longer run of letters, digits
/// and underscores.
[[nodiscard]] bool has_whole(std::string_view source, std::string_view text);

/// Path of a copy of the file with every replacement made and a text added to its end, kept by
/// content in the cache folder (or the system's temporary one). Texts are met whole, of several
/// the longest, and what was put in is not replaced again. Refused: a file that cannot be read, a
/// text that it lacks.
Expected<std::string> edited_source(const std::filesystem::path& file,
                                    const Replacements& replacements,
                                    const std::string& added = {});

/// As above for a text that is no file by itself; its place is for errors, the extension says what
/// the copy is.
Expected<std::string> edited_copy(std::string text, const std::string& place,
                                  const std::string& extension, const Replacements& replacements,
                                  const std::string& before = {}, const std::string& after = {});

}  // namespace forewarp::measured
