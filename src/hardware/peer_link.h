// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "hardware/gpu.h"
#include "hardware/link_database.h"

namespace forewarp::hardware {

/// The link between boards of this kind, as its file names it ("NVLink 3, 600 GB/s": its widest);
/// nothing where no link of its own is stated, or none of this name is known.
[[nodiscard]] std::optional<Link> peer_link(const LinkDatabase& links, const Gpu& gpu);

}  // namespace forewarp::hardware
