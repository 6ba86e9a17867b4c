// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace forewarp::base {

/// The way out where a part of Forewarp was not built: one command, for all of them.
inline constexpr const char* build_all_parts =
    "run scripts/build in Forewarp's sources: it installs what is missing and builds all parts";

}  // namespace forewarp::base
