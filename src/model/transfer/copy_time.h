// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "hardware/link.h"

namespace forewarp::model {

/// How a copy between host and device is timed.
///
/// linear: T = t_s + n / (bw lambda), Gajger 2017, eqs 4.8 and 5.5. Known limit: for small and
/// medium sizes from pageable memory the time is up to 60 % too short (Fig. 6.9).
///
/// staging: pageable data pass through a pinned buffer of the driver in pieces, two stages of which
/// the slower sets the pace; the faster one's time for one piece is not hidden: T = t_s + n /
/// min(bw lambda, host) + min(n, piece) / max(bw lambda, host). A copy of 0 bytes does not use the
/// link. Needs the host's rate and the size of a piece.
///
/// automatic: staging for pageable memory where the link's file has its numbers, else linear.
enum class CopyModel : std::uint8_t { automatic, linear, staging };

[[nodiscard]] std::string_view copy_model_name(CopyModel model);
[[nodiscard]] std::optional<CopyModel> copy_model_named(std::string_view name);

struct CopyTime {
  double us = 0;                        ///< the whole copy
  double startup_us = 0;                ///< t_s
  double link_us = 0;                   ///< at the rate of the slower of link and host
  double staging_us = 0;                ///< first piece, not hidden behind the link
  CopyModel model = CopyModel::linear;  ///< the model used
};

/// GB/s that a very long copy approaches.
[[nodiscard]] double steady_gbs(const Link& link, CopyDirection direction, HostMemory memory,
                                CopyModel model = CopyModel::automatic);

/// Time of one blocking copy of `bytes` over an idle link: no contention with other copies.
[[nodiscard]] CopyTime copy_time(const Link& link, CopyDirection direction, HostMemory memory,
                                 double bytes, CopyModel model = CopyModel::automatic);

}  // namespace forewarp::model
