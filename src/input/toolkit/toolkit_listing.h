// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/expected.h"
#include "input/toolkit/listing_cache.h"
#include "input/toolkit/listing_plan.h"
#include "input/toolkit/toolkit.h"

namespace forewarp::input {

/// A listing and how it came about.
struct ToolkitListing {
  std::string text;
  std::uint32_t sm = 0;      ///< of the code in it
  std::string toolkit;       ///< "CUDA 11.8 in /usr/bin"
  bool from_cache = false;   ///< no program was started
  bool isa_assumed = false;  ///< the code does not run on the architecture asked: allowed by
                             ///< assume_isa, or because the toolkit compiles for nothing as new
  std::vector<std::string> assumptions;  ///< beyond the architecture: one sentence each
};

/// Listing of a `.cu`, `.ptx`, cubin, fatbin, executable or library. A stored one is taken when
/// content, toolkit and architecture are the same.
Expected<ToolkitListing> listing_of(const ToolkitInput& input, const ToolkitSearch& search,
                                    const ListingCache& cache);

/// True for the kinds that listing_of takes.
[[nodiscard]] bool needs_toolkit(ContentKind kind);

}  // namespace forewarp::input
