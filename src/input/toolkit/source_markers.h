// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace forewarp::input {

/// Where the compiled source and the toolkit's headers are.
struct SourcePlaces {
  std::string source;   ///< path given to the compiler
  std::string toolkit;  ///< lines in here are replaced by those of their callers
};

/// A listing of cuobjdump with a line "//## File "PATH", line N" before each instruction whose
/// source line differs from the previous one, according to `dump` (nvdisasm -gi), by function and
/// address. The compiled source appears as own_source. For inlined calls, the innermost place
/// outside the toolkit is used.
[[nodiscard]] std::string with_source_markers(std::string_view listing, std::string_view dump,
                                              const SourcePlaces& places);

}  // namespace forewarp::input
