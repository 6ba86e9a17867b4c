// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
/// @file
/// The version of the library, by semantic versioning (https://semver.org): a program that was
/// built against 1.2 runs with 1.3; below 1.0, only with the same 0.x. What changed: CHANGELOG.md.
#pragma once

#include <forewarp/export.h>
#include <string_view>

#define FOREWARP_VERSION_MAJOR 0  ///< of these headers
#define FOREWARP_VERSION_MINOR 1  ///< of these headers
#define FOREWARP_VERSION_PATCH 0  ///< of these headers

namespace forewarp::FOREWARP_INLINE api {

/// "MAJOR.MINOR.PATCH" of the library that is running, which may be newer than the headers.
[[nodiscard]] FOREWARP_EXPORT std::string_view version() noexcept;

}  // namespace forewarp::FOREWARP_INLINEapi
