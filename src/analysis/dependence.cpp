// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/dependence.h"

#include <array>
#include <numeric>
#include <utility>

#include "analysis/memory_effect.h"

namespace forewarp::analysis {
namespace {

constexpr std::uint32_t nobody = 0xffffffff;

/// The last writer of one register or memory space, and the readers since then.
struct History {
  std::uint32_t writer = nobody;
  std::vector<std::uint32_t> readers;
};

class Tracker {
 public:
  explicit Tracker(const Kernel& kernel) : kernel_(kernel) {}

  void step(std::uint32_t position, std::uint32_t index) {
    const Instruction& instruction = kernel_.instructions[index];
    if (instruction.dead()) return;
    const Roles roles = roles_of(kernel_, instruction);
    for (const RegisterRange& range : roles.read()) {
      each(range, [&](History& h, std::uint16_t number) {
        if (h.writer != nobody) add(h.writer, position, DependenceKind::value, range.file, number);
      });
    }
    for (const RegisterRange& range : roles.written()) {
      each(range, [&](History& h, std::uint16_t number) {
        if (h.writer != nobody) {
          add(h.writer, position, DependenceKind::overwrite, range.file, number);
        }
        for (const std::uint32_t reader : h.readers) {
          add(reader, position, DependenceKind::anti, range.file, number);
        }
        h = {position, {}};
      });
    }
    for (const RegisterRange& range : roles.read()) {
      each(range, [&](History& h, std::uint16_t) {
        if (h.writer != position) note_reader(h, position);
      });
    }
    memory(position, instruction);
    scoreboards(position, instruction.control);
  }

  std::vector<Dependence> take() { return std::move(found_); }

 private:
  static constexpr std::size_t per_file = 256;

  template <typename Visit>
  void each(const RegisterRange& range, Visit visit) {
    for (std::uint32_t i = 0; i < range.count; ++i) {
      const std::uint32_t number = range.first + i;
      if (number >= per_file) return;
      visit(registers_[static_cast<std::size_t>(range.file) * per_file + number],
            static_cast<std::uint16_t>(number));
    }
  }

  static void note_reader(History& h, std::uint32_t position) {
    if (h.readers.empty() || h.readers.back() != position) h.readers.push_back(position);
  }

  void add(std::uint32_t from, std::uint32_t to, DependenceKind kind,
           RegisterFile file = RegisterFile::general, std::uint16_t number = 0) {
    if (from != to) found_.push_back({from, to, kind, file, number});
  }

  void memory(std::uint32_t position, const Instruction& instruction) {
    const MemoryEffect effect = memory_effect(instruction.instruction_class);
    if (effect.fence) {
      for (History& h : spaces_) {
        if (h.writer != nobody) add(h.writer, position, DependenceKind::barrier);
        for (const std::uint32_t r : h.readers) add(r, position, DependenceKind::barrier);
        h = {};
      }
      fence_ = position;
      return;
    }
    if (!effect.reads && !effect.writes) return;
    if (fence_ != nobody) add(fence_, position, DependenceKind::barrier);
    History& h = spaces_[static_cast<std::size_t>(effect.space)];
    if (h.writer != nobody) add(h.writer, position, DependenceKind::memory);
    if (!effect.writes) return h.readers.push_back(position);
    for (const std::uint32_t r : h.readers) add(r, position, DependenceKind::memory);
    h = {position, {}};
  }

  void scoreboards(std::uint32_t position, const Control& control) {
    if (!control.known) return;
    for (std::uint16_t b = 0; b < pending_.size(); ++b) {
      if (((control.wait_mask >> b) & 1U) == 0) continue;
      for (const std::uint32_t setter : pending_[b]) {
        add(setter, position, DependenceKind::scoreboard, RegisterFile::general, b);
      }
      pending_[b].clear();
    }
    for (const std::uint8_t b : {control.write_barrier, control.read_barrier}) {
      if (b < pending_.size()) pending_[b].push_back(position);
    }
  }

  const Kernel& kernel_;
  std::vector<History> registers_ = std::vector<History>(6 * per_file);
  std::array<History, 3> spaces_{};
  std::array<std::vector<std::uint32_t>, 6> pending_;
  std::uint32_t fence_ = nobody;
  std::vector<Dependence> found_;
};

std::string register_name(const Dependence& d) {
  static constexpr const char* prefix[] = {"R", "UR", "P", "UP", "CC", "B"};
  std::string name = prefix[static_cast<std::size_t>(d.file)];
  return d.file == RegisterFile::condition_code ? name : name + std::to_string(d.number);
}

std::string edge_style(const Dependence& d) {
  switch (d.kind) {
    case DependenceKind::value:
      return "label=\"" + register_name(d) + "\"";
    case DependenceKind::overwrite:
    case DependenceKind::anti:
      return "style=dotted,color=gray,label=\"" + register_name(d) + "\"";
    case DependenceKind::memory:
      return "color=blue,label=\"memory\"";
    case DependenceKind::barrier:
      return "color=blue,style=bold";
    case DependenceKind::scoreboard:
      return "color=red,label=\"SB" + std::to_string(d.number) + "\"";
  }
  return "";
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

std::vector<Dependence> dependences(const Kernel& kernel, std::span<const std::uint32_t> path) {
  Tracker tracker(kernel);
  std::uint32_t position = 0;
  for (const std::uint32_t index : path) tracker.step(position++, index);
  return tracker.take();
}

std::string dependence_dot(const Kernel& kernel, const ControlFlow& flow) {
  std::string dot =
      "digraph \"" + escaped(kernel.name) + "\" {\n  node [shape=box,fontname=monospace];\n";
  const auto node = [](std::uint32_t index) { return "i" + std::to_string(index); };
  for (BlockId b = 0; b < flow.blocks().size(); ++b) {
    const BasicBlock& block = flow.blocks()[b];
    dot += "  subgraph cluster_" + std::to_string(b) + " {\n    label=\"block " +
           std::to_string(b) + "\";\n";
    std::vector<std::uint32_t> path(block.end - block.first);
    std::iota(path.begin(), path.end(), block.first);
    for (const std::uint32_t i : path) {
      dot += "    " + node(i) + " [label=\"" + escaped(kernel.text_of(kernel.instructions[i])) +
             "\"];\n";
    }
    dot += "  }\n";
    for (const Dependence& d : dependences(kernel, path)) {
      dot += "  " + node(path[d.from]) + " -> " + node(path[d.to]) + " [" + edge_style(d) + "];\n";
    }
  }
  for (BlockId b = 0; b < flow.blocks().size(); ++b) {
    for (const ControlEdge& e : flow.successors(b)) {
      dot += "  " + node(flow.blocks()[b].end - 1) + " -> " + node(flow.blocks()[e.to].first) +
             " [style=dashed];\n";
    }
  }
  return dot + "}\n";
}

}  // namespace forewarp::analysis
