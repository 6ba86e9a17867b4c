// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/engine/platform.h"

#include <algorithm>
#include <limits>
#include <simgrid/s4u.hpp>
#include <string>
#include <utility>

namespace forewarp::system {

namespace sg = simgrid::s4u;

namespace {

/// A unit may have to run all its processes at once.
int cores_of(const Component& unit) {
  std::uint64_t places = 0;
  for (const LabelPlaces& own : unit.labels) places += own.count;
  return static_cast<int>(std::max<std::uint64_t>(places, 1));
}

}  // namespace

void configure_engine() {
  for (const char* setting :
       {"network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:0", "network/weight-S:0",
        "network/loopback-lat:0", "surf/precision:1e-12", "maxmin/precision:1e-9",
        "contexts/stack-size:1024"}) {
    sg::Engine::set_config(std::string(setting));
  }
}

Platform::Platform(const System& system, std::vector<LinkModel> models)
    : system_(system), models_(std::move(models)), neighbours_(system.components.size()) {
  auto* zone = sg::create_dijkstra_zone("system", true);
  std::vector<simgrid::kernel::routing::NetPoint*> points;
  for (const Component& unit : system.components) {
    if (unit.kind == ComponentKind::network_switch) {
      hosts_.push_back(nullptr);
      points.push_back(zone->create_router(unit.name));
      continue;
    }
    std::vector<double> speeds = {work_per_s};
    for (const ClockState& clock : unit.clocks) speeds.push_back(work_per_s * clock.share);
    sg::Host* host = zone->create_host(unit.name, speeds);
    if (unit.kind == ComponentKind::disk) {
      host->create_disk(unit.name, unit.disk.read_bytes_per_s, unit.disk.write_bytes_per_s)->seal();
    }
    host->set_core_count(unit.kind == ComponentKind::gpu ? 1 : cores_of(unit))->seal();
    hosts_.push_back(host);
    points.push_back(host->get_netpoint());
  }
  // A way of few links is preferred: what costs more hops passes links that never limit.
  sg::Link* padding = zone->create_link("padding", std::numeric_limits<float>::max())
                          ->set_sharing_policy(sg::Link::SharingPolicy::FATPIPE)
                          ->seal();
  for (std::size_t i = 0; i < system.connections.size(); ++i) {
    const Connection& connection = system.connections[i];
    for (const bool there : {true, false}) {
      sg::Link* link =
          zone->create_link(std::to_string(i) + (there ? ">" : "<"), models_[i].capacity(there))
              ->seal();
      numbers_[link] = links_.size();
      links_.push_back(link);
      std::vector<sg::LinkInRoute> way(connection.hops, sg::LinkInRoute(padding));
      way.front() = sg::LinkInRoute(link);
      const std::size_t from = there ? connection.from : connection.to;
      const std::size_t to = there ? connection.to : connection.from;
      zone->add_route(points[from], points[to], nullptr, nullptr, way, false);
      neighbours_[from].push_back({to, i, there});
    }
  }
  zone->seal();
}

sg::CommPtr flow_of(sg::Host* from, sg::Host* to, double bytes) {
  sg::CommPtr flow = sg::Comm::sendto_init();
  flow->set_payload_size(static_cast<std::uint64_t>(bytes));
  flow->set_source(from)->set_destination(to);  // starts it
  return flow;
}

/// SimGrid does not survive the question for a route between units that no links join.
bool Platform::reaches(std::size_t from, std::size_t to) const {
  std::vector<bool> seen(neighbours_.size());
  std::vector<std::size_t> left{from};
  while (!left.empty() && !seen[to]) {
    const std::size_t unit = left.back();
    left.pop_back();
    for (const Neighbour& neighbour : neighbours_[unit]) {
      if (seen[neighbour.unit]) continue;
      seen[neighbour.unit] = true;
      left.push_back(neighbour.unit);
    }
  }
  return seen[to];
}

const Platform::Route& Platform::route(std::size_t from, std::size_t to) {
  const std::uint64_t key = std::uint64_t{from} * hosts_.size() + to;
  const auto [place, is_new] = routes_.try_emplace(key);
  Route& route = place->second;
  if (!is_new || from == to) return route;
  route.exists = reaches(from, to);
  if (!route.exists) return route;
  double narrowest = std::numeric_limits<double>::infinity();
  route.bytes_per_s = narrowest;
  for (const std::size_t link : passed(from, to)) {
    const LinkModel& model = models_[link / 2];
    const bool there = link % 2 == 0;
    route.latency_s += model.latency_s(there);
    route.bytes_per_s = std::min(route.bytes_per_s, model.message_rate(there));
    narrowest = std::min(narrowest, capacity(link));
  }
  route.limited = route.bytes_per_s < narrowest;
  return route;
}

std::vector<std::size_t> Platform::passed(std::size_t from, std::size_t to) const {
  std::vector<sg::Link*> links;
  double no_latency = 0;
  hosts_[from]->route_to(hosts_[to], links, &no_latency);
  std::vector<std::size_t> numbers;
  for (const sg::Link* link : links) {
    const auto found = numbers_.find(link);
    if (found != numbers_.end()) numbers.push_back(found->second);
  }
  return numbers;
}

std::vector<std::size_t> Platform::way(std::size_t from, std::size_t to) const {
  if (from == to || !reaches(from, to)) return {};
  return passed(from, to);
}

double Platform::capacity(std::size_t link) const {
  return models_[link / 2].capacity(link % 2 == 0);
}

bool Platform::is_used(std::size_t link) const {
  return links_[link]->get_usage() > 0;
}

}  // namespace forewarp::system
