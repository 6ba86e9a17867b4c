// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace forewarp::launch {

/// A short key of `content` for caches and journals: equal content has an equal key.
[[nodiscard]] std::string content_key(std::string_view content);

/// A key of the running program and of every file of a data folder: another build, or other
/// hardware numbers, has another key.
[[nodiscard]] std::string program_key(const std::filesystem::path& data_folder);

}  // namespace forewarp::launch
