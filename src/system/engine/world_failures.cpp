// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Parts of a World that fail: what runs on them ends, and with it the attempt.
#include <algorithm>
#include <simgrid/s4u.hpp>
#include <utility>

#include "system/engine/world.h"

namespace forewarp::system {

namespace sg = simgrid::s4u;

void World::expect(std::vector<FailureEvent> failures, Break broken) {
  failures_ = std::move(failures);
  broken_ = std::move(broken);
}

void World::follow_failures() {
  if (failures_.empty()) return;
  sg::Actor::create("failures", platform_.host(processes_.front().place.component), [this] {
    for (const FailureEvent& event : failures_) {
      sg::this_actor::sleep_until(event.at_s);
      fail(event);
    }
  })->daemonize();
}

void World::fail(const FailureEvent& event) {
  std::set<std::size_t>& down = event.is_link ? down_links_ : down_units_;
  if (!event.fails) {
    down.erase(event.index);
    return;
  }
  down.insert(event.index);
  if (const std::string user = user_of(event); !user.empty()) {
    break_off(name_of(event) + " failed while " + user);
  }
}

std::string World::name_of(const FailureEvent& event) const {
  if (!event.is_link) return system().components[event.index].name;
  return "the link " + system().connections[event.index].name;
}

std::string World::user_of(const FailureEvent& event) const {
  const auto passed = [this](std::size_t connection) {
    return flows_.is_used(2 * connection) || flows_.is_used(2 * connection + 1);
  };
  if (event.is_link) return passed(event.index) ? "data passed it" : "";
  for (const Process& process : processes_) {
    if (!process.ended && process.place.component == event.index) {
      return "process " + process.name + " ran on it";
    }
  }
  for (const Work& work : works_) {
    if (work.unit == event.index) return "it worked for process " + work.process->name;
  }
  const auto& links = platform_.neighbours(event.index);
  const bool is_passed = std::any_of(links.begin(), links.end(), [&](const auto& neighbour) {
    return passed(neighbour.connection);
  });
  return is_passed ? "data passed its links" : "";
}

void World::need_unit(std::size_t unit, const char* what) {
  if (down_units_.contains(unit)) {
    break_off(system().components[unit].name + " has failed and was needed " + what);
  }
}

void World::need_way(std::size_t from, std::size_t to) {
  if (down_units_.empty() && down_links_.empty()) return;
  for (const std::size_t link : platform_.route(from, to).links) {
    const Connection& connection = system().connections[link / 2];
    if (down_links_.contains(link / 2)) {
      break_off("the link " + connection.name + " has failed and was needed by data");
    }
    for (const std::size_t unit : {connection.from, connection.to}) {
      need_unit(unit, "on the way of data");
    }
  }
}

std::shared_ptr<Flow> World::flow(std::size_t from, std::size_t to, double bytes, double latency_s,
                                  double soonest) {
  need_way(from, to);
  return flows_.start(from, to, bytes, latency_s, soonest);
}

/// What is in progress counts as far as it came.
void World::break_off(const std::string& what) {
  for (const Work& work : works_) count(work, now() - work.begin);
  works_.clear();
  for (Process& process : processes_) {
    if (!process.ended) process.finish_s = now();
  }
  broken_({what, now()});
}

}  // namespace forewarp::system
