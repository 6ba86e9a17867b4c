// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/application/actor.h"

#include <nlohmann/json.hpp>

#include "base/text.h"

namespace forewarp::system {

std::uint32_t Actor::count() const {
  return static_cast<std::uint32_t>(application_.groups.at(label()).ranks.size());
}

std::uint32_t Actor::size() const {
  return static_cast<std::uint32_t>(application_.groups.at("").ranks.size());
}

std::uint32_t Actor::rank_of(const std::string& label, std::uint32_t index) const {
  const auto group = application_.groups.find(label);
  if (label.empty() || group == application_.groups.end() || index >= group->second.ranks.size()) {
    throw CallFault("there is no process " + label + ':' + std::to_string(index));
  }
  return group->second.ranks[index];
}

void Actor::compute(double seconds, const std::string& name) {
  world().compute(process_, seconds, Activity::compute, name);
}

void Actor::operations(double count, const std::string& name) {
  const Component& unit = world().system().components[process_.place.component];
  if (unit.performance <= 0) {
    throw CallFault(unit.name + " has no performance, in operations per second, in " +
                    world().system().file);
  }
  compute(count / unit.performance, name);
}

void Actor::delay(double seconds) {
  world().delay(process_, seconds);
}

void Actor::read(double bytes, const std::string& disk) {
  world().transfer(process_, world().disk_of(process_, disk), bytes, true);
}

void Actor::write(double bytes, const std::string& disk) {
  world().transfer(process_, world().disk_of(process_, disk), bytes, false);
}

void Actor::clock(double share) {
  world().set_clock(process_.place.component, share);
}

Issue Actor::issue(Stream* stream, std::uint32_t gpu) const {
  return {process_, stream != nullptr ? stream->device() : world().device_of(process_, gpu),
          stream};
}

void Actor::kernel(const KernelRun& run, Stream* stream, std::uint32_t gpu) {
  application_.devices->kernel(issue(stream, gpu), run);
}

void Actor::launch(const std::string& json, Stream* stream, std::uint32_t gpu) {
  const Issue to = issue(stream, gpu);
  const Component& unit = world().system().components[to.device];
  auto launch = nlohmann::json::parse(json, nullptr, false);
  if (!launch.is_object()) throw CallFault("a launch is no case in JSON");
  if (unit.hardware.empty()) throw CallFault(unit.name + " has no hardware");
  launch["gpu"] = unit.hardware;
  const auto predicted = application_.kernels->predict(launch.dump(), unit.memory_bytes);
  if (!predicted) throw CallFault(predicted.error().line());
  KernelRun run{predicted->name, predicted->seconds};
  run.costs = predicted->costs;
  application_.devices->kernel(to, run);
}

void Actor::copy(const CopyRun& run, Stream* stream, std::uint32_t gpu) {
  application_.devices->copy(issue(stream, gpu), run);
}

Graph& Actor::graph(std::uint32_t gpu) {
  return application_.devices->open_graph(process_, world().device_of(process_, gpu));
}

std::size_t Actor::kernel(const KernelRun& run, Graph& graph, const NodeOrder& after) {
  return application_.devices->add(process_, graph, run, after);
}

std::size_t Actor::copy(const CopyRun& run, Graph& graph, const NodeOrder& after) {
  return application_.devices->add(process_, graph, run, after);
}

void Actor::launch(Graph& graph, Stream* stream) {
  application_.devices->launch(process_, graph, stream);
}

Stream& Actor::stream(std::uint32_t gpu) {
  return application_.devices->open_stream(process_, world().device_of(process_, gpu));
}

void Actor::synchronise(Stream* stream) {
  application_.devices->synchronise(process_, stream);
}

void Actor::wait(Stream& stream, const StreamEvent& event) {
  application_.devices->wait_for(process_, stream, event);
}

Sending Actor::isend(std::uint32_t to, double bytes, std::int64_t tag) {
  if (to >= size()) throw CallFault("there is no process of rank " + std::to_string(to));
  return application_.send(process_, to, bytes, tag);
}

void Actor::send(std::uint32_t to, double bytes, std::int64_t tag) {
  wait(isend(to, bytes, tag));
}

void Actor::wait(const Sending& sending) {
  world().wait_sent(process_, sending);
}

Message Actor::receive(const Expectation& expected) {
  return world().receive(process_, expected);
}

Collectives::Call Actor::call(Scope scope) const {
  const Group& group = application_.groups.at(scope == Scope::all ? "" : label());
  return {process_, group.ranks, scope == Scope::all ? rank() : index(), group.number};
}

void Actor::barrier(Scope scope) {
  application_.collectives->barrier(call(scope));
}
void Actor::broadcast(double bytes, std::uint32_t root, Scope scope) {
  application_.collectives->broadcast(call(scope), bytes, root);
}
void Actor::reduce(double bytes, std::uint32_t root, Scope scope) {
  application_.collectives->reduce(call(scope), bytes, root);
}
void Actor::all_reduce(double bytes, const ReduceHow& how, Scope scope) {
  application_.collectives->all_reduce(call(scope), bytes, how);
}
void Actor::scatter(double bytes, std::uint32_t root, Scope scope) {
  application_.collectives->scatter(call(scope), bytes, root);
}
void Actor::gather(double bytes, std::uint32_t root, Scope scope) {
  application_.collectives->gather(call(scope), bytes, root);
}
void Actor::all_to_all(double bytes, Scope scope) {
  application_.collectives->all_to_all(call(scope), bytes);
}

}  // namespace forewarp::system
