// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "command_line.h"

namespace forewarp::cli {

/// A bash script that completes commands, flags and the words that flags may take.
[[nodiscard]] std::string bash_completion(const Command& program);
[[nodiscard]] std::string zsh_completion(const Command& program);
[[nodiscard]] std::string fish_completion(const Command& program);

/// The manual page forewarp(1), in man's markup.
[[nodiscard]] std::string manual_page(const Command& program);

}  // namespace forewarp::cli
