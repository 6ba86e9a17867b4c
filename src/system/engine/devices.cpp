// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/engine/devices.h"

#include <memory>
#include <simgrid/s4u.hpp>
#include <utility>

#include "system/description/factors.h"

namespace forewarp::system {

namespace sg = simgrid::s4u;

namespace {

constexpr std::uint32_t most_streams = 10'000;

Segment segment_of(Activity activity, const std::string& name) {
  Segment segment;
  segment.activity = activity;
  segment.name = name;
  return segment;
}

}  // namespace

void Devices::work(std::uint32_t lane, Instant given, Kind kind, std::size_t device,
                   Segment segment, const std::function<void()>& operation) {
  Engine& engine = engines_[device][static_cast<std::size_t>(kind)];
  if (engine.free == nullptr) engine.free = sg::Semaphore::create(1);
  const double ready = World::now();
  engine.free->acquire();
  segment.lane = lane;
  segment.gpu = world_.gpu_number(device);
  segment.begin = World::now();
  if (segment.begin > ready) {
    segment.cause = engine.last;
    segment.has_cause = true;
  } else if (given.lane != lane && given.at >= ready) {
    segment.cause = given;
    segment.has_cause = true;
  }
  operation();
  segment.end = World::now();
  engine.last = {lane, segment.end};
  world_.timeline().add(std::move(segment));
  engine.free->release();
}

void Devices::issue(const Issue& to, const Stream::Operation& operation, double call_s) {
  const Instant now{to.process.lane, World::now()};
  if (to.stream != nullptr) {
    to.stream->give(operation, now);
    return hold(to.process, to.device, call_s);
  }
  to.process.waits_for = "its device to end";
  operation(to.process.lane, now);
  to.process.waits_for = {};
}

void Devices::hold(Process& process, std::size_t device, double call_s) {
  const Host* const host = host_of(device);
  if (host != nullptr && host->launch_call_us > 0) call_s = host->launch_call_us * per_micro;
  if (call_s <= 0) return;
  Segment call = segment_of(Activity::delay, "launches");
  call.lane = process.lane;
  call.begin = World::now();
  sg::this_actor::sleep_for(world_.ticked(call_s));
  call.end = World::now();
  world_.timeline().add(std::move(call));
}

void Devices::wait_for_launch(std::uint32_t lane, Instant given, double seconds) {
  const double begin = World::now();
  const double start = given.at + world_.ticked(seconds);
  if (start <= begin) return;
  Segment launch = segment_of(Activity::delay, "launch");
  launch.lane = lane;
  launch.begin = begin;
  launch.end = start;
  launch.has_cause = given.lane != lane && given.at >= begin;
  if (launch.has_cause) launch.cause = given;
  sg::this_actor::sleep_until(start);
  world_.timeline().add(std::move(launch));
}

void Devices::kernel(const Issue& to, const KernelRun& run) {
  const Host* const host = host_of(to.device);
  const bool known = host != nullptr && host->launch_us > 0;
  const double launch = known ? host->launch_us * per_micro : run.costs.start_s;
  const auto launched = [this, launch, work = kernel_work(to.process, to.device, run)](
                            std::uint32_t lane, Instant given) {
    wait_for_launch(lane, given, launch);
    work(lane, given);
  };
  issue(to, launched, run.costs.call_s);
}

Stream::Operation Devices::kernel_work(Process& process, std::size_t device, const KernelRun& run) {
  return [this, run, &process, device](std::uint32_t lane, Instant given) {
    const auto operation = [&] { world_.occupy(process, device, run.seconds, run.watts); };
    Segment segment = segment_of(Activity::kernel, run.name);
    if (!run.is_beside) {
      return work(lane, given, Kind::kernels, device, std::move(segment), operation);
    }
    segment.lane = lane;
    segment.gpu = world_.gpu_number(device);
    segment.begin = World::now();
    segment.has_cause = given.lane != lane && given.at >= segment.begin;
    if (segment.has_cause) segment.cause = given;
    operation();
    segment.end = World::now();
    world_.timeline().add(std::move(segment));
  };
}

const Host* Devices::host_of(std::size_t unit) const {
  const auto& components = world_.system().components;
  if (components[unit].kind == ComponentKind::cpu) return components[unit].host.get();
  for (const Platform::Neighbour& neighbour : world_.platform().neighbours(unit)) {
    const Component& other = components[neighbour.unit];
    if (other.kind == ComponentKind::cpu) return other.host.get();
  }
  return nullptr;
}

void Devices::calls(Process& process, double count) {
  const std::size_t unit = process.place.component;
  const Host* const host = host_of(unit);
  if (host == nullptr || host->call_us <= 0) {
    assumptions_.insert("calls take no time on " + world_.system().components[unit].name +
                        ": call.us of its host was not measured");
    return;
  }
  world_.delay(process, count * host->call_us * per_micro);
}

const Platform::Neighbour& Devices::host_link(std::size_t device) const {
  const auto& components = world_.system().components;
  for (const Platform::Neighbour& neighbour : world_.platform().neighbours(device)) {
    if (components[neighbour.unit].kind == ComponentKind::cpu) return neighbour;
  }
  throw CallFault(components[device].name + " has no link to a host; a copy needs one");
}

void Devices::run_copy(const CopyRun& run, std::size_t device) {
  if (run.seconds >= 0) {
    sg::this_actor::sleep_for(world_.ticked(run.seconds));
    return;
  }
  const Platform::Neighbour& link = host_link(device);
  const bool to_device = run.direction == CopyDirection::to_device;
  // The link is seen from the device.
  const bool there = link.there != to_device;
  const LinkModel& model = world_.platform().model(link.connection);
  const LinkModel::Copy copy = model.copy(there, run.side, run.bytes);
  for (std::string& one : model.assumed(there, run.side)) assumptions_.insert(std::move(one));
  if (world_.system().tick_us > 0) {
    sg::this_actor::sleep_for(world_.ticked(copy.before_s + run.bytes / copy.bytes_per_s));
    return;
  }
  sg::this_actor::sleep_for(copy.before_s);
  if (run.bytes < 1) return;
  const double soonest = World::now() + run.bytes / copy.bytes_per_s;
  const std::size_t from = to_device ? link.unit : device, to = to_device ? device : link.unit;
  Signal signal;
  world_.flow(from, to, run.bytes, 0, soonest)->wait(signal);
}

void Devices::copy(const Issue& to, const CopyRun& run) {
  issue(to, copy_work(to.device, run), 0);
}

Stream::Operation Devices::copy_work(std::size_t device, const CopyRun& run) {
  (void)host_link(device);
  const bool to_device = run.direction == CopyDirection::to_device;
  const std::string name = to_device ? "to the device" : "to the host";
  const Kind kind = to_device ? Kind::to_device : Kind::to_host;
  return [this, run, kind, name, device](std::uint32_t lane, Instant given) {
    Segment segment = segment_of(Activity::copy, name);
    segment.bytes = run.bytes;
    segment.is_pinned = run.side == HostSide::pinned;
    work(lane, given, kind, device, std::move(segment), [&] { run_copy(run, device); });
  };
}

std::unique_ptr<Stream> Devices::new_stream(const std::string& name, std::size_t device) {
  if (++streams_ > most_streams) {
    throw CallFault("more than 10000 streams and branches of graphs; expected fewer");
  }
  auto stream = std::make_unique<Stream>(world_.timeline().add_lane(name), device);
  stream->open(name, world_.platform().host(device));
  return stream;
}

Stream& Devices::open_stream(Process& process, std::size_t device) {
  const std::string name = process.name + " stream " + std::to_string(process.streams.size());
  process.streams.push_back(new_stream(name, device));
  return *process.streams.back();
}

void Devices::synchronise(Process& process, Stream* stream) {
  for (const std::unique_ptr<Stream>& own : process.streams) {
    if (stream != nullptr && own.get() != stream) continue;
    if (own->done() >= own->given()) continue;
    process.waits_for = "a stream to end";
    const double begin = World::now();
    own->wait_done(own->given());
    process.waits_for = {};
    Segment wait{process.lane, Activity::delay, "", World::now(), World::now(), {}, true};
    wait.cause = {own->lane(), own->done_at()};
    if (World::now() > begin) world_.timeline().add(std::move(wait));
  }
}

void Devices::wait_for(Process& process, Stream& stream, const StreamEvent& event) {
  stream.give(
      [this, event](std::uint32_t lane, Instant) {
        const double begin = World::now();
        event.stream->wait_done(event.count);
        const double end = World::now();
        if (end == begin) return;
        Segment wait{lane, Activity::delay, "", end, end, {event.stream->lane(), end}, true};
        world_.timeline().add(std::move(wait));
      },
      {process.lane, World::now()});
}

void Devices::delay(Process& process, Stream& stream, double seconds) {
  stream.give(
      [this, seconds](std::uint32_t lane, Instant) {
        const double begin = World::now();
        sg::this_actor::sleep_for(world_.ticked(seconds));
        world_.timeline().add({lane, Activity::delay, "", begin, World::now(), {}, false});
      },
      {process.lane, World::now()});
}

}  // namespace forewarp::system
