// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include "analysis/expression_text.h"
#include "analysis_view.h"
#include "base/text.h"

namespace forewarp::cli {
namespace {

constexpr std::size_t widest_instruction = 48;
constexpr std::size_t widest_formula = 160;  ///< JSON has them whole

/// Appends lines to one text.
class Lines {
 public:
  template <typename... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    text_ += '\n';
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string address_of(const Kernel& kernel, std::uint32_t instruction) {
  return hex(kernel.instructions[instruction].address, 4);
}

std::string shortened(std::string_view text, std::size_t widest) {
  if (text.size() <= widest) return std::string(text);
  return std::string(text.substr(0, widest - 2)) + "..";
}

std::string bytes(const std::optional<std::uint32_t>& value) {
  return value ? std::to_string(*value) : "unknown";
}

void add_head(Lines& lines, const KernelAnalysis& analysis) {
  const Kernel& kernel = analysis.kernel();
  const Resources& r = kernel.resources;
  lines.add("{} (sm_{}){}", kernel.name, kernel.sm,
            kernel.mangled == kernel.name ? "" : " " + kernel.mangled);
  lines.add("  {} instructions in {} blocks{}", analysis.flow().instruction_count(),
            analysis.flow().blocks().size(),
            analysis.flow().routines().size() > 1
                ? fmt::format(", {} subroutines", analysis.flow().routines().size() - 1)
                : "");
  lines.add("  registers {} ({}), shared {} bytes, local {} bytes, constants {} bytes, barriers {}",
            bytes(r.registers), source_name(r.registers_source), bytes(r.static_shared),
            bytes(r.local_bytes), bytes(r.constant_bytes), bytes(r.barriers));
  if (r.most_threads) lines.add("  launch bounds: at most {} threads per block", *r.most_threads);
  if (r.required_block) {
    const auto& [x, y, z] = *r.required_block;
    lines.add("  required block: {}x{}x{} threads", x, y, z);
  }
  for (const std::string& note : analysis.flow().notes()) lines.add("  note: {}", note);
  for (const ControlEdge& e : analysis.loops().irreducible()) {
    lines.add("  note: the jump at {} closes a cycle that has several entries",
              address_of(kernel, analysis.flow().blocks()[e.from].end - 1));
  }
}

void add_parameters(Lines& lines, const Kernel& kernel) {
  if (kernel.parameters.empty()) return;
  lines.add("  parameters ({})", source_name(kernel.parameters_source));
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const Parameter& p = kernel.parameters[i];
    lines.add("    {:>2}  {:<12} {:<20} {:>2} bytes at c[0x0][{}]", i, parameter_name(kernel, i),
              p.type.empty() ? (p.pointer ? "pointer" : "-") : p.type, p.size,
              hex(kernel.parameter_base + p.offset));
  }
}

void add_loops(Lines& lines, const KernelAnalysis& analysis) {
  const auto& loops = analysis.loops().all();
  if (loops.empty()) return;
  lines.add("  loops");
  for (LoopId id = 0; id < loops.size(); ++id) {
    const Loop& loop = loops[id];
    const LoopTrip& trip = analysis.trip(id);
    lines.add("    {:>2}  {}-{}  depth {}  {}", id, hex(loop.begin, 4), hex(loop.end, 4),
              loop.depth,
              trip.known ? shortened(analysis.pass_text(id), widest_formula) + " times"
                         : "unknown: " + trip.reason);
  }
}

void add_branches(Lines& lines, const KernelAnalysis& analysis) {
  const Kernel& kernel = analysis.kernel();
  bool first = true;
  for (const BasicBlock& block : analysis.flow().blocks()) {
    const std::uint32_t last = block.end - 1;
    const Condition* condition = analysis.condition(last);
    const bool flows = analysis.flow().successors(analysis.flow().block_of(last)).size() > 1;
    if (condition == nullptr || (!flows && !block.exits && !block.returns)) continue;
    if (first) lines.add("  branches");
    first = false;
    lines.add("    {}  {:<{}}  when {}", address_of(kernel, last),
              shortened(kernel.text_of(kernel.instructions[last]), widest_instruction), 32,
              condition->reason.empty()
                  ? shortened(analysis.text(condition->effect), widest_formula)
                  : "it depends on " + condition->reason);
  }
}

void add_memory(Lines& lines, const KernelAnalysis& analysis) {
  const Kernel& kernel = analysis.kernel();
  if (analysis.addresses().empty()) return;
  lines.add("  memory");
  for (const AddressForm& form : analysis.addresses()) {
    const Instruction& instruction = kernel.instructions[form.instruction];
    lines.add("    {}  {:<{}}  {}", address_of(kernel, form.instruction),
              shortened(kernel.text_of(instruction), widest_instruction), 32,
              form.reason.empty() ? shortened(analysis.text(form.value), widest_formula)
                                  : "depends on " + form.reason);
  }
}

std::string mix_text(const Mix& mix) {
  std::vector<std::pair<std::uint32_t, std::string>> counts;
  for (std::size_t c = 0; c < mix.by_class.size(); ++c) {
    if (mix.by_class[c] == 0) continue;
    counts.emplace_back(mix.by_class[c], class_name(static_cast<InstructionClass>(c)));
  }
  std::stable_sort(counts.begin(), counts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> parts;
  for (const auto& [count, name] : counts) parts.push_back(std::to_string(count) + " " + name);
  if (mix.dual_pairs > 0) parts.push_back(std::to_string(mix.dual_pairs) + " dual-issue pairs");
  return join(parts, ", ");
}

void add_blocks(Lines& lines, const KernelAnalysis& analysis) {
  const Kernel& kernel = analysis.kernel();
  lines.add("  blocks");
  Mix total;
  for (BlockId b = 0; b < analysis.flow().blocks().size(); ++b) {
    const BasicBlock& block = analysis.flow().blocks()[b];
    const LoopId loop = analysis.loops().innermost(b);
    total += analysis.mixes()[b];
    lines.add("    {:>3}  {}-{}  {:<7}  {}", b, address_of(kernel, block.first),
              address_of(kernel, block.end - 1),
              loop == no_loop ? std::string("-") : "loop " + std::to_string(loop),
              mix_text(analysis.mixes()[b]));
  }
  lines.add("  mix: {}", mix_text(total));
}

void add_unknown_opcodes(Lines& lines, const Kernel& kernel) {
  std::map<std::string, std::uint32_t> counts;
  for (const Instruction& instruction : kernel.instructions) {
    if (!instruction.decoded) {
      ++counts["(words that the disassembler did not print)"];
    } else if (instruction.opcode == unknown_opcode) {
      const std::string_view text = kernel.text_of(instruction);
      const std::size_t begin = text.starts_with('@') ? std::min(text.find(' '), text.size()) : 0;
      const std::string_view rest = trim(text.substr(begin));
      ++counts[std::string(rest.substr(0, rest.find(' ')))];
    }
  }
  if (counts.empty()) return;
  lines.add("  unknown opcodes");
  for (const auto& [name, count] : counts) lines.add("    {:>5}  {}", count, name);
}

}  // namespace

std::string_view source_name(FactSource source) {
  switch (source) {
    case FactSource::stated:
      return "stated";
    case FactSource::header_line:
      return "header line";
    case FactSource::section_info:
      return "section information";
    case FactSource::mangled_name:
      return "mangled name";
    case FactSource::inferred:
      return "inferred from the code";
  }
  return "";
}

std::string analysis_as_text(const KernelAnalysis& analysis) {
  Lines lines;
  add_head(lines, analysis);
  add_parameters(lines, analysis.kernel());
  add_loops(lines, analysis);
  add_branches(lines, analysis);
  add_memory(lines, analysis);
  add_blocks(lines, analysis);
  add_unknown_opcodes(lines, analysis.kernel());
  return lines.take();
}

}  // namespace forewarp::cli
