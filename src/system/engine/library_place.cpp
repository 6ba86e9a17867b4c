// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/engine/library_place.h"

#include <algorithm>
#include <limits>

#include "system/description/factors.h"

namespace forewarp::system {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Reads off the ways of a ring what joins its GPUs.
class PlaceReader {
 public:
  PlaceReader(Platform& platform, LibraryPlace& to) : platform_(platform), to_(to) {
    to_.is_described = true;
    to_.place.fabric_gbs = to_.place.fabric_theory_gbs = unlimited;
    to_.place.network_gbs = unlimited;
  }

  void edge(std::size_t from, std::size_t to) {
    const System& system = platform_.system();
    const Platform::Route& route = platform_.route(from, to);
    if (route.links.empty()) {
      to_.obstacle = "no links lead from " + system.components[from].name + " to " +
                     system.components[to].name;
      return;
    }
    const bool is_within = system.components[from].island == system.components[to].island;
    double latency_s = 0;
    for (const std::size_t link : route.links) {
      is_within ? within(link) : between(link);
      if (platform_.model(link / 2).hardware() == nullptr) {
        latency_s += platform_.model(link / 2).latency_s(link % 2 == 0);
      }
    }
    if (!is_within) {
      to_.place.network_latency_us = std::max(to_.place.network_latency_us, latency_s / per_micro);
    }
  }

  /// As many adapters as the narrowest place lets work at once.
  void finish() {
    CollectivePlace& place = to_.place;
    if (ways_gbs_ == unlimited || place.network_gbs <= 0) return;
    place.adapters = std::max(1U, static_cast<std::uint32_t>(ways_gbs_ / place.network_gbs));
  }

 private:
  [[nodiscard]] bool touches(std::size_t link, ComponentKind kind) const {
    const Connection& way = platform_.system().connections[link / 2];
    const auto& units = platform_.system().components;
    return units[way.from].kind == kind || units[way.to].kind == kind;
  }

  void within(std::size_t link) {
    const LinkModel& model = platform_.model(link / 2);
    CollectivePlace& place = to_.place;
    place.is_switched = place.is_switched || touches(link, ComponentKind::network_switch);
    const Link* hardware = model.hardware();
    if (hardware != nullptr && hardware->peer.kind) {
      place.fabric = *hardware->peer.kind;
      place.fabric_gbs = std::min(place.fabric_gbs, hardware->peer.gbs);
      place.fabric_theory_gbs = std::min(place.fabric_theory_gbs, hardware->theory_gbs);
      return;
    }
    to_.is_described = false;
    const double gbs = model.message_rate(link % 2 == 0) / per_giga;
    place.fabric_gbs = std::min(place.fabric_gbs, gbs);
    place.fabric_theory_gbs = std::min(place.fabric_theory_gbs, gbs);
  }

  /// A GPU's own link to its host limits one of the rings, not all that leave the node.
  void between(std::size_t link) {
    if (touches(link, ComponentKind::gpu)) return;
    const LinkModel& model = platform_.model(link / 2);
    const Link* hardware = model.hardware();
    CollectivePlace& place = to_.place;
    const bool has_peers = hardware != nullptr && hardware->peer.kind;
    if (!has_peers) to_.is_described = false;
    const double gbs =
        has_peers ? hardware->peer.gbs : model.message_rate(link % 2 == 0) / per_giga;
    place.network_gbs = std::min(place.network_gbs, gbs);
    ways_gbs_ = std::min(ways_gbs_, gbs * platform_.system().connections[link / 2].lanes);
  }

  Platform& platform_;
  LibraryPlace& to_;
  double ways_gbs_ = unlimited;  ///< of the narrowest place between nodes, all its lanes
};

/// Rings within each island, and from each to the next one as many ways as it has adapters and
/// GPUs: each of as many rings leaves a node at another GPU.
std::vector<LibraryPlace::Edge> edges_of(const Islands& islands,
                                         const std::vector<std::size_t>& units,
                                         std::uint32_t adapters) {
  std::vector<LibraryPlace::Edge> edges;
  const std::size_t nodes = islands.islands.size();
  for (std::size_t i = 0; i < nodes; ++i) {
    const Islands::Ranks& own = islands.islands[i];
    const Islands::Ranks& next = islands.islands[(i + 1) % nodes];
    const std::size_t inner = nodes == 1 ? own.size() : own.size() - 1;
    for (std::size_t k = 0; k < inner; ++k) {
      edges.push_back({units[own[k]], units[own[(k + 1) % own.size()]]});
    }
    if (nodes == 1) continue;
    const std::size_t ways = std::clamp<std::size_t>(adapters, 1, own.size());
    for (std::size_t k = 0; k < ways; ++k) {
      edges.push_back({units[own[k]], units[next[k]], 1 / static_cast<double>(ways)});
    }
  }
  return edges;
}

}  // namespace

LibraryPlace library_place(Platform& platform, const CollectiveLibrary& library,
                           const std::vector<std::size_t>& units, const Islands::Ranks& ranks) {
  LibraryPlace found;
  const System& system = platform.system();
  for (const std::uint32_t rank : ranks) {
    const Component& unit = system.components[units[rank]];
    const auto chip = library.chips.find(unit.hardware);
    if (unit.kind != ComponentKind::gpu || chip == library.chips.end()) {
      found.obstacle = unit.name + " is no GPU with hardware";
      return found;
    }
    found.place.generation = chip->second.generation;
    found.place.l2_bytes = chip->second.l2_bytes;
  }
  const Islands islands = islands_of(system, units, ranks);
  if (!islands.uneven.empty()) {
    found.obstacle = "as many processes on each node are needed; there are " + islands.uneven;
    return found;
  }
  Islands::Ranks ring;
  for (const Islands::Ranks& island : islands.islands) {
    ring.insert(ring.end(), island.begin(), island.end());
  }
  PlaceReader reader(platform, found);
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const std::size_t from = units[ring[i]], to = units[ring[(i + 1) % ring.size()]];
    if (from == to) found.obstacle = "two processes share " + system.components[from].name;
    if (found.obstacle.empty()) reader.edge(from, to);
  }
  CollectivePlace& place = found.place;
  reader.finish();
  found.edges = edges_of(islands, units, place.adapters);
  place.ranks = static_cast<std::uint32_t>(ranks.size());
  place.nodes = static_cast<std::uint32_t>(islands.islands.size());
  place.switch_reduces = place.is_switched && place.fabric == PeerKind::nvlink &&
                         library.tables.nvls_share[place.generation] > 0;
  if (!found.is_described) {
    found.assumptions.push_back(
        "collectives: links that name no hardware count as NVLink within a node and as a network "
        "between nodes, of the GB/s that they state");
  }
  return found;
}

}  // namespace forewarp::system
