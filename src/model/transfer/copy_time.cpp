// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/transfer/copy_time.h"

#include <algorithm>
#include <array>

namespace forewarp {
namespace {

constexpr std::array<std::string_view, 3> names = {"auto", "linear", "staging"};

constexpr double bytes_per_us = 1e3;  // of 1 GB/s

}  // namespace

std::string_view copy_model_name(CopyModel model) {
  return names[static_cast<std::size_t>(model)];
}

std::optional<CopyModel> copy_model_named(std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<CopyModel>(found - names.begin());
}

CopyTime copy_time(const Link& link, CopyDirection direction, HostMemory memory, double bytes,
                   CopyModel model) {
  const CopyPath& path = link.path(direction, memory);
  const bool can_stage =
      memory == HostMemory::pageable && link.piece_bytes > 0 && link.host_gbs > 0;
  const bool staging = can_stage && model != CopyModel::linear;
  const double reached = link.theory_gbs * path.share;
  CopyTime time;
  time.model = staging ? CopyModel::staging : CopyModel::linear;
  time.startup_us = path.startup_us;
  time.link_us = bytes / (reached * bytes_per_us);
  if (staging) {
    time.link_us = bytes / (std::min(reached, link.host_gbs) * bytes_per_us);
    time.staging_us = std::min(bytes, link.piece_bytes) / (link.host_gbs * bytes_per_us);
    if (bytes == 0 && path.empty_us > 0) time.startup_us = path.empty_us;
  }
  time.us = time.startup_us + time.link_us + time.staging_us;
  return time;
}

}  // namespace forewarp
