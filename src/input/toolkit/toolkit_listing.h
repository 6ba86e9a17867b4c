// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/cache/disk_cache.h"
#include "base/expected.h"
#include "input/toolkit/listing_plan.h"
#include "input/toolkit/toolkit.h"

namespace forewarp::input {

/// A listing and how it was made.
struct ToolkitListing {
  std::string text;
  std::uint32_t sm = 0;      ///< of its code
  std::string toolkit;       ///< "CUDA 11.8 in /usr/bin"
  bool from_cache = false;   ///< no program was run
  bool isa_assumed = false;  ///< the code does not run on the architecture asked: allowed by
                             ///< assume_isa, or because the toolkit compiles for nothing as new
  std::vector<std::string> assumptions;  ///< besides that of the architecture; one sentence each
};

[[nodiscard]] inline std::size_t kept_bytes(const ToolkitListing& listing) {
  return listing.text.size();
}

/// Listing of a `.cu`, `.ptx`, cubin, fatbin, executable or library. A cached one is used if
/// content, toolkit and architecture are the same.
Expected<ToolkitListing> listing_of(const ToolkitInput& input, const ToolkitSearch& search,
                                    const DiskCache& cache);

/// Where listings are kept for later processes.
[[nodiscard]] DiskCache kept_listings();

/// Whether listing_of handles this kind of content.
[[nodiscard]] bool needs_toolkit(ContentKind kind);

}  // namespace forewarp::input
