// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace forewarp::program {

/// In Kernel::source_files, for lines of the compiled source itself, wherever it lies.
inline constexpr std::string_view own_source = "<source>";

}  // namespace forewarp::program
