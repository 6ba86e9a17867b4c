// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hardware/host.h"
#include "model/transfer/copy_time.h"

namespace forewarp::model {

/// Memory of the host at one end of a copy. untouched: pageable, and nothing wrote to it before, so
/// that the driver's writes make the host find and clear every page.
enum class HostSide : std::uint8_t { pageable, pinned, untouched };

[[nodiscard]] std::optional<HostSide> host_side_named(std::string_view name);

/// What is copied, and between which memories.
struct HostCopy {
  CopyDirection direction = CopyDirection::to_device;
  HostSide side = HostSide::pageable;
  double bytes = 0;
};

/// GB/s that a very long copy approaches.
///
/// Pinned memory: the link's share. Pageable memory: the slower of the link and of the host's
/// thread that fills or empties the driver's pinned buffer. Where the host states no rate of its
/// own, both are the link file's, measured on another host. For untouched memory that thread also
/// gives out the pages: 1 / host' = 1 / host + 1 / first touch.
[[nodiscard]] double steady_gbs(const Link& link, const Host& host, CopyDirection direction,
                                HostSide side);

/// One blocking copy over an idle link: start-up + n / min(link, host') + min(n, piece) /
/// max(link, host'), the last term being the piece that the other stage cannot hide.
[[nodiscard]] CopyTime copy_time(const Link& link, const Host& host, const HostCopy& copy);

}  // namespace forewarp::model
