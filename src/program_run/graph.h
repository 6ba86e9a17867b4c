// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "program_run/device_schedule.h"
#include "program_run/launcher.h"
#include "program_run/library_call.h"
#include "program_run/orders.h"

namespace forewarp::program_run {

struct Event;
struct Graph;

/// Memory that a node of a graph allocates. Its address is known from the node's making on.
struct GraphMemory {
  std::uint64_t address = 0, bytes = 0;
  bool live = false;  ///< between the node that allocates it and what frees it
};

/// One piece of work of a graph, and the nodes that it follows. The numbers of kinds are those of
/// CUDA's interface, but for the last one.
struct GraphNode {
  enum class Kind : std::uint8_t {
    kernel = 0,
    copy = 1,
    fill = 2,
    host = 3,
    graph = 4,
    empty = 5,
    wait_event = 6,
    record_event = 7,
    allocate = 10,
    release = 11,
    library = 32,  ///< a call of a vendor's library: kernels on a board
  };
  Kind kind = Kind::empty;
  LaunchOrder launch;
  CopyOrder copy;
  FillOrder fill;
  LibraryCall library;
  std::function<void()> host;
  void (*function)(void*) = nullptr;  ///< of the host, with its data, where the interface has them
  void* data = nullptr;
  Event* event = nullptr;
  std::shared_ptr<GraphMemory> memory;
  std::shared_ptr<Graph> child;
  bool enabled = true;          ///< false: it does nothing but keep its order
  std::vector<void*> pointers;  ///< to a kernel's parameters, as they are asked for
  std::vector<GraphNode*> after;
  // Set by Graphs.
  Graph* graph = nullptr;
  std::uint64_t id = 0, original = 0;  ///< its own, and that of the node that it was cloned from
};

/// A graph as built or captured.
struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;  ///< in the order of their making
};

/// A stream, or several that joined it, whose work goes into a graph instead of being done.
struct Capture {
  enum class Mode : std::uint8_t { global = 0, thread_local_ = 1, relaxed = 2 };
  Graph* graph = nullptr;
  StreamId origin = legacy_stream;
  Mode mode = Mode::global;
  std::uint64_t id = 0, thread = 0;
  bool invalid = false;  ///< by a call that is not allowed meanwhile
};

/// A thread of the program, and the mode that it set for itself.
struct CapturingThread {
  std::uint64_t id = 0;
  Capture::Mode mode = Capture::Mode::global;
};

}  // namespace forewarp::program_run
