// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// How Collectives exchanges data as a library of collectives does: one kernel on each GPU.
#include <algorithm>
#include <simgrid/s4u.hpp>
#include <utility>
#include <vector>

#include "system/description/factors.h"
#include "system/engine/collectives.h"

namespace forewarp::system {

namespace sg = simgrid::s4u;
namespace {

/// How many times as long as expected a collective takes at that place of its interval.
double times_off(const CollectiveTime& time, IntervalPlace place) {
  if (place == IntervalPlace::expected) return 1;
  return time.interval_us[place == IntervalPlace::low ? 0 : 1] / time.chosen.us;
}

}  // namespace

const LibraryPlace& Collectives::library_place_of(const Call& call) {
  const auto [place, is_new] = library_places_.try_emplace(call.group);
  if (!is_new) return place->second;
  if (library_ == nullptr) {
    place->second.obstacle = "no library of collectives was loaded";
    return place->second;
  }
  std::vector<std::size_t> units;
  for (const Process& process : world_.processes()) units.push_back(process.place.component);
  place->second = library_place(world_.platform(), *library_, units,
                                Islands::Ranks(call.ranks.begin(), call.ranks.end()));
  if (world_.system().tick_us > 0) place->second.obstacle = "times are whole ticks";
  return place->second;
}

bool Collectives::is_library(const Call& call, ReduceWay way) {
  if (call.ranks.size() < 2) return false;
  if (way != ReduceWay::automatic && way != ReduceWay::library) return false;
  const LibraryPlace& place = library_place_of(call);
  if (way == ReduceWay::automatic) return place.obstacle.empty() && place.is_described;
  if (!place.obstacle.empty())
    throw CallFault("the library's way cannot be taken: " + place.obstacle);
  return true;
}

/// The last one that comes lets the data flow; all go on when they are there.
void Collectives::by_library(const Call& call, CollectiveKind kind, double bytes,
                             std::uint32_t root) {
  Process& process = call.process;
  const std::pair key{call.group, begun(call)};
  Gathering& gathering = gatherings_[key];
  if (gathering.there == 0) {
    gathering.bytes = bytes;
    gathering.kind = kind;
    gathering.root = root;
    gathering.all_there = sg::Semaphore::create(0);
  } else if (gathering.kind != kind || gathering.root != root) {
    throw CallFault(std::string(collective_name(kind)) + " from rank " + std::to_string(root) +
                    " of the group meets " + std::string(collective_name(gathering.kind)) +
                    " from " + std::to_string(gathering.root) + " in other processes");
  } else if (gathering.bytes != bytes) {
    throw CallFault(std::string(collective_name(kind)) +
                    " has another size here than in other processes");
  }
  if (++gathering.there < call.ranks.size()) {
    process.waits_for = "the others at their collective";
    gathering.all_there->acquire();
    process.waits_for = {};
  } else {
    gathering.last = {process.lane, World::now()};
    exchange(library_place_of(call), kind, bytes);
    for (std::size_t i = 1; i < call.ranks.size(); ++i) gathering.all_there->release();
  }
  ++begun(call);
  Segment segment{process.lane,
                  Activity::message,
                  std::string(collective_name(kind)),
                  gathering.last.at,
                  World::now(),
                  {},
                  true};
  segment.cause = gathering.last;
  if (segment.end > segment.begin) world_.timeline().add(std::move(segment));
  if (++gathering.gone == call.ranks.size()) gatherings_.erase(key);
}

/// Bytes share the links of the ring with whatever else passes them; start-up and steps pass
/// besides.
void Collectives::exchange(const LibraryPlace& place, CollectiveKind kind, double bytes) {
  const auto time = collective_time(library_->tables, place.place, kind, bytes);
  if (!time) throw CallFault(time.error().line());
  ++reduces_.library;
  const CollectiveOption& chosen = time->chosen;
  const double off = times_off(*time, place_);
  sg::this_actor::sleep_for(off * (chosen.startup_us + chosen.latency_us) * per_micro);
  const double seconds = off * chosen.transfer_us * per_micro;
  if (seconds <= 0) return;
  // A switch that adds up takes each GPU's data once; its bandwidth is stated as that of a ring.
  const bool is_switch = chosen.algorithm == CollectiveAlgorithm::nvls;
  const double each = is_switch ? off * bytes : chosen.bus_gbs * per_giga * seconds;
  const double soonest = World::now() + seconds;
  Signal signal;
  std::vector<std::shared_ptr<Flow>> flows;
  for (const LibraryPlace::Edge& edge : place.edges) {
    flows.push_back(world_.flow(edge.from, edge.to, edge.share * each, 0, soonest));
  }
  for (const std::shared_ptr<Flow>& one : flows) one->wait(signal);
  constexpr double rounding = 1e-9;
  if (World::now() > soonest * (1 + rounding)) ++reduces_.disturbed;
}

std::optional<MessageTime> Collectives::message_time(std::size_t from, std::size_t to,
                                                     double bytes) {
  const auto is_gpu = [&](std::size_t unit) {
    return world_.system().components[unit].kind == ComponentKind::gpu;
  };
  if (library_ == nullptr || world_.system().tick_us > 0 || from == to || !is_gpu(from) ||
      !is_gpu(to))
    return std::nullopt;
  const auto [found, is_new] = pairs_.try_emplace({from, to});
  LibraryPlace& pair = found->second;
  if (is_new) pair = library_place(world_.platform(), *library_, {from, to}, {0, 1});
  if (!pair.obstacle.empty() || !pair.is_described) return std::nullopt;
  const auto time =
      collective_time(library_->tables, pair.place, CollectiveKind::send_receive, bytes);
  if (!time) return std::nullopt;
  ++reduces_.library_messages;
  const double off = times_off(*time, place_) * per_micro;
  return MessageTime{off * time->chosen.startup_us, off * time->chosen.transfer_us};
}

void Collectives::all_gather(const Call& call, double bytes, ReduceWay way) {
  if (is_library(call, way)) return by_library(call, CollectiveKind::all_gather, bytes);
  ring(call, bytes / static_cast<double>(call.ranks.size()), 1);
}

void Collectives::reduce_scatter(const Call& call, double bytes, ReduceWay way) {
  if (is_library(call, way)) return by_library(call, CollectiveKind::reduce_scatter, bytes);
  ring(call, bytes / static_cast<double>(call.ranks.size()), 1);
}

std::vector<std::string> Collectives::assumptions() const {
  std::vector<std::string> said;
  if (reduces_.library + reduces_.library_messages == 0) return said;
  for (const auto& [group, place] : library_places_) {
    for (const std::string& line : place.assumptions) {
      if (std::find(said.begin(), said.end(), line) == said.end()) said.push_back(line);
    }
  }
  return said;
}

}  // namespace forewarp::system
