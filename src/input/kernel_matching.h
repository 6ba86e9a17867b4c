// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "program/kernel.h"

namespace forewarp::input {

/// How well a name typed by a user matches a kernel; higher is better.
enum class NameMatch : std::uint8_t { none, base, plain, mangled };

/// The C++ name with parameter types, if the mangled name tells them: "scale<float>(float*, int)".
[[nodiscard]] std::string full_name(const std::string& mangled);

/// Matches a user's name: mangled, plain ("ns::scale<float, 4>", also with parameter types), or the
/// last part of the plain name ("scale", "scale<float, 4>"). Blanks are ignored. An empty name
/// matches every kernel.
[[nodiscard]] NameMatch match_name(const Kernel& kernel, std::string_view wanted);

enum class Preference : std::uint8_t { first, second, equal };

/// Of two matching kernels that are the same one for two architectures: the one that runs on
/// `for_sm` and is newer. Code of sm_XY runs on X.Z with Z >= Y.
[[nodiscard]] Preference prefer(const Kernel& first, const Kernel& second, std::uint32_t for_sm,
                                bool assume_isa = false);

}  // namespace forewarp::input
