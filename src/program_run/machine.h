// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
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
#include "program_run/graph.h"
#include "program_run/graph_plan.h"
#include "program_run/graphs.h"
#include "program_run/host_costs.h"
#include "program_run/journal.h"
#include "program_run/launcher.h"
#include "program_run/library_calls.h"
#include "program_run/settings.h"
#include "program_run/status.h"
#include "program_run/virtual_clock.h"

namespace forewarp::program_run {

/// An event of the program.
struct Event {
  Nanoseconds time = 0;
  std::uint32_t device = 0;  ///< that was current when it was made
  bool recorded = false;
  bool timed = true;
  const Capture* capture = nullptr;  ///< recorded in a stream that is captured: behind these nodes
  std::vector<GraphNode*> nodes;
};

/// An array of the program: elements in device memory, row by row.
struct Array {
  std::uint64_t address = 0, pitch = 0, slice = 0;  ///< bytes between rows and planes
  std::uint64_t width = 0, height = 0, depth = 0;   ///< elements; 0: without that dimension
  std::array<std::uint8_t, 4> bits{};               ///< of each channel
  std::int32_t kind = 0;                            ///< 0 signed, 1 unsigned, 2 floating
  std::uint32_t flags = 0;                          ///< 1: depth counts layers

  [[nodiscard]] std::uint64_t element_bytes() const {
    return (std::uint64_t{bits[0]} + bits[1] + bits[2] + bits[3]) / 8;
  }
};

/// What frees memory: each only what its own kind of calls made.
enum class Freeing : std::uint8_t { memory, in_stream, host, registration };

/// The machine that a program sees: boards, their memory and code, and time. Everything is done at
/// once and in the order of the host's calls, which every order of streams and events allows; only
/// its time is placed where a board would have done it. One caller at a time.
class Machine {
 public:
  /// Its clock is still to be started.
  static Expected<std::unique_ptr<Machine>> create(const Settings& settings,
                                                   const ProgramClocks& clocks);

  [[nodiscard]] VirtualClock& clock() { return clock_; }
  [[nodiscard]] DeviceMemory& memory() { return memory_; }
  [[nodiscard]] CodeModules& modules() { return *modules_; }
  /// Textures and surfaces by the low word of their handles, and arrays by theirs.
  [[nodiscard]] std::unordered_map<std::uint32_t, execution::Texture>& textures() {
    return launcher_->textures();
  }
  [[nodiscard]] Launcher& launcher() { return *launcher_; }
  [[nodiscard]] std::map<std::uint64_t, Array>& arrays() { return arrays_; }
  [[nodiscard]] JournalWriter& journal() { return journal_; }
  [[nodiscard]] const Gpu& gpu() const { return *gpu_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] std::uint32_t devices() const { return settings_.devices; }

  /// What calls take on the host; see HostCosts.
  [[nodiscard]] HostCosts& costs() { return costs_; }
  /// A call of the program ends.
  void end_call();

  // Streams and events. A stream belongs to the device that was current when it was made.
  StreamId make_stream(std::uint32_t device, bool blocking, std::int32_t priority = 0);
  /// A thread's own default stream, which it need not make.
  StreamId make_own_stream(std::uint32_t device) { return add_stream(device, true); }
  /// As they were made; of the default streams, their own.
  struct StreamFacts {
    bool blocking = true;
    std::int32_t priority = 0;
  };
  [[nodiscard]] StreamFacts stream_facts(StreamId stream) const;
  bool end_stream(StreamId stream);
  [[nodiscard]] bool has_stream(StreamId stream) const;
  /// Of the default streams, the current one.
  [[nodiscard]] std::uint32_t device_of(StreamId stream, std::uint32_t current) const;
  /// The host waits for work that ends at a moment, and for word of it: with the way of the launch
  /// to the device, the board's time from a launch to the return of a wait (launch.host_us).
  void wait_for_work(Nanoseconds end);
  void wait_for_stream(StreamId stream, std::uint32_t device);
  void wait_for_device(std::uint32_t device);
  [[nodiscard]] bool is_done(StreamId stream, std::uint32_t device);
  Event* make_event(bool timed, std::uint32_t device);
  bool end_event(Event* event);
  [[nodiscard]] bool has_event(const Event* event) const;
  /// An event is recorded in streams of its own device, and waited for in any. `external`: of a
  /// stream that is captured, a node that records or waits.
  Status record(Event& event, StreamId stream, std::uint32_t device, bool external = false);
  Status wait_for_event(Event& event, StreamId stream, std::uint32_t device, bool external = false);

  /// Status::illegal_address and its like stay with the device: every later call fails with it.
  [[nodiscard]] Status fault() const { return fault_; }

  Status copy(const CopyOrder& order, std::uint32_t device);
  Status fill(const FillOrder& order, std::uint32_t device);
  Status launch(const LaunchOrder& order, StreamId stream, std::uint32_t device);
  /// A call of a vendor's library; see LibraryCall. Status::illegal_address: an argument lies
  /// outside of every allocation, and nothing was done.
  Status library(const LibraryCall& call, StreamId stream, std::uint32_t device);
  /// Work of the host in a stream, done when the stream gets there. The caller calls it without the
  /// lock if it is returned: the stream is not captured.
  std::function<void()> host_work(std::function<void()> work, StreamId stream,
                                  std::uint32_t device);

  // Graphs. Between begin_capture and end_capture, work of the stream and of those that wait for
  // its events goes into a graph.
  [[nodiscard]] Graphs& graphs() { return graphs_; }
  /// False: it lies within a node, or a stream is captured into it.
  bool end_graph(Graph* graph);
  /// A plan that can be launched; `frees`: see GraphPlan.
  const GraphPlan* instantiate(const Graph& graph, bool frees = false);
  /// Null: there is none.
  [[nodiscard]] std::shared_ptr<GraphPlan> plan(const GraphPlan* handle) const;
  bool end_plan(const GraphPlan* handle);
  /// A launch of a plan goes on with go_on() until there is neither a failure nor work of the host.
  Status begin_run(std::shared_ptr<const GraphPlan> plan, StreamId stream, std::uint32_t device,
                   GraphRun& run);
  /// `host`: work of the host that comes next, for the caller to call without the lock.
  Status go_on(GraphRun& run, std::function<void()>& host);
  /// Memory of a node that allocates; null: the board has no more.
  std::shared_ptr<GraphMemory> graph_memory(std::uint64_t bytes, std::uint32_t device);
  [[nodiscard]] std::shared_ptr<GraphMemory> graph_memory_at(std::uint64_t address) const;
  /// 0: the board has no more.
  std::uint64_t allocate(std::uint64_t bytes, MemoryKind kind, std::uint32_t device);
  std::uint64_t allocate_in_stream(std::uint64_t bytes, std::uint32_t device);
  /// Pins memory of the host. False: it overlaps another.
  bool adopt(std::uint64_t address, std::uint64_t bytes, std::uint32_t device);
  /// Frees memory of the program, or of a node that allocated it. False: nothing of that kind
  /// begins there.
  bool release(std::uint64_t address, Freeing by);

  // What is allowed while streams are captured. What is not makes the captures invalid.
  Status begin_capture(StreamId stream, const CapturingThread& thread, Capture::Mode mode);
  /// Null: the capture was invalid, or is not ended by this.
  Status end_capture(StreamId stream, const CapturingThread& thread, Graph** graph);
  [[nodiscard]] const Capture* capture_of(StreamId stream) const;
  /// What the next work of a captured stream follows.
  [[nodiscard]] std::vector<GraphNode*>& captured_last(StreamId stream) {
    return captured_[stream].last;
  }
  /// A call that may synchronise or change what other work sees, as an allocation.
  Status unsafe_call(const CapturingThread& thread);
  /// Of waiting for a stream, all streams, or an event, or asking whether they are done.
  Status asks_stream(StreamId stream);
  Status asks_device();
  Status asks_event(const Event& event);
  /// Work of a stream: of an invalid capture, or of the legacy stream beside a captured one.
  Status admits(StreamId stream);
  /// A graph's launch does not go into a captured stream, as on a board (driver 580).
  Status launches_graph(StreamId stream);
  /// Work becomes a node; null: the capture is invalid.
  GraphNode* capture(StreamId stream, GraphNode node);

  /// A message for the report; each text once.
  void tell(const std::string& kind, const std::string& text) { journal_.tell({kind, text}); }
  /// A call that has no answer here.
  void unsupported(const std::string& call) { tell("unsupported", call); }

  /// Ends a device's allocations and faults, as cudaDeviceReset().
  void reset(std::uint32_t device);
  /// Writes the sums so far, for a process that may not come to its end.
  void leave_sums();
  /// Writes the last record; only the first call does.
  void end();

 private:
  Machine(const Settings& settings, const ProgramClocks& clocks, HardwareDatabase database);
  Expected<void> prepare();
  void fail(Status fault, std::uint32_t device);
  StreamId add_stream(std::uint32_t device, bool blocking);
  [[nodiscard]] DeviceSchedule& schedule_of(StreamId stream, std::uint32_t device);
  void note_replaced(std::uint64_t to, std::uint64_t width, std::uint64_t height,
                     std::uint64_t depth, std::uint64_t pitch, std::uint64_t slice);
  [[nodiscard]] double copy_us(const std::string& what, bool pinned, double bytes) const;
  /// Where work goes in time: behind its stream, or as the node of a graph that is being launched.
  Interval place(StreamId stream, std::uint32_t device, Engine engine, double us, double share = 1);
  /// The same with more of the work than these say.
  Interval place(StreamId stream, std::uint32_t device, Engine engine, double us,
                 DeviceSchedule::Work work);
  /// Status::success: the copy may be done.
  Status check_copy(const CopyOrder& order);
  [[nodiscard]] EndRecord sums() const;
  /// The same where much was done since the last time.
  void leave_new_sums();
  /// False: nothing is executed any more.
  bool compute(const LibraryCall& call, const std::vector<LibraryUse>& uses);

  void invalidate(const Capture* capture);
  Status do_node(const GraphNode& node, const GraphRun& run);

  /// While a graph's nodes are done: when the node may begin.
  struct NodePlace {
    Nanoseconds earliest = 0;
    Nanoseconds end = 0;
  };

  Settings settings_;
  VirtualClock clock_;
  HardwareDatabase database_;
  driver::Predictor predictor_;
  std::shared_ptr<const Gpu> gpu_;
  hardware::Host host_;
  HostCosts costs_;
  hardware::Link link_, peer_link_;  ///< to the host, and between boards
  double copy_gbs_ = 0;              ///< of device memory: read and written
  JournalWriter journal_;
  DeviceMemory memory_;
  std::unique_ptr<CodeModules> modules_;
  std::unique_ptr<Launcher> launcher_;
  std::unique_ptr<LibraryCalls> libraries_;
  std::vector<DeviceSchedule> schedules_;  ///< by device
  std::map<StreamId, std::uint32_t> stream_device_;
  std::map<StreamId, StreamFacts> stream_facts_;  ///< of streams that the program made
  double left_s_ = -1;                            ///< own time in the sums that were left
  StreamId streams_ = first_stream;
  std::map<const Event*, std::unique_ptr<Event>> events_;
  std::map<std::uint64_t, Array> arrays_;
  std::map<std::uint64_t, std::weak_ptr<GraphMemory>> graph_memory_;  ///< by address
  Graphs graphs_;
  std::map<const GraphPlan*, std::shared_ptr<GraphPlan>> plans_;
  std::uint64_t captures_made_ = 0;
  struct CapturedStream {
    Capture* capture = nullptr;
    std::vector<GraphNode*> last;  ///< nodes that the next one follows
  };
  std::vector<std::unique_ptr<Capture>> captures_;
  std::map<StreamId, CapturedStream> captured_;
  NodePlace* node_ = nullptr;  ///< null: no graph is being launched
  Status fault_ = Status::success;
  std::uint32_t fault_device_ = 0;
  bool ended_ = false;
};

}  // namespace forewarp::program_run
