// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/expected.h"
#include "driver/predictor.h"
#include "hardware/host.h"
#include "hardware/link.h"
#include "program_run/code_modules.h"
#include "program_run/device_memory.h"
#include "program_run/device_schedule.h"
#include "program_run/journal.h"
#include "program_run/launcher.h"
#include "program_run/settings.h"
#include "program_run/status.h"
#include "program_run/virtual_clock.h"

namespace forewarp::program_run {

/// An event of the program.
struct Event {
  Nanoseconds time = 0;
  bool recorded = false;
  bool timed = true;
};

/// A copy as asked for. Pitches are distances between rows, depths between slices.
struct CopyOrder {
  std::uint64_t to = 0, from = 0;
  std::uint64_t width = 0, height = 1, depth = 1;  ///< bytes, rows, slices
  std::uint64_t to_pitch = 0, from_pitch = 0, to_slice = 0, from_slice = 0;
  StreamId stream = legacy_stream;
  bool asynchronous = false;
};

struct FillOrder {
  std::uint64_t to = 0;
  std::uint32_t value = 0;
  std::uint32_t element = 1;  ///< bytes: 1, 2 or 4
  std::uint64_t width = 0, height = 1, depth = 1, pitch = 0, slice = 0;  ///< width in bytes
  StreamId stream = legacy_stream;
};

/// The machine that a program sees: boards, their memory and code, and time. Everything is done at
/// once and in the order of the host's calls, which every order of streams and events allows; only
/// its time is placed where a board would have done it. One caller at a time.
class Machine {
 public:
  /// `clock_offset`: see VirtualClock; may be null.
  static Expected<std::unique_ptr<Machine>> create(const Settings& settings,
                                                   std::atomic<std::int64_t>* clock_offset);

  [[nodiscard]] VirtualClock& clock() { return clock_; }
  [[nodiscard]] DeviceMemory& memory() { return memory_; }
  [[nodiscard]] CodeModules& modules() { return *modules_; }
  [[nodiscard]] JournalWriter& journal() { return journal_; }
  [[nodiscard]] const Gpu& gpu() const { return *gpu_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] std::uint32_t devices() const { return settings_.devices; }

  /// Of a call that does nothing on the device, and of one that puts something into a stream.
  [[nodiscard]] Nanoseconds call_cost() const;
  [[nodiscard]] Nanoseconds stream_call_cost() const;

  // Streams and events. A stream belongs to the device that was current when it was made.
  StreamId make_stream(std::uint32_t device, bool blocking);
  bool end_stream(StreamId stream);
  [[nodiscard]] bool has_stream(StreamId stream) const;
  void wait_for_stream(StreamId stream, std::uint32_t device);
  void wait_for_device(std::uint32_t device);
  [[nodiscard]] bool is_done(StreamId stream, std::uint32_t device);
  Event* make_event(bool timed);
  bool end_event(Event* event);
  [[nodiscard]] bool has_event(const Event* event) const;
  void record(Event& event, StreamId stream, std::uint32_t device);
  void wait_for_event(const Event& event, StreamId stream, std::uint32_t device);

  /// Status::illegal_address and its like stay with the device: every later call fails with it.
  [[nodiscard]] Status fault() const { return fault_; }

  Status copy(const CopyOrder& order, std::uint32_t device);
  Status fill(const FillOrder& order, std::uint32_t device);
  Status launch(const LaunchOrder& order, StreamId stream, std::uint32_t device);
  /// Work of the host in a stream: it begins when the stream gets there.
  void host_work(StreamId stream, std::uint32_t device);

  /// A message for the report; each text once.
  void tell(const std::string& kind, const std::string& text);
  /// A call that has no answer here.
  void unsupported(const std::string& call) { tell("unsupported", call); }

  /// Ends all allocations and faults, as cudaDeviceReset().
  void reset();
  /// Writes the last record; only the first call does.
  void end();

 private:
  Machine(const Settings& settings, std::atomic<std::int64_t>* offset, HardwareDatabase database);
  Expected<void> prepare();
  [[nodiscard]] DeviceSchedule& schedule_of(StreamId stream, std::uint32_t device);
  [[nodiscard]] double copy_us(const std::string& what, bool pinned, double bytes) const;
  Interval place(StreamId stream, std::uint32_t device, Engine engine, double us, double share = 1);

  Settings settings_;
  VirtualClock clock_;
  HardwareDatabase database_;
  driver::Predictor predictor_;
  std::shared_ptr<const Gpu> gpu_;
  hardware::Host host_;
  hardware::Link link_;
  double copy_gbs_ = 0;  ///< of device memory: read and written
  JournalWriter journal_;
  DeviceMemory memory_;
  std::unique_ptr<CodeModules> modules_;
  std::unique_ptr<Launcher> launcher_;
  std::vector<DeviceSchedule> schedules_;  ///< by device
  std::map<StreamId, std::uint32_t> stream_device_;
  StreamId streams_ = first_stream;
  std::map<const Event*, std::unique_ptr<Event>> events_;
  std::vector<std::string> told_;
  Status fault_ = Status::success;
  bool ended_ = false;
};

}  // namespace forewarp::program_run
