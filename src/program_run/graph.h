// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "program_run/device_schedule.h"
#include "program_run/launcher.h"
#include "program_run/library_call.h"
#include "program_run/orders.h"

namespace forewarp::program_run {

/// One piece of work of a graph, and the nodes that it follows.
struct GraphNode {
  enum class Kind : std::uint8_t { empty, kernel, copy, fill, host, library };
  Kind kind = Kind::empty;
  LaunchOrder launch;
  CopyOrder copy;
  FillOrder fill;
  LibraryCall library;
  std::function<void()> host;
  std::vector<std::uint32_t> after;  ///< indices of earlier nodes
};

/// A graph as built or captured; instantiating one copies it. Nodes follow only earlier ones, so
/// that their order is one in which they may run.
struct Graph {
  std::vector<GraphNode> nodes;
};

/// A stream, or several that joined it, whose work goes into a graph instead of being done.
struct Capture {
  Graph* graph = nullptr;
  StreamId origin = legacy_stream;
};

}  // namespace forewarp::program_run
