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
  GraphBuilder(const Kernel& kernel, const BoundLatency& latency,
               const std::vector<PathLoop>& loops)
      : kernel_(kernel),
        timing_(latency.timing),
        path_(latency.path),
        loops_(loops),
        node_(kernel.instructions.size(), nowhere),
        writer_(latency.timing.slots.size(), nowhere) {
    released_.fill(nowhere);
    read_.fill(nowhere);
  }

  PathGraph build() {
    for (std::uint32_t event = 0; event < path_.events.size(); ++event) add_event(event);
    graph_.cycles = path_.cycles;
    if (!path_.events.empty()) add_end();
    add_loops();
    return std::move(graph_);
  }

 private:
  void add_event(std::uint32_t number) {
    const IssueEvent& event = path_.events[number];
    const BoundInstruction& bound = timing_.instructions[event.instruction];
    std::uint32_t& node = node_[event.instruction];
    first_ = node == nowhere;
    if (first_) {
      node = static_cast<std::uint32_t>(graph_.nodes.size());
      const Instruction& instruction = kernel_.instructions[event.instruction];
      graph_.nodes.push_back(
          {instruction.address, std::string(kernel_.text_of(instruction)), event.cycle, false});
      held_by_.push_back(nowhere);
      first_issue_.push_back(number);
    }
    if (event.after >= 0) add_hold(number, static_cast<std::uint32_t>(event.after));
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

  /// What decided when this event issued, whatever rule that was: its edge leads to that cycle.
  void add_hold(std::uint32_t number, std::uint32_t producer) {
    const IssueEvent& event = path_.events[number];
    const PathGraph::Node& from = graph_.nodes[node_[path_.events[producer].instruction]];
    PathGraph::EdgeKind kind = kind_of_hold(event, producer);
    std::string label = label_of_hold(event, kind);
    double since = path_.events[producer].cycle;
    if (const std::string passes = passes_left(producer, event.instruction);
        first_ && (!passes.empty() || !is_first_issue(producer))) {
      kind = PathGraph::EdgeKind::again;
      label += (label.empty() ? "" : " ") + (passes.empty() ? "issued again" : passes);
      since = from.cycle;
    }
    insert(number, producer, kind, std::move(label), event.cycle - since);
    if (first_) held_by_.back() = static_cast<std::uint32_t>(graph_.edges.size() - 1);
  }

  [[nodiscard]] PathGraph::EdgeKind kind_of_hold(const IssueEvent& event,
                                                 std::uint32_t producer) const {
    switch (event.cause) {
      case IssueCause::operand:
        return PathGraph::EdgeKind::value;
      case IssueCause::scoreboard:
        return PathGraph::EdgeKind::scoreboard;
      case IssueCause::barrier:
        return PathGraph::EdgeKind::barrier;
      case IssueCause::start:
      case IssueCause::order:
        break;
    }
    const IssueEvent& before = path_.events[producer];
    const BoundInstruction& bound = timing_.instructions[before.instruction];
    const bool stores = timing_.instructions[event.instruction].is_store && bound.is_store;
    const bool jumped = event.instruction != before.instruction + 1;
    if (stores && (jumped || event.cycle - before.cycle > bound.spacing)) {
      return PathGraph::EdgeKind::store;
    }
    return order_kind(before.instruction, event.instruction);
  }

  [[nodiscard]] PathGraph::EdgeKind order_kind(std::uint32_t before, std::uint32_t now) const {
    if (now != before + 1) return PathGraph::EdgeKind::branch;
    return timing_.instructions[before].dual_with_next ? PathGraph::EdgeKind::dual
                                                       : PathGraph::EdgeKind::issue;
  }

  [[nodiscard]] std::string label_of_hold(const IssueEvent& event, PathGraph::EdgeKind kind) const {
    if (kind == PathGraph::EdgeKind::value) return register_name(timing_.slots[event.slot]);
    if (kind == PathGraph::EdgeKind::scoreboard) return "SB" + std::to_string(event.slot);
    if (kind == PathGraph::EdgeKind::barrier) return "barrier";
    if (kind == PathGraph::EdgeKind::store) return "after a store";
    return "";
  }

  [[nodiscard]] bool is_first_issue(std::uint32_t event) const {
    return first_issue_[node_[path_.events[event].instruction]] == event;
  }

  /// "after 128 passes" of the outermost loop around the producer that the other is not in.
  [[nodiscard]] std::string passes_left(std::uint32_t producer, std::uint32_t instruction) const {
    const std::uint32_t from = kernel_.instructions[path_.events[producer].instruction].address;
    const auto holds = [](const PathLoop& loop, std::uint32_t address) {
      return loop.begin <= address && address < loop.end;
    };
    const PathLoop* outermost = nullptr;
    for (const PathLoop& loop : loops_) {
      if (loop.trips <= 1 || !holds(loop, from)) continue;
      if (instruction != nowhere && holds(loop, kernel_.instructions[instruction].address)) {
        continue;
      }
      if (outermost == nullptr || loop.depth < outermost->depth) outermost = &loop;
    }
    return outermost == nullptr ? "" : "after " + significant(outermost->trips, 4) + " passes";
  }

  void add_order(std::uint32_t number) {
    const std::uint32_t before = path_.events[number - 1].instruction;
    const BoundInstruction& bound = timing_.instructions[before];
    const auto kind = order_kind(before, path_.events[number].instruction);
    const bool jumped = kind == PathGraph::EdgeKind::branch;
    add(number, number - 1, kind, "", jumped ? bound.spacing_taken : bound.spacing);
  }

  void add_value(std::uint32_t number, std::uint32_t producer, std::uint16_t slot) {
    const BoundInstruction& bound = timing_.instructions[path_.events[producer].instruction];
    if (timing_.by_control_words && bound.write_barrier < barriers) return;  // by its scoreboard
    add(number, producer, PathGraph::EdgeKind::value, register_name(timing_.slots[slot]),
        bound.latency);
  }

  void add_scoreboard(std::uint32_t number, std::uint32_t producer, std::size_t barrier,
                      bool read) {
    if (producer == nowhere) return;
    const BoundInstruction& bound = timing_.instructions[path_.events[producer].instruction];
    add(number, producer, PathGraph::EdgeKind::scoreboard, "SB" + std::to_string(barrier),
        read ? bound.read_release : bound.latency);
  }

  /// An edge that is known without having decided; none where one like it is there.
  void add(std::uint32_t number, std::uint32_t producer, PathGraph::EdgeKind kind,
           std::string label, double cycles) {
    const std::uint32_t from = node_[path_.events[producer].instruction];
    const std::uint32_t to = node_[path_.events[number].instruction];
    const bool known = std::ranges::any_of(graph_.edges, [&](const auto& e) {
      return e.from == from && e.to == to && e.kind == kind && e.label == label;
    });
    if (known) return;
    // Loads in a row follow each other at distances of their own, closer than others.
    if (first_) cycles = std::min(cycles, graph_.nodes[to].cycle - graph_.nodes[from].cycle);
    insert(number, producer, kind, std::move(label), cycles);
  }

  /// Later issues of an instruction add what they show for the first time, as from pass to pass.
  void insert(std::uint32_t number, std::uint32_t producer, PathGraph::EdgeKind kind,
              std::string label, double cycles) {
    const std::uint32_t from = node_[path_.events[producer].instruction];
    const std::uint32_t to = node_[path_.events[number].instruction];
    const bool known = !first_ && std::ranges::any_of(graph_.edges, [&](const auto& e) {
      return e.from == from && e.to == to && e.kind == kind && e.label == label;
    });
    if (known) return;
    graph_.edges.push_back(
        {from, to, kind, std::move(label), cycles, from >= to || !first_, false});
  }

  /// From the last issue that counts; the longest path leads there by what held each node back.
  void add_end() {
    const std::uint32_t last = path_.critical.empty()
                                   ? static_cast<std::uint32_t>(path_.events.size() - 1)
                                   : path_.critical.back();
    const std::uint32_t from = node_[path_.events[last].instruction];
    const auto end = static_cast<std::uint32_t>(graph_.nodes.size());
    graph_.edges.push_back({from, end, PathGraph::EdgeKind::end, passes_left(last, nowhere),
                            std::max(0.0, path_.cycles - graph_.nodes[from].cycle), false, true});
    for (std::uint32_t node = from;; node = graph_.edges[held_by_[node]].from) {
      graph_.nodes[node].critical = true;
      if (held_by_[node] == nowhere) return;
      graph_.edges[held_by_[node]].critical = true;
    }
  }

  void add_loops() {
    for (const PathLoop& loop : loops_) {
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
  const std::vector<PathLoop>& loops_;
  PathGraph graph_;
  std::vector<std::uint32_t> node_;                      // by instruction
  std::vector<std::uint32_t> held_by_, first_issue_;     // by node: edge, event
  std::vector<std::uint32_t> writer_;                    // event, by slot
  std::array<std::uint32_t, barriers> released_, read_;  // events, by barrier register
  bool first_ = false;                                   // the event that is added is its node's
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
  const std::string cycles = significant(edge.cycles, 6);
  return edge.label.empty() ? cycles : edge.label + " " + cycles;
}

}  // namespace

std::string_view edge_name(PathGraph::EdgeKind kind) {
  constexpr std::array<std::string_view, 9> names{
      "issue", "dual", "branch", "value", "scoreboard", "store", "barrier", "again", "end"};
  return names[static_cast<std::size_t>(kind)];
}

PathGraph path_graph(const Kernel& kernel, const BoundLatency& latency,
                     const std::vector<PathLoop>& loops) {
  return GraphBuilder(kernel, latency, loops).build();
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
