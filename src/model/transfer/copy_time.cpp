// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/transfer/copy_time.h"

#include <algorithm>
#include <array>

namespace forewarp::model {
namespace {

constexpr std::array<std::string_view, 3> names = {"auto", "linear", "staging"};

constexpr double bytes_per_us = 1e3;  // 1 GB/s in bytes per us

bool stages(const Link& link, HostMemory memory, CopyModel model) {
  const bool can = memory == HostMemory::pageable && link.piece_bytes > 0 && link.host_gbs > 0;
  return can && model != CopyModel::linear;
}

}  // namespace

std::string_view copy_model_name(CopyModel model) {
  return names[static_cast<std::size_t>(model)];
}

std::optional<CopyModel> copy_model_named(std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<CopyModel>(found - names.begin());
}

double steady_gbs(const Link& link, CopyDirection direction, HostMemory memory, CopyModel model) {
  const double reached = link.theory_gbs * link.path(direction, memory).share;
  return stages(link, memory, model) ? std::min(reached, link.host_gbs) : reached;
}

CopyTime copy_time(const Link& link, CopyDirection direction, HostMemory memory, double bytes,
                   CopyModel model) {
  const CopyPath& path = link.path(direction, memory);
  const bool staging = stages(link, memory, model);
  CopyTime time;
  time.model = staging ? CopyModel::staging : CopyModel::linear;
  time.startup_us = path.startup_us;
  time.link_us = bytes / (steady_gbs(link, direction, memory, model) * bytes_per_us);
  if (staging) {
    const double faster = std::max(link.theory_gbs * path.share, link.host_gbs);
    time.staging_us = std::min(bytes, link.piece_bytes) / (faster * bytes_per_us);
    if (bytes == 0 && path.empty_us > 0) time.startup_us = path.empty_us;
  }
  time.us = time.startup_us + time.link_us + time.staging_us;
  return time;
}

}  // namespace forewarp::model
