// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "system/description/system_text.h"

namespace forewarp::system {

/// Reads a system in TOML (docs/system.md). Refuses, with place and key: an unknown key, a value of
/// the wrong kind or out of range, a component without a kind, a link without two ends. `file` is
/// the text's name in messages; models and hardware files are relative to its folder. `changes` are
/// made first (changes.h).
Expected<SystemText> parse_system(std::string_view toml, const std::filesystem::path& file,
                                  const std::vector<std::string>& changes = {});

}  // namespace forewarp::system
