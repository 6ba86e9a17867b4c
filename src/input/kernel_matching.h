// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "program/kernel.h"

namespace forewarp::input {

/// How well a name that a user typed fits a kernel; better is greater.
enum class NameMatch : std::uint8_t { none, base, plain, mangled };

/// "scale<float>(float*, int)": the C++ name with the types of its parameters, where it tells them.
[[nodiscard]] std::string full_name(const std::string& mangled);

/// How a user's name fits: mangled, plain ("ns::scale<float, 4>", also with the types of its
/// parameters), or the last part of the plain one ("scale", "scale<float, 4>"). Blanks do not
/// count. An empty name fits every kernel.
[[nodiscard]] NameMatch match_name(const Kernel& kernel, std::string_view wanted);

enum class Preference : std::uint8_t { first, second, equal };

/// Of two kernels that fit: the one that runs on `for_sm` and is newer, when they are the same
/// kernel for two architectures. Code of sm_XY runs on X.Z with Z >= Y.
[[nodiscard]] Preference prefer(const Kernel& first, const Kernel& second, std::uint32_t for_sm,
                                bool assume_isa = false);

}  // namespace forewarp::input
