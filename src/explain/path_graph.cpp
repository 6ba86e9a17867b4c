// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/path_graph.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/text.h"
#include "binding/bind_timing.h"

namespace forewarp::explain {
namespace {

constexpr std::uint32_t nowhere = 0xffffffff;
constexpr std::size_t barriers = 8;

/// Follows the events of the lone warp and notes who made each instruction wait.
class GraphBuilder {
 public:
  GraphBuilder(const Kernel& kernel, const BoundLatency& latency)
      : kernel_(kernel),
        timing_(latency.timing),
        path_(latency.path),
        node_(kernel.instructions.size(), nowhere),
        writer_(latency.timing.slots.size(), nowhere) {
    released_.fill(nowhere);
    read_.fill(nowhere);
  }

  PathGraph build(const std::vector<PathLoop>& loops) {
    std::vector<bool> critical(path_.events.size(), false);
    for (const std::uint32_t event : path_.critical) critical[event] = true;
    for (std::uint32_t event = 0; event < path_.events.size(); ++event) {
      critical_ = critical[event];
      add_event(event);
    }
    if (!path_.events.empty()) {
      graph_.edges.push_back(
          {node_[path_.events.back().instruction], static_cast<std::uint32_t>(graph_.nodes.size()),
           PathGraph::EdgeKind::end, "", std::max(0.0, path_.cycles - path_.events.back().cycle),
           false, critical.back()});
    }
    add_loops(loops);
    graph_.cycles = path_.cycles;
    return std::move(graph_);
  }

 private:
  void add_event(std::uint32_t number) {
    const IssueEvent& event = path_.events[number];
    const BoundInstruction& bound = timing_.instructions[event.instruction];
    std::uint32_t& node = node_[event.instruction];
    if (node == nowhere) {
      node = static_cast<std::uint32_t>(graph_.nodes.size());
      const Instruction& instruction = kernel_.instructions[event.instruction];
      graph_.nodes.push_back(
          {instruction.address, std::string(kernel_.text_of(instruction)), event.cycle, false});
    }
    graph_.nodes[node].critical = graph_.nodes[node].critical || critical_;
    if (number > 0) add_order(number);
    for (const std::uint16_t slot : bound.reads) {
      if (writer_[slot] != nowhere) add_value(number, writer_[slot], slot);
    }
    for (std::size_t barrier = 0; barrier < barriers; ++barrier) {
      if ((bound.wait_mask >> barrier & 1U) == 0) continue;
      add_scoreboard(number, released_[barrier], barrier, false);
      add_scoreboard(number, read_[barrier], barrier, true);
      released_[barrier] = read_[barrier] = nowhere;
    }
    for (const std::uint16_t slot : bound.writes) writer_[slot] = number;
    if (bound.write_barrier < barriers) released_[bound.write_barrier] = number;
    if (bound.read_barrier < barriers) read_[bound.read_barrier] = number;
  }

  void add_order(std::uint32_t number) {
    const std::uint32_t before = path_.events[number - 1].instruction;
    const BoundInstruction& bound = timing_.instructions[before];
    const bool jumped = path_.events[number].instruction != before + 1;
    const auto kind = bound.dual_with_next && !jumped ? PathGraph::EdgeKind::dual
                      : jumped                        ? PathGraph::EdgeKind::branch
                                                      : PathGraph::EdgeKind::issue;
    add(number, number - 1, kind, "", jumped ? bound.spacing_taken : bound.spacing,
        IssueCause::order);
  }

  void add_value(std::uint32_t number, std::uint32_t producer, std::uint16_t slot) {
    const BoundInstruction& bound = timing_.instructions[path_.events[producer].instruction];
    if (timing_.by_control_words && bound.write_barrier < barriers) return;  // by its scoreboard
    add(number, producer, PathGraph::EdgeKind::value, register_name(timing_.slots[slot]),
        bound.latency, IssueCause::operand);
  }

  void add_scoreboard(std::uint32_t number, std::uint32_t producer, std::size_t barrier,
                      bool read) {
    if (producer == nowhere) return;
    const BoundInstruction& bound = timing_.instructions[path_.events[producer].instruction];
    add(number, producer, PathGraph::EdgeKind::scoreboard, "SB" + std::to_string(barrier),
        read ? bound.read_release : bound.latency, IssueCause::scoreboard);
  }

  void add(std::uint32_t number, std::uint32_t producer, PathGraph::EdgeKind kind,
           std::string label, double cycles, IssueCause cause) {
    const IssueEvent& event = path_.events[number];
    const std::uint32_t from = node_[path_.events[producer].instruction];
    const std::uint32_t to = node_[event.instruction];
    const bool held_back = event.after == static_cast<std::int32_t>(producer) &&
                           (event.cause == cause || event.cause == IssueCause::barrier);
    PathGraph::Edge edge{
        from, to, kind, std::move(label), cycles, from >= to, critical_ && held_back};
    const auto same = std::find_if(graph_.edges.begin(), graph_.edges.end(), [&](const auto& e) {
      return e.from == edge.from && e.to == edge.to && e.kind == edge.kind && e.label == edge.label;
    });
    if (same == graph_.edges.end()) {
      graph_.edges.push_back(std::move(edge));
    } else {
      same->critical = same->critical || edge.critical;
    }
  }

  void add_loops(const std::vector<PathLoop>& loops) {
    for (const PathLoop& loop : loops) {
      std::uint32_t first = nowhere, last = 0;
      for (std::uint32_t n = 0; n < graph_.nodes.size(); ++n) {
        if (graph_.nodes[n].address < loop.begin || graph_.nodes[n].address >= loop.end) continue;
        first = std::min(first, n);
        last = n;
      }
      if (first == nowhere) continue;
      const std::string count = significant(loop.trips, 4);
      const bool number = loop.formula.empty() || loop.formula == count;
      graph_.loops.push_back(
          {first, last, number ? count : loop.formula + " = " + count, loop.depth});
    }
  }

  const Kernel& kernel_;
  const BoundTiming& timing_;
  const LatencyPath& path_;
  PathGraph graph_;
  std::vector<std::uint32_t> node_;                      // by instruction
  std::vector<std::uint32_t> writer_;                    // event, by slot
  std::array<std::uint32_t, barriers> released_, read_;  // events, by barrier register
  bool critical_ = false;                                // the event that is added
};

std::string dot_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string escaped_markup(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '&'   ? "&amp;"
           : c == '<' ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '"' ? "&quot;"
                      : std::string(1, c);
  }
  return out;
}

std::string label_of(const PathGraph::Edge& edge) {
  const std::string cycles = significant(edge.cycles, 4);
  return edge.label.empty() ? cycles : edge.label + " " + cycles;
}

}  // namespace

std::string_view edge_name(PathGraph::EdgeKind kind) {
  constexpr std::array<std::string_view, 6> names{"issue", "dual",       "branch",
                                                  "value", "scoreboard", "end"};
  return names[static_cast<std::size_t>(kind)];
}

PathGraph path_graph(const Kernel& kernel, const BoundLatency& latency,
                     const std::vector<PathLoop>& loops) {
  return GraphBuilder(kernel, latency).build(loops);
}

std::string path_dot(const PathGraph& graph, const std::string& title) {
  std::string out =
      "digraph " + dot_text(title) + " {\n  label=" +
      dot_text(title + ": " + significant(graph.cycles, 6) + " cycles of a lone warp") +
      ";\n  node [shape=box, fontname=monospace];\n";
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const PathGraph::Node& node = graph.nodes[n];
    out += "  n" + std::to_string(n) + " [label=" +
           dot_text(hex(node.address, 4) + "  " + node.text + "  @" + significant(node.cycle, 6)) +
           (node.critical ? ", color=red, penwidth=2" : "") + "];\n";
  }
  out += "  n" + std::to_string(graph.nodes.size()) + " [label=\"end\", shape=ellipse];\n";
  for (std::size_t l = 0; l < graph.loops.size(); ++l) {
    const PathGraph::Loop& loop = graph.loops[l];
    out += "  subgraph cluster_" + std::to_string(l) +
           " { label=" + dot_text("loop, " + loop.trips + " passes") + ";";
    for (std::uint32_t n = loop.first; n <= loop.last; ++n) out += " n" + std::to_string(n) + ";";
    out += " }\n";
  }
  for (const PathGraph::Edge& edge : graph.edges) {
    out += "  n" + std::to_string(edge.from) + " -> n" + std::to_string(edge.to) +
           " [label=" + dot_text(label_of(edge)) + ", class=" + std::string(edge_name(edge.kind));
    if (edge.kind == PathGraph::EdgeKind::dual) out += ", arrowhead=none";
    if (edge.next_pass) out += ", style=dashed, constraint=false";
    if (edge.critical) out += ", color=red, penwidth=2";
    out += "];\n";
  }
  return out + "}\n";
}

std::string path_svg(const PathGraph& graph, const std::string& title) {
  constexpr int row = 20, left = 260, top = 40, width = 980;
  const auto y = [&](std::uint32_t node) { return top + static_cast<int>(node) * row; };
  const int height = top + static_cast<int>(graph.nodes.size() + 2) * row;
  std::string out =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(width) +
      "\" height=\"" + std::to_string(height) +
      "\" font-family=\"monospace\" font-size=\"12\">\n"
      "<style>.arc{fill:none;stroke:#8a94a6}.critical{stroke:#c0392b;stroke-width:2}"
      ".next{stroke-dasharray:4 3}text{fill:#1f2937}.hot{fill:#c0392b;font-weight:bold}"
      ".loop{fill:#eef2f7;stroke:#c5cedb}.small{font-size:10px;fill:#5b6575}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text x=\"12\" y=\"22\">" +
      escaped_markup(title) + ": " + significant(graph.cycles, 6) +
      " cycles of a lone warp; its longest path is red</text>\n";
  for (const PathGraph::Loop& loop : graph.loops) {
    const int inset = 8 * loop.depth;
    out += "<rect class=\"loop\" x=\"" + std::to_string(left - 12 + inset) + "\" y=\"" +
           std::to_string(y(loop.first) - 14) + "\" width=\"" +
           std::to_string(width - left - 2 * inset) + "\" height=\"" +
           std::to_string(static_cast<int>(loop.last - loop.first + 1) * row) +
           "\" rx=\"6\"/>\n<text class=\"small\" text-anchor=\"end\" x=\"" +
           std::to_string(width - 24 - inset) + "\" y=\"" + std::to_string(y(loop.first)) + "\">" +
           escaped_markup(loop.trips) + " passes</text>\n";
  }
  for (const PathGraph::Edge& edge : graph.edges) {
    const bool order =
        edge.kind <= PathGraph::EdgeKind::branch || edge.kind == PathGraph::EdgeKind::end;
    if (order && !edge.critical) continue;  // rows stand in that order
    const int from = y(edge.from) - 4, to = y(edge.to) - 4;
    const int reach = std::min(230, 24 + 3 * std::abs(to - from) / 5);
    out += "<path class=\"arc" + std::string(edge.critical ? " critical" : "") +
           (edge.next_pass ? " next" : "") + "\" d=\"M" + std::to_string(left) + " " +
           std::to_string(from) + " C" + std::to_string(left - reach) + " " + std::to_string(from) +
           " " + std::to_string(left - reach) + " " + std::to_string(to) + " " +
           std::to_string(left) + " " + std::to_string(to) + "\"><title>" +
           escaped_markup(std::string(edge_name(edge.kind)) + ": " + label_of(edge) + " cycles") +
           "</title></path>\n";
  }
  for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
    const PathGraph::Node& node = graph.nodes[n];
    out += "<text" + std::string(node.critical ? " class=\"hot\"" : "") + " x=\"" +
           std::to_string(left + 8) + "\" y=\"" + std::to_string(y(n)) + "\">" +
           escaped_markup(hex(node.address, 4) + "  " + node.text) +
           "</text>\n<text class=\"small\" x=\"" + std::to_string(width - 190) + "\" y=\"" +
           std::to_string(y(n)) + "\">@" + significant(node.cycle, 6) + "</text>\n";
  }
  return out + "<text x=\"" + std::to_string(left + 8) + "\" y=\"" +
         std::to_string(y(static_cast<std::uint32_t>(graph.nodes.size()))) +
         "\">end</text>\n</svg>\n";
}

}  // namespace forewarp::explain
