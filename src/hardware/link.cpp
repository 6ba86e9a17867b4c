// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/link.h"

#include <algorithm>

namespace forewarp::hardware {
namespace {

constexpr std::array<std::string_view, peer_kinds> peer_kinds_in_order = {"nvlink", "pcie",
                                                                          "network"};

}  // namespace

std::string_view direction_name(CopyDirection direction) {
  return direction == CopyDirection::to_device ? "h2d" : "d2h";
}

std::string_view memory_name(HostMemory memory) {
  return memory == HostMemory::pageable ? "pageable" : "pinned";
}

std::optional<CopyDirection> direction_named(std::string_view name) {
  if (name == "h2d") return CopyDirection::to_device;
  if (name == "d2h") return CopyDirection::to_host;
  return std::nullopt;
}

std::optional<HostMemory> memory_named(std::string_view name) {
  if (name == "pageable") return HostMemory::pageable;
  if (name == "pinned") return HostMemory::pinned;
  return std::nullopt;
}

std::string_view peer_kind_name(PeerKind kind) {
  return peer_kinds_in_order[static_cast<std::size_t>(kind)];
}

std::optional<PeerKind> peer_kind_named(std::string_view name) {
  const auto found = std::find(peer_kinds_in_order.begin(), peer_kinds_in_order.end(), name);
  if (found == peer_kinds_in_order.end()) return std::nullopt;
  return static_cast<PeerKind>(found - peer_kinds_in_order.begin());
}

}  // namespace forewarp::hardware
