// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <simgrid/s4u/Semaphore.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/transfer/host_copy.h"
#include "system/engine/stream.h"
#include "system/engine/world.h"

namespace forewarp::system {

/// A kernel with its predicted duration.
struct KernelRun {
  std::string name;
  double seconds = 0;
  double watts = -1;       ///< drawn meanwhile; below 0: as the unit says
  LaunchCosts costs = {};  ///< where the host's file does not say
  bool is_beside = false;  ///< it runs beside whatever else runs there
};

/// A copy between a device and its host.
struct CopyRun {
  CopyDirection direction = CopyDirection::to_device;
  double bytes = 0;
  HostSide side = HostSide::pageable;
  double seconds = -1;  ///< known; below 0: as the link says
};

/// What a stream had been given when it was recorded.
struct StreamEvent {
  Stream* stream = nullptr;
  std::uint64_t count = 0;
};

/// Whether an operation goes into a stream; null: the process waits for it.
struct Issue {
  Process& process;
  std::size_t device = 0;
  Stream* stream = nullptr;
};

/// Where an operation of a graph stands: after nodes of it, by number; nullopt: after its last one.
using NodeOrder = std::optional<std::vector<std::size_t>>;
inline NodeOrder after_nothing() {
  return std::vector<std::size_t>{};
}

/// The engines of all GPUs: one runs kernels, one copies to the device, one copies from it. Each
/// takes one operation after the other, in the order in which they became ready.
class Devices {
 public:
  explicit Devices(World& world) : world_(world) {}

  void kernel(const Issue& issue, const KernelRun& run);
  void copy(const Issue& issue, const CopyRun& run);

  /// A new graph without nodes; kernels and copies that are added, each with the node's number; and
  /// a launch of the whole.
  Graph& open_graph(Process& process, std::size_t device);
  std::size_t add(Process& process, Graph& graph, const KernelRun& run, const NodeOrder& order);
  std::size_t add(Process& process, Graph& graph, const CopyRun& run, const NodeOrder& order);
  void launch(Process& process, Graph& graph, Stream* stream);

  /// So many calls of the GPU's runtime that wait, read an event or print.
  void calls(Process& process, double count);
  /// A new stream of the process on the device.
  Stream& open_stream(Process& process, std::size_t device);
  /// Until all that the process gave to the stream is done; null: to all its streams.
  void synchronise(Process& process, Stream* stream);
  /// What is given to `stream` from now on waits for the event.
  void wait_for(Process& process, Stream& stream, const StreamEvent& event);
  /// Nothing in the stream, for a time.
  void delay(Process& process, Stream& stream, double seconds);

  /// What copies and calls so far took from other hosts than their own.
  [[nodiscard]] const std::set<std::string>& assumptions() const { return assumptions_; }

 private:
  struct Engine {
    simgrid::s4u::SemaphorePtr free{};
    Instant last;
  };
  enum class Kind : std::uint8_t { kernels, to_device, to_host };

  /// Takes the engine, works, and gives it back; notes the segment with what it waited for.
  void work(std::uint32_t lane, Instant given, Kind kind, std::size_t device, Segment segment,
            const std::function<void()>& operation);
  void run_copy(const CopyRun& run, std::size_t device);
  /// Until what was given at `given` and takes `seconds` to start has started.
  void wait_for_launch(std::uint32_t lane, Instant given, double seconds);
  /// The link between a GPU and its host, seen from the GPU.
  [[nodiscard]] const Platform::Neighbour& host_link(std::size_t device) const;
  /// The host of a GPU, or of a process on it; null: it has none.
  [[nodiscard]] const Host* host_of(std::size_t unit) const;
  /// A call that puts something into a stream holds its process, as long as its host says; where
  /// that says nothing, `call_s`.
  void issue(const Issue& to, const Stream::Operation& operation, double call_s);
  void hold(Process& process, std::size_t device, double call_s);
  /// The operations without their launch.
  [[nodiscard]] Stream::Operation kernel_work(Process& process, std::size_t device,
                                              const KernelRun& run);
  [[nodiscard]] Stream::Operation copy_work(std::size_t device, const CopyRun& run);
  std::unique_ptr<Stream> new_stream(const std::string& name, std::size_t device);

  std::size_t add(Process& process, Graph& graph, Stream::Operation work, const NodeOrder& order);
  /// What launches of a graph cost on its host.
  [[nodiscard]] LaunchCosts graph_costs(const Graph& graph);
  void run_graph(Graph& graph, std::uint32_t lane, double node_s);
  void await_others(const Graph& graph, const Graph::Node& node, std::uint32_t lane);

  World& world_;
  std::unordered_map<std::size_t, std::array<Engine, 3>> engines_;
  std::set<std::string> assumptions_;
  std::uint32_t streams_ = 0;
  std::size_t nodes_ = 0, launched_ = 0;  ///< of all graphs, and of all their launches
};

}  // namespace forewarp::system
