// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/engine/world.h"

#include <algorithm>
#include <cmath>
#include <simgrid/s4u.hpp>
#include <utility>

#include "base/text.h"
#include "system/description/factors.h"
#include "system/engine/stream.h"

namespace forewarp::system {

namespace sg = simgrid::s4u;

namespace {

constexpr std::size_t most_unread = 100'000;
constexpr std::uint64_t most_messages = 20'000'000;

}  // namespace

World::World(Platform& platform, const std::vector<Place>& places, End end)
    : platform_(platform),
      flows_(platform),
      end_(std::move(end)),
      processes_(places.size()),
      busy_(platform.system().components.size()),
      active_j_(busy_.size()) {
  std::uint32_t gpus = 0;
  for (const Component& unit : platform.system().components) {
    gpu_numbers_.push_back(unit.kind == ComponentKind::gpu ? gpus++ : 0);
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    Process& process = processes_[i];
    process.place = places[i];
    process.rank = static_cast<std::uint32_t>(i);
    process.name = places[i].label + ':' + std::to_string(places[i].index);
    process.lane = timeline_.add_lane(process.name);
  }
}

World::~World() = default;

double World::now() {
  return sg::Engine::get_clock();
}

void World::run(const Body& body) {
  sg::Engine::on_deadlock_cb([this] { deadlock(); });
  follow_clock_changes();
  follow_failures();
  for (Process& process : processes_) {
    sg::Actor::create(process.name, platform_.host(process.place.component),
                      [this, &process, &body] { start(process, body); });
  }
  sg::Engine::get_instance()->run();
}

void World::start(Process& process, const Body& body) {
  body(process);
  process.finish_s = now();
  process.ended = true;
}

double World::ticked(double seconds) const {
  const double tick_us = system().tick_us;
  if (tick_us == 0) return seconds;
  return std::floor(seconds * micro / tick_us) * tick_us / micro;
}

void World::occupy(Process& process, std::size_t unit, double seconds, double watts) {
  need_unit(unit, "to work");
  Work begun{&process, unit, now(), watts};
  begin_sharing(begun);
  const auto work = works_.insert(works_.end(), begun);
  sg::this_actor::exec_init(ticked(seconds) * Platform::work_per_s)
      ->set_host(platform_.host(unit))
      ->wait();
  count(*work, seconds);
  works_.erase(work);
}

void World::count(const Work& work, double seconds) {
  const double part = end_sharing(work);
  const double used = part * joules(work.unit, work.begin, seconds, work.watts);
  busy_[work.unit] += part * (now() - work.begin);
  active_j_[work.unit] += used;
  work.process->energy_j += used;
}

void World::begin_sharing(Work& work) {
  Sharing& unit = sharing_[work.unit];
  if (unit.running > 0) unit.share += (now() - unit.since) / unit.running;
  unit.since = now();
  work.began_alone = unit.running == 0;
  if (++unit.running > 1) ++unit.crowds;
  work.begin_share = unit.share;
  work.crowds = unit.crowds;
}

double World::end_sharing(const Work& work) {
  Sharing& unit = sharing_[work.unit];
  unit.share += (now() - unit.since) / unit.running;
  unit.since = now();
  --unit.running;
  const bool is_gpu = system().components[work.unit].kind == ComponentKind::gpu;
  if (!is_gpu || (work.began_alone && unit.crowds == work.crowds)) return 1;
  const double passed = now() - work.begin;
  return passed > 0 ? (unit.share - work.begin_share) / passed : 1;
}

/// Energy of work that began at `begin` and ends now; `seconds` is its duration at the default
/// clock. A unit whose power does not depend on its clock is charged for that duration.
double World::joules(std::size_t unit, double begin, double seconds, double watts) const {
  const double usual = system().components[unit].power.active_w;
  if (watts >= 0) return seconds * watts;
  const auto found = clocks_.find(unit);
  if (found == clocks_.end()) return seconds * usual;
  double sum = 0;
  double watts_then = usual;
  double from = begin;
  for (const Clocked& change : found->second) {
    if (change.at > begin) {
      sum += (change.at - from) * watts_then;
      from = change.at;
    }
    watts_then = change.state.active_w < 0 ? usual : change.state.active_w;
  }
  return sum + (now() - from) * watts_then;
}

void World::set_clock(std::size_t unit, double share) {
  const Component& component = system().components[unit];
  constexpr double rounding = 1e-9;
  std::vector<ClockState> states = {ClockState{}};
  states.insert(states.end(), component.clocks.begin(), component.clocks.end());
  std::string known;
  for (std::size_t i = 0; i < states.size(); ++i) {
    known += (known.empty() ? "" : ", ") + significant(states[i].share, 6);
    if (std::abs(states[i].share - share) > rounding * share) continue;
    platform_.host(unit)->set_pstate(i);
    clocks_[unit].push_back({now(), states[i]});
    return;
  }
  throw CallFault(component.name + " has no clock of " + significant(share, 6) +
                  " of the usual one; expected " + known);
}

std::string World::clocked_units() const {
  std::string names;
  for (const auto& [unit, changes] : clocks_) {
    names += (names.empty() ? "" : ", ") + system().components[unit].name;
  }
  return names;
}

/// Each unit that changes its clock by itself has somebody who does so.
void World::follow_clock_changes() {
  for (std::size_t unit = 0; unit < system().components.size(); ++unit) {
    const std::vector<ClockChange>& changes = system().components[unit].clock_changes;
    if (changes.empty()) continue;
    sg::Actor::create("clock", platform_.host(unit), [this, unit, &changes] {
      for (const ClockChange& change : changes) {
        sg::this_actor::sleep_until(change.at_s);
        set_clock(unit, change.share);
      }
    })->daemonize();
  }
}

void World::compute(Process& process, double seconds, Activity activity, const std::string& name,
                    double watts) {
  const double begin = now();
  process.waits_for = "its computing to end";
  occupy(process, process.place.component, seconds, watts);
  process.waits_for = {};
  timeline_.add({process.lane, activity, name, begin, now(), {}, false});
}

void World::delay(Process& process, double seconds) {
  const double begin = now();
  sg::this_actor::sleep_for(ticked(seconds));
  timeline_.add({process.lane, Activity::delay, "", begin, now(), {}, false});
}

std::size_t World::disk_of(const Process& process, const std::string& name) const {
  const auto& components = system().components;
  std::vector<std::size_t> found;
  if (!name.empty()) {
    for (std::size_t i = 0; i < components.size(); ++i) {
      if (components[i].kind == ComponentKind::disk && components[i].name == name) return i;
    }
    throw CallFault("there is no disk '" + name + "'");
  }
  for (const Platform::Neighbour& neighbour : platform_.neighbours(process.place.component)) {
    if (components[neighbour.unit].kind == ComponentKind::disk) found.push_back(neighbour.unit);
  }
  if (found.size() == 1) return found.front();
  throw CallFault(components[process.place.component].name + " has links to " +
                  std::to_string(found.size()) + " disks; expected one, or disk = \"NAME\"");
}

void World::transfer(Process& process, std::size_t disk, double bytes, bool is_read) {
  const double begin = now();
  const std::size_t unit = process.place.component;
  const std::size_t from = is_read ? disk : unit, to = is_read ? unit : disk;
  const Platform::Route& route = platform_.route(from, to);
  if (!route.exists) {
    throw CallFault("no links lead from " + system().components[from].name + " to " +
                    system().components[to].name);
  }
  need_unit(disk, "to be read or written");
  process.waits_for = "a disk";
  sg::this_actor::sleep_for(system().components[disk].disk.latency_s + route.latency_s);
  if (bytes >= 1) {
    Signal signal;
    const double soonest = now() + bytes / route.bytes_per_s;
    const std::shared_ptr<Flow> passing = flow(from, to, bytes, 0, soonest);
    const auto size = static_cast<sg_size_t>(bytes);
    const sg::Disk* const place = platform_.disk(disk);
    const sg::IoPtr work = is_read ? place->read_async(size) : place->write_async(size);
    work->wait();
    passing->wait(signal);
  }
  process.waits_for = {};
  timeline_.add(
      {process.lane, Activity::disk, is_read ? "read" : "write", begin, now(), {}, false});
}

Sending World::send(Process& process, std::uint32_t to, double bytes, std::int64_t tag,
                    bool costless, const std::optional<MessageTime>& known) {
  Process& receiver = processes_[to];
  if (receiver.inbox.size() >= most_unread) {
    throw CallFault("more than 100000 messages wait for " + receiver.name + " to receive them");
  }
  if (++messages_ > most_messages) {
    throw CallFault("the processes sent 20000000 messages, the limit");
  }
  const std::size_t from_unit = process.place.component;
  const std::size_t to_unit = receiver.place.component;
  const Platform::Route& route = platform_.route(from_unit, to_unit);
  if (!route.exists) {
    throw CallFault("no links lead from " + system().components[from_unit].name + " to " +
                    system().components[to_unit].name);
  }
  Message message{process.rank, tag, bytes, now()};
  if (from_unit != to_unit && !costless) {
    const MessageTime time =
        known.value_or(MessageTime{route.latency_s, bytes / route.bytes_per_s});
    const double alone = time.latency_s + time.transfer_s;
    if (system().tick_us > 0) {
      message.flow = flow(from_unit, to_unit, 0, 0, now() + ticked(alone));
    } else {
      const double soonest = route.limited ? now() + alone : 0;
      const double on_links = known ? time.transfer_s * route.bytes_per_s : bytes;
      message.flow = flow(from_unit, to_unit, on_links, time.latency_s, soonest);
    }
  }
  receiver.inbox.push_back(message);
  if (receiver.expects && fits(message, *receiver.expects)) {
    receiver.expects.reset();
    receiver.waits_for = {"the data of ", &process};
    if (message.flow == nullptr) {
      receiver.arrival.release();
    } else {
      message.flow->tell(receiver.arrival);
    }
  }
  return {std::move(message), to};
}

void World::wait_sent(Process& process, const Sending& sending) {
  process.waits_for = {"its message to ", &processes_[sending.to], " to be there"};
  arrive(process, sending.message, now());
  process.waits_for = {};
}

/// Stops until the message is there, and notes the time for which that took.
void World::arrive(Process& process, const Message& message, double asked_at) {
  if (message.flow != nullptr) message.flow->wait(process.arrival);
  if (now() <= asked_at) return;
  if (timeline_.is_full()) return timeline_.drop();
  Segment segment{process.lane, Activity::message, "", message.sent_at, now(), {}, true};
  segment.name = "from " + processes_[message.from].name;
  segment.cause = {processes_[message.from].lane, message.sent_at};
  timeline_.add(std::move(segment));
}

bool World::fits(const Message& message, const Expectation& expected) const {
  if (message.tag != expected.tag) return false;
  if (expected.from) return message.from == *expected.from;
  return expected.label.empty() || processes_[message.from].place.label == expected.label;
}

Message World::receive(Process& process, const Expectation& expected) {
  const double asked_at = now();
  const auto found = [&] {
    return std::find_if(process.inbox.begin(), process.inbox.end(),
                        [&](const Message& message) { return fits(message, expected); });
  };
  auto place = found();
  if (place == process.inbox.end()) {
    process.waits_for = expected.from ? Waiting("a message from ", &processes_[*expected.from])
                                      : Waiting("a message from ");
    process.expects = expected;
    process.arrival.wait();
    place = found();
  }
  Message message = std::move(*place);
  process.inbox.erase(place);
  process.waits_for = {"the data of ", &processes_[message.from]};
  arrive(process, message, asked_at);
  process.waits_for = {};
  return message;
}

std::string World::never_received() const {
  const Message* first = nullptr;
  const Process* receiver = nullptr;
  std::size_t count = 0;
  for (const Process& process : processes_) {
    for (const Message& message : process.inbox) {
      if (message.tag < 0) continue;  // of a collective
      ++count;
      if (first != nullptr && first->sent_at <= message.sent_at) continue;
      first = &message;
      receiver = &process;
    }
  }
  if (count == 0) return {};
  return std::to_string(count) + (count == 1 ? " message was" : " messages were") +
         " never received: " + (count == 1 ? "" : "first ") + significant(first->bytes, 6) +
         " bytes from " + processes_[first->from].name + " to " + receiver->name + ", sent at " +
         significant(first->sent_at, 6) + " s";
}

std::size_t World::device_of(const Process& process, std::uint32_t gpu) const {
  const std::size_t unit = process.place.component;
  const auto& components = system().components;
  if (components[unit].kind == ComponentKind::gpu) return unit;
  std::uint32_t seen = 0;
  for (const Platform::Neighbour& neighbour : platform_.neighbours(unit)) {
    if (components[neighbour.unit].kind != ComponentKind::gpu) continue;
    if (seen++ == gpu) return neighbour.unit;
  }
  throw CallFault(components[unit].name + " has links to " + std::to_string(seen) +
                  " GPUs; expected a number below that");
}

void World::fail(const Process& process, const std::string& place, const std::string& text) {
  end_({place + ": process " + process.name + " at " + significant(now(), 6) + " s", text, "", ""});
}

std::string Waiting::text() const {
  return before_ + (whom_ == nullptr ? std::string() : whom_->name) + after_;
}

void World::deadlock() {
  const auto what = [](const Process& process) {
    std::string text = process.waits_for.text();
    if (process.expects && !process.expects->from) {
      text += process.expects->label.empty() ? "anybody" : process.expects->label;
    }
    return text;
  };
  constexpr std::size_t most_told = 4;
  std::string text;
  std::size_t stopped = 0;
  const Process* first = nullptr;
  for (const Process& process : processes_) {
    if (process.ended) continue;
    if (++stopped > most_told) continue;
    if (first == nullptr) {
      first = &process;
      text = "waits for " + what(process) + ", which never comes";
    } else {
      const std::string line = process.line ? process.line() + ": " : "";
      text += "; " + line + process.name + " for " + what(process);
    }
  }
  if (stopped > most_told) text += "; and " + std::to_string(stopped - most_told) + " more";
  if (first != nullptr) fail(*first, first->line ? first->line() : system().name, text);
}

}  // namespace forewarp::system
