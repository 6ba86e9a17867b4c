// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/transfer/host_copy.h"

#include <algorithm>
#include <array>

namespace forewarp::model {
namespace {

constexpr std::array<std::string_view, 3> names = {"pageable", "pinned", "untouched"};

constexpr double bytes_per_us = 1e3;  // 1 GB/s in bytes per us

HostMemory memory_of(HostSide side) {
  return side == HostSide::pinned ? HostMemory::pinned : HostMemory::pageable;
}

/// The two stages that a copy passes, in GB/s; host_gbs 0: one stage, the link's.
struct Stages {
  double link_gbs = 0, host_gbs = 0;
  double startup_us = 0, empty_us = 0, piece_bytes = 0;

  [[nodiscard]] double slower() const {
    return host_gbs > 0 ? std::min(link_gbs, host_gbs) : link_gbs;
  }
};

double one_after_the_other(double a, double b) {
  return 1 / (1 / a + 1 / b);
}

Stages stages_of(const Link& link, const Host& host, CopyDirection direction, HostSide side) {
  const CopyPath& path = link.path(direction, memory_of(side));
  Stages stages{link.theory_gbs * path.share, 0, path.startup_us, path.empty_us, 0};
  if (side == HostSide::pinned) return stages;
  const HostPath& own = host.path(direction);
  stages.piece_bytes = host.piece_bytes > 0 ? host.piece_bytes : link.piece_bytes;
  if (stages.piece_bytes > 0) stages.host_gbs = link.host_gbs;
  if (host.describes(direction)) {
    // The share of pageable copies is that of the host on which the link was measured.
    stages.link_gbs = link.theory_gbs * link.path(direction, HostMemory::pinned).share;
    stages.host_gbs = own.gbs;
  }
  if (own.startup_us > 0) stages.startup_us = own.startup_us;
  if (side != HostSide::untouched) return stages;
  double& busy = stages.host_gbs > 0 ? stages.host_gbs : stages.link_gbs;
  busy = one_after_the_other(busy, host.first_touch_gbs);
  return stages;
}

}  // namespace

std::optional<HostSide> host_side_named(std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<HostSide>(found - names.begin());
}

double steady_gbs(const Link& link, const Host& host, CopyDirection direction, HostSide side) {
  return stages_of(link, host, direction, side).slower();
}

CopyTime copy_time(const Link& link, const Host& host, const HostCopy& copy) {
  const Stages stages = stages_of(link, host, copy.direction, copy.side);
  const bool staged = stages.host_gbs > 0 && stages.piece_bytes > 0;
  CopyTime time;
  time.model = staged ? CopyModel::staging : CopyModel::linear;
  time.startup_us = stages.startup_us;
  time.link_us = copy.bytes / (stages.slower() * bytes_per_us);
  if (staged) {
    const double faster = std::max(stages.link_gbs, stages.host_gbs);
    time.staging_us = std::min(copy.bytes, stages.piece_bytes) / (faster * bytes_per_us);
  }
  if (staged && copy.bytes == 0 && stages.empty_us > 0) time.startup_us = stages.empty_us;
  time.us = time.startup_us + time.link_us + time.staging_us;
  return time;
}

}  // namespace forewarp::model
