// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/machine.h"

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "hardware/host_database.h"
#include "hardware/link_database.h"
#include "hardware/peer_link.h"
#include "hardware/reached_bandwidth.h"
#include "program_run/launch_selection.h"

namespace forewarp::program_run {
namespace {

constexpr double ns_per_us = 1000;

Nanoseconds nanoseconds(double us) {
  return static_cast<Nanoseconds>(us * ns_per_us + 0.5);
}

}  // namespace

Machine::Machine(const Settings& settings, const ProgramClocks& clocks, HardwareDatabase database)
    : settings_(settings),
      clock_(clocks, settings.host_factor),
      database_(database),
      predictor_(std::move(database)) {}

Expected<std::unique_ptr<Machine>> Machine::create(const Settings& settings,
                                                   const ProgramClocks& clocks) {
  auto database = settings.data.empty()
                      ? HardwareDatabase::locate()
                      : Expected<HardwareDatabase>(HardwareDatabase(settings.data));
  if (!database) return database.error();
  std::unique_ptr<Machine> made(new Machine(settings, clocks, *std::move(database)));
  if (auto done = made->prepare(); !done) return done.error();
  return made;
}

Expected<void> Machine::prepare() {
  if (!settings_.journal.empty()) {
    if (auto done = journal_.open(settings_.journal); !done) return done;
  }
  auto board = predictor_.gpu(settings_.gpus.front(), {});
  if (!board) return board.error();
  gpu_ = *std::move(board);
  const HostDatabase hosts(database_.directory());
  auto host = settings_.host.empty() ? hosts.undescribed() : hosts.load(settings_.host);
  if (!host) return host.error();
  host_ = *std::move(host);
  auto link = LinkDatabase(database_.directory()).load(gpu_->host_link);
  if (!link) return link.error();
  link_ = *std::move(link);
  // Boards without a link of their own speak over the host's.
  peer_link_ = hardware::peer_link(LinkDatabase(database_.directory()), *gpu_).value_or(link_);
  copy_gbs_ = reached_bandwidth(*gpu_).gbs;
  for (std::uint32_t i = 0; i < settings_.devices; ++i) {
    if (auto done = memory_.add_device(static_cast<std::uint64_t>(gpu_->memory.bytes)); !done)
      return done;
  }
  schedules_.resize(settings_.devices);
  request::PredictOptions obtained;
  obtained.toolkit = settings_.toolkit;
  obtained.assume_isa = settings_.assume_isa;
  modules_ = std::make_unique<CodeModules>(predictor_, memory_, settings_.gpus.front(),
                                           std::move(obtained));
  launcher_ = std::make_unique<Launcher>(predictor_, memory_, *modules_, journal_, settings_);
  libraries_ = std::make_unique<LibraryCalls>(predictor_, settings_, journal_);
  auto selection = LaunchSelection::of(settings_.selection);
  if (!selection) return selection.error();
  launcher_->select(*std::move(selection));
  if (!settings_.record.empty()) {
    if (auto done = launcher_->record_in(settings_.record); !done) return done;
  }
  ProcessRecord record;
  record.program = "";
  if (auto text = read_file("/proc/self/cmdline")) {
    record.program = *text;
    std::replace(record.program.begin(), record.program.end(), '\0', ' ');
  }
  record.gpus = settings_.gpus;
  record.device = gpu_->name;
  journal_.add(record);
  costs_ = HostCosts(host_);
  clock_.start_later(nanoseconds(costs_.us(hardware::HostCall::start)));
  return {};
}

void Machine::end_call() {
  clock_.start_later(nanoseconds(costs_.context_us()));
  clock_.leave(costs_.take());
}

std::uint32_t Machine::device_of(StreamId stream, std::uint32_t current) const {
  const auto found = stream_device_.find(stream);
  return found == stream_device_.end() ? current : found->second;
}

DeviceSchedule& Machine::schedule_of(StreamId stream, std::uint32_t device) {
  return schedules_[device_of(stream, device)];
}

StreamId Machine::add_stream(std::uint32_t device, bool blocking) {
  const StreamId made = ++streams_;
  schedules_[device].add_stream(made, blocking);
  stream_device_[made] = device;
  return made;
}

StreamId Machine::make_stream(std::uint32_t device, bool blocking, std::int32_t priority) {
  costs_.charge(hardware::HostCall::make_stream);
  const StreamId made = add_stream(device, blocking);
  stream_facts_[made] = {blocking, priority};
  return made;
}

Machine::StreamFacts Machine::stream_facts(StreamId stream) const {
  const auto found = stream_facts_.find(stream);
  return found == stream_facts_.end() ? StreamFacts{} : found->second;
}

bool Machine::has_stream(StreamId stream) const {
  return stream < first_stream || stream_device_.contains(stream);
}

bool Machine::end_stream(StreamId stream) {
  const auto found = stream_device_.find(stream);
  if (found == stream_device_.end()) return false;
  costs_.charge(hardware::HostCall::end_stream);
  schedules_[found->second].remove_stream(stream);
  stream_device_.erase(found);
  stream_facts_.erase(stream);
  return true;
}

void Machine::wait_for_work(Nanoseconds end) {
  if (end == 0) return;  // there was none
  // Of a host that is described, launches begin later by what was measured there.
  const double way_us = host_.launch_us > 0 ? 0 : gpu_->host_us;
  clock_.wait_until(end + nanoseconds(way_us));
}

void Machine::wait_for_stream(StreamId stream, std::uint32_t device) {
  costs_.trim_pool();
  wait_for_work(schedule_of(stream, device).end_of(stream));
}

void Machine::wait_for_device(std::uint32_t device) {
  costs_.trim_pool();
  wait_for_work(schedules_[device].end());
}

bool Machine::is_done(StreamId stream, std::uint32_t device) {
  return schedule_of(stream, device).end_of(stream) <= clock_.now();
}

Event* Machine::make_event(bool timed, std::uint32_t device) {
  auto made = std::make_unique<Event>();
  made->device = device;
  made->timed = timed;
  Event* event = made.get();
  events_.emplace(event, std::move(made));
  return event;
}

bool Machine::end_event(Event* event) {
  return events_.erase(event) != 0;
}

bool Machine::has_event(const Event* event) const {
  return events_.contains(event);
}

Status Machine::record(Event& event, StreamId stream, std::uint32_t device, bool external) {
  if (device_of(stream, device) != event.device) return Status::invalid_handle;
  if (const Status refused = admits(stream); refused != Status::success) return refused;
  if (const auto captured = captured_.find(stream); captured != captured_.end()) {
    if (external) {
      GraphNode node;
      node.kind = GraphNode::Kind::record_event;
      node.event = &event;
      capture(stream, std::move(node));
      return Status::success;
    }
    event.capture = captured->second.capture;
    event.nodes = captured->second.last;
    return Status::success;
  }
  costs_.charge(hardware::HostCall::event);
  event.capture = nullptr;
  // Reading the clock is work of the stream: a pair of events sees one of the two.
  event.time = place(stream, device, Engine::none, event.timed ? gpu_->event_us : 0).end;
  event.recorded = true;
  return Status::success;
}

Status Machine::wait_for_event(Event& event, StreamId stream, std::uint32_t device, bool external) {
  const auto captured = captured_.find(stream);
  const bool captures = captured != captured_.end();
  if (captures && captured->second.capture->invalid) return Status::capture_invalidated;
  if (event.capture != nullptr) {
    if (event.capture->invalid) return Status::capture_invalidated;
    if (captures && captured->second.capture != event.capture) {
      invalidate(event.capture);
      invalidate(captured->second.capture);
      return Status::capture_merge;
    }
    CapturedStream& joined = captured_[stream];
    joined.capture = const_cast<Capture*>(event.capture);  // NOLINT: one of captures_
    for (GraphNode* const node : event.nodes) {
      if (std::find(joined.last.begin(), joined.last.end(), node) == joined.last.end())
        joined.last.push_back(node);
    }
    return Status::success;
  }
  if (captures && external) {
    GraphNode node;
    node.kind = GraphNode::Kind::wait_event;
    node.event = &event;
    capture(stream, std::move(node));
    return Status::success;
  }
  if (captures && event.recorded) {
    invalidate(captured->second.capture);
    return Status::capture_isolation;
  }
  if (event.recorded) schedule_of(stream, device).advance(stream, event.time);
  return Status::success;
}

Interval Machine::place(StreamId stream, std::uint32_t device, Engine engine, double us,
                        double share) {
  DeviceSchedule::Work work;
  work.share = share;
  return place(stream, device, engine, us, work);
}

Interval Machine::place(StreamId stream, std::uint32_t device, Engine engine, double us,
                        DeviceSchedule::Work work) {
  work.stream = stream;
  work.engine = engine;
  work.issued = clock_.now() + nanoseconds(host_.launch_us);
  work.gap = engine == Engine::none ? 0 : nanoseconds(gpu_->stream_us);
  work.duration = nanoseconds(us);
  work.past = clock_.earliest();
  DeviceSchedule& schedule = schedule_of(stream, device);
  if (node_ == nullptr) return schedule.place(work);
  const Interval when = schedule.occupy(work, node_->earliest);
  node_->end = when.end;
  return when;
}

Status Machine::launch(const LaunchOrder& order, StreamId stream, std::uint32_t device) {
  if (fault_ != Status::success) return fault_;
  if (const Status refused = admits(stream); refused != Status::success) return refused;
  if (node_ == nullptr && capture_of(stream) != nullptr) {
    GraphNode node;
    node.kind = GraphNode::Kind::kernel;
    node.launch = order;
    capture(stream, std::move(node));
    return Status::success;
  }
  if (auto done = modules_->place(*order.function, order.device); !done) {
    tell("error", done.error().line());
    launcher_->failed();
    return Status::memory_allocation;
  }
  const LaunchOutcome outcome = launcher_->launch(order);
  if (!outcome.message.empty()) {
    const bool note = outcome.state == "cut" && outcome.status == Status::success;
    tell(note ? "note" : "error", outcome.message);
  }
  if (outcome.state == "refused") return outcome.status;
  clock_.spend(nanoseconds(costs_.loading_us(order.function->module, order.function)));
  if (node_ == nullptr) costs_.charge(hardware::HostCall::launch);
  const Nanoseconds issued = clock_.now();
  const bool timed = outcome.state != "unselected";
  if (!timed && node_ != nullptr) node_->end = node_->earliest;
  DeviceSchedule::Work work;
  work.share = outcome.share;
  work.early = order.early;
  work.lets_next_begin = order.function->lets_next_begin;
  const Interval when = timed
                            ? place(stream, device, Engine::compute, 1000 * outcome.device_ms, work)
                            : Interval{issued, issued};
  LaunchRecord record;
  record.kernel = order.function->id;
  record.prediction = outcome.prediction;
  record.device = device;
  record.stream = stream;
  record.issued = issued;
  record.begin = when.begin;
  record.end = when.end;
  record.state = outcome.state;
  record.instructions = outcome.instructions;
  journal_.add(record);
  leave_new_sums();
  // The launch itself succeeded: the next call that looks at the device fails.
  if (outcome.status != Status::success) fail(outcome.status, device);
  return Status::success;
}

void Machine::fail(Status fault, std::uint32_t device) {
  fault_ = fault;
  fault_device_ = device;
}

void Machine::reset(std::uint32_t device) {
  memory_.release_all_but(MemoryKind::module, device);
  const auto is_gone = [&](const auto& one) { return memory_.find(one.first) == nullptr; };
  std::erase_if(arrays_, is_gone);
  std::erase_if(graph_memory_, is_gone);
  if (fault_device_ == device) fault_ = Status::success;
  modules_->fill_again(device);
  // The first one has the memory that kernels allocate.
  if (device == 0) launcher_->forget_memory(devices() == 1);
}

void Machine::end() {
  if (std::exchange(ended_, true)) return;
  if (!launcher_->record_failure().empty())
    tell("error", "the recording is not whole: " + launcher_->record_failure());
  journal_.add(sums());
}

EndRecord Machine::sums() const {
  EndRecord record;
  for (std::uint32_t i = 0; i < devices(); ++i) {
    record.device_end = std::max(record.device_end, schedules_[i].end());
    record.peak_bytes = std::max(record.peak_bytes, memory_.peak_bytes(i));
  }
  record.end = clock_.latest();
  record.host = clock_.host();
  record.waited = clock_.waited();
  record.executed = launcher_->executed();
  record.execution_s = launcher_->execution_s();
  record.prediction_s = launcher_->prediction_s();
  record.computed = launcher_->computed();
  return record;
}

void Machine::leave_sums() {
  if (!ended_) journal_.add_sums(sums());
}

void Machine::leave_new_sums() {
  constexpr double much_s = 0.1;  // of this machine's time
  const double now_s = launcher_->execution_s() + launcher_->prediction_s();
  if (left_s_ >= 0 && now_s - left_s_ < much_s) return;
  left_s_ = now_s;
  leave_sums();
}

}  // namespace forewarp::program_run
