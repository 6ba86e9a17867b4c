// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/expected.h"
#include "hardware/gpu.h"
#include "hardware/link_database.h"

namespace forewarp::hardware {

/// The link between boards of this kind, as its file names it ("NVLink 3, 600 GB/s": its widest);
/// nothing where no link of its own is stated, or none of this name is known.
[[nodiscard]] std::optional<Link> peer_link(const LinkDatabase& links, const Gpu& gpu);

/// Refuses, at `place`, what boards of this kind cannot have between them: NVLink that they lack,
/// of another generation, of more links or between more of them (`gpus`), and PCIe that is faster
/// than their own. A link whose file does not say its kind is taken as it is.
[[nodiscard]] Expected<void> check_peer_link(const LinkDatabase& links, const Gpu& gpu,
                                             const Link& link, std::uint32_t gpus,
                                             const std::string& place);

/// Whether boards of this kind have no peer access over PCIe.
[[nodiscard]] bool copies_through_host(const Gpu& gpu, const Link& link);

}  // namespace forewarp::hardware
