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
/// linear: T = t_s + n / (bw lambda), Gajger 2017, eqs 4.8 and 5.5. Known limit: small and middle
/// sizes from pageable memory come out up to 60 % short (Fig. 6.9).
///
/// staging: pageable data pass through a pinned buffer of the driver in pieces. The first piece
/// (the last one, towards the host) is copied by the host alone, min(n, piece) / host; after that
/// the slower of host and link sets the pace: T = t_s + n / min(bw lambda, host) + min(n, piece) /
/// host. A copy of nothing ends before the link. Needs the host's rate and the piece.
///
/// automatic: staging for pageable memory where the link's file has its numbers, else linear.
enum class CopyModel : std::uint8_t { automatic, linear, staging };

[[nodiscard]] std::string_view copy_model_name(CopyModel model);
[[nodiscard]] std::optional<CopyModel> copy_model_named(std::string_view name);

struct CopyTime {
  double us = 0;                        ///< all of it
  double startup_us = 0;                ///< t_s
  double link_us = 0;                   ///< at the pace of the slower of link and host
  double staging_us = 0;                ///< first piece, not hidden behind the link
  CopyModel model = CopyModel::linear;  ///< the one used
};

/// GB/s that a very long copy comes to.
[[nodiscard]] double steady_gbs(const Link& link, CopyDirection direction, HostMemory memory,
                                CopyModel model = CopyModel::automatic);

/// One blocking copy of `bytes` over an idle link. The other direction and other copies change
/// nothing.
[[nodiscard]] CopyTime copy_time(const Link& link, CopyDirection direction, HostMemory memory,
                                 double bytes, CopyModel model = CopyModel::automatic);

}  // namespace forewarp::model
