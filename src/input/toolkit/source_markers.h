// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace forewarp::input {

/// Where the compiled source and the toolkit's headers lie.
struct SourcePlaces {
  std::string source;   ///< path that the compiler was given
  std::string toolkit;  ///< lines in here are told by who calls them
};

/// A listing of cuobjdump with a line "//## File "PATH", line N" before each instruction whose
/// source line differs from the one before it, as `dump` (nvdisasm -gi) tells by function and
/// address; the compiled source is called own_source there. Of inlined calls the innermost place
/// outside of the toolkit counts.
[[nodiscard]] std::string with_source_markers(std::string_view listing, std::string_view dump,
                                              const SourcePlaces& places);

}  // namespace forewarp::input
