// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace forewarp::program {

/// Entry of Kernel::source_files for lines of the compiled source itself, wherever that is.
inline constexpr std::string_view own_source = "<source>";

}  // namespace forewarp::program
