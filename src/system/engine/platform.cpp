// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/engine/platform.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <string>
#include <utility>

namespace forewarp::system {

namespace sg = simgrid::s4u;

namespace {

/// Most kernels that run beside each other on one GPU; its engine lets the others run one by one.
constexpr int most_beside = 1024;

/// A unit may have to run all its processes at once.
int cores_of(const Component& unit) {
  std::uint64_t places = 0;
  for (const LabelPlaces& own : unit.labels) places += own.count;
  return static_cast<int>(std::max<std::uint64_t>(places, 1));
}

}  // namespace

/// What SimGrid asks for routes: units are numbered as they were made.
class Platform::Zone final : public simgrid::kernel::routing::NetZoneImpl {
 public:
  explicit Zone(Platform& platform) : NetZoneImpl("system"), platform_(platform) {}

  void add_link(simgrid::kernel::resource::StandardLinkImpl* link) { links_.push_back(link); }

 private:
  using NetPoint = simgrid::kernel::routing::NetPoint;

  void get_local_route(const NetPoint* from, const NetPoint* to,
                       simgrid::kernel::routing::Route* into, double* /*latency*/) override {
    for (const std::size_t link : platform_.route(from->id(), to->id()).links) {
      into->link_list_.push_back(links_[link]);
    }
  }

  Platform& platform_;
  std::vector<simgrid::kernel::resource::StandardLinkImpl*> links_;
};

void configure_engine() {
  for (const char* setting :
       {"network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:0", "network/weight-S:0",
        "network/loopback-lat:0", "surf/precision:1e-12", "maxmin/precision:1e-9",
        "contexts/stack-size:1024"}) {
    sg::Engine::set_config(std::string(setting));
  }
}

Platform::Platform(const System& system, std::vector<LinkModel> models)
    : system_(system), models_(std::move(models)), ways_(system) {
  auto* const routes = new Zone(*this);  // the engine's, which deletes it
  sg::NetZone* const zone = routes->get_iface();
  for (const Component& unit : system.components) {
    if (unit.kind == ComponentKind::network_switch) {
      hosts_.push_back(nullptr);
      zone->create_router(unit.name);
      continue;
    }
    std::vector<double> speeds = {work_per_s};
    for (const ClockState& clock : unit.clocks) speeds.push_back(work_per_s * clock.share);
    sg::Host* host = zone->create_host(unit.name, speeds);
    if (unit.kind == ComponentKind::disk) {
      host->create_disk(unit.name, unit.disk.read_bytes_per_s, unit.disk.write_bytes_per_s)->seal();
    }
    host->set_core_count(unit.kind == ComponentKind::gpu ? most_beside : cores_of(unit))->seal();
    hosts_.push_back(host);
  }
  for (std::size_t i = 0; i < system.connections.size(); ++i) {
    for (const bool there : {true, false}) {
      const double capacity = units_per_byte * models_[i].capacity(there);
      sg::Link* link = zone->create_link(std::to_string(i) + (there ? ">" : "<"), capacity);
      routes->add_link(link->seal()->get_impl());
    }
  }
  zone->seal();
}

std::uint64_t Platform::units(double bytes) {
  return static_cast<std::uint64_t>(std::max(1.0, std::round(units_per_byte * bytes)));
}

const Platform::Route& Platform::route(std::size_t from, std::size_t to) {
  const std::uint64_t key = std::uint64_t{from} * hosts_.size() + to;
  const auto [place, is_new] = routes_.try_emplace(key);
  Route& route = place->second;
  if (!is_new) return route;
  route.from = from;
  route.to = to;
  if (from == to) return route;
  route.links = ways_.between(from, to);
  route.exists = !route.links.empty();
  if (!route.exists) return route;
  route.capacity = std::numeric_limits<double>::infinity();
  route.bytes_per_s = route.capacity;
  for (const std::size_t link : route.links) {
    const LinkModel& model = models_[link / 2];
    const bool there = link % 2 == 0;
    route.latency_s += model.latency_s(there);
    route.bytes_per_s = std::min(route.bytes_per_s, model.message_rate(there));
    route.capacity = std::min(route.capacity, capacity(link));
  }
  route.limited = route.bytes_per_s < route.capacity;
  return route;
}

double Platform::capacity(std::size_t link) const {
  return models_[link / 2].capacity(link % 2 == 0);
}

}  // namespace forewarp::system
