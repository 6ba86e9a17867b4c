// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/peer_link.h"

#include <utility>

namespace forewarp::hardware {

std::optional<Link> peer_link(const LinkDatabase& links, const Gpu& gpu) {
  const auto stated = gpu.facts.find("link.peer");
  if (stated == gpu.facts.end()) return std::nullopt;
  auto link = links.load(stated->second.text);
  if (!link) return std::nullopt;
  return *std::move(link);
}

}  // namespace forewarp::hardware
