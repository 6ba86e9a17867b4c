// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "binding/bound_kernel.h"
#include "program/kernel.h"

namespace forewarp::explain {

/// The execution graph of a lone warp (Gajger 2017, section 4.3): instructions in the order of
/// their first issue, what each had to wait for, and the longest path through it. A loop's body
/// stands once; what one pass hands to the next is `next_pass`. Of the other edges, the one that
/// comes last ends where the node's first issue is; the longest path is made of such edges.
struct PathGraph {
  struct Node {
    std::uint32_t address = 0;
    std::string text;
    double cycle = 0;  ///< of its first issue
    bool critical = false;
  };
  enum class EdgeKind : std::uint8_t {
    issue,       ///< in program order: one issue slot later
    dual,        ///< issues together with the one before
    branch,      ///< in program order, over a branch that is taken
    value,       ///< a register, predicate or carry, when it is ready
    scoreboard,  ///< a barrier register that the producer releases
    store,       ///< store to store, where that takes longer than the order of the program
    barrier,     ///< the block's barrier, until the last of its warps has come
    again,       ///< from a later issue of the producer: after the passes of its loop, or a call
    end,         ///< the last issue to the end of the warp, with the block's replacement
  };
  struct Edge {
    std::uint32_t from = 0, to = 0;  ///< nodes; nodes.size() is the end
    EdgeKind kind = EdgeKind::issue;
    std::string label;       ///< "R4", "SB0"; empty in program order
    double cycles = 0;       ///< from one issue to the earliest other
    bool next_pass = false;  ///< holds from one pass of a loop to the next, or in a later pass
    bool critical = false;
    bool operator==(const Edge&) const = default;
  };
  struct Loop {
    std::uint32_t first = 0, last = 0;  ///< nodes
    std::string trips;                  ///< "a = 128"
    int depth = 1;
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<Loop> loops;
  double cycles = 0;  ///< of the warp, all passes of all loops
};

[[nodiscard]] std::string_view edge_name(PathGraph::EdgeKind kind);

[[nodiscard]] PathGraph path_graph(const Kernel& kernel, const BoundLatency& latency,
                                   const std::vector<PathLoop>& loops);

/// In Graphviz' DOT; the critical path is bold and red, a loop is a cluster with its trips.
[[nodiscard]] std::string path_dot(const PathGraph& graph, const std::string& title);

/// As a picture: instructions from top to bottom at equal distances, dependences as arcs beside
/// them.
[[nodiscard]] std::string path_svg(const PathGraph& graph, const std::string& title);

}  // namespace forewarp::explain
