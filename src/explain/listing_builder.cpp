// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/listing_builder.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "binding/bind_timing.h"
#include "binding/bound_kernel.h"
#include "binding/formula_text.h"
#include "binding/path_cycles.h"
#include "hardware/schema.h"
#include "prediction/execution.h"

namespace forewarp::explain {
namespace {

/// What an issue waited for, as text: register, producer, cycles: "R0 from 0x00b8 (350)".
std::string waiting_text(const Kernel& kernel, const BoundLatency& latency,
                         const IssueEvent& event) {
  if (event.after < 0) return {};
  const IssueEvent& before = latency.path.events[static_cast<std::size_t>(event.after)];
  const std::string from = hex(kernel.instructions[before.instruction].address, 4);
  const std::string cycles = " (" + significant(event.cycle - before.cycle, 4) + ")";
  switch (event.cause) {
    case IssueCause::operand:
      return register_name(latency.timing.slots[event.slot]) + " from " + from + cycles;
    case IssueCause::scoreboard:
      return "barrier " + std::to_string(event.slot) + " of " + from + cycles;
    case IssueCause::barrier:
      return "block barrier" + cycles;
    case IssueCause::order:
    case IssueCause::start:
      return {};
  }
  return {};
}

void mark_loops(const Evaluation& evaluation, Result& result) {
  for (const PathLoop& loop : evaluation.bound->kernel->loops()) {
    for (Result::ListingLine& line : result.listing) {
      if (line.address < loop.begin || line.address >= loop.end) continue;
      line.loop_depth = std::max(line.loop_depth, loop.depth);
      line.loop_head = line.loop_head || line.address == loop.begin;
    }
  }
}

/// "4 sectors", "1 sector".
std::string counted(double count, const std::string& things) {
  const std::string number = significant(count, 3);
  return number + " " + things + (number == "1" ? "" : "s");
}

/// "8 wavefronts, bank conflict x8": the factor is over the wavefronts of neighbouring words.
std::string shared_text(const AccessPattern& access, const Gpu& gpu) {
  constexpr double slight = 1.05;
  const double passes = access.passes / access.requests;
  const double least = unit_stride_pattern(access.bytes_per_lane, true, gpu).passes;
  std::string text = counted(passes, "wavefront");
  if (passes > slight * std::max(1.0, least))
    text += ", bank conflict x" + significant(passes / std::max(1.0, least), 3);
  return text;
}

/// "4 sectors, L1 50 %, L2 75 %" or "2 wavefronts": means of one execution, from the memory
/// profile.
std::string memory_text(const Instruction& instruction, const AccessPattern& access,
                        const Gpu& gpu) {
  if (access.requests <= 0) return "no lane";
  const AccessSpace space = access_space(instruction.instruction_class);
  if (space == AccessSpace::shared) return shared_text(access, gpu);
  if (space != AccessSpace::global && space != AccessSpace::local) return {};
  std::string text = counted(access.sectors / access.requests, "sector");
  return text + hit_rates_text(access.l1_hits, access.l2_hits);
}

/// " 0 3": the numbers of the bits that are set.
std::string bits_text(std::uint8_t mask) {
  std::string text;
  for (std::uint32_t bit = 0; bit < 8; ++bit) {
    if ((mask >> bit & 1U) != 0) text += " " + std::to_string(bit);
  }
  return text;
}

/// "stall 2, waits for 0 1, sets 3 when written": what the compiler tells the scheduler.
std::string control_text(const Control& control) {
  if (!control.known) return {};
  std::string text = "stall " + std::to_string(control.stall);
  if (control.yield) text += ", yields";
  if (control.wait_mask != 0) text += ", waits for" + bits_text(control.wait_mask);
  if (control.write_barrier != no_barrier)
    text += ", sets " + std::to_string(control.write_barrier) + " when written";
  if (control.read_barrier != no_barrier)
    text += ", sets " + std::to_string(control.read_barrier) + " when read";
  if (control.reuse != 0) text += ", keeps operand" + bits_text(control.reuse);
  return text;
}

void add_executed(const Evaluation& evaluation, std::size_t index, Result::ListingLine& line) {
  if (!evaluation.trace->profile) return;
  const InstructionCount& count = evaluation.trace->profile->executed.paths.instructions[index];
  line.lanes = count.warps > 0 ? count.lanes / count.warps : 0;
  const AccessPattern& access = evaluation.bound->kernel->patterns()[index];
  const Instruction& instruction = evaluation.launch->code.kernel->instructions[index];
  if (access.known && count.warps > 0)
    line.memory = memory_text(instruction, access, *evaluation.launch->gpu);
}

}  // namespace

std::string hit_rates_text(double l1, double l2) {
  std::string text;
  if (l1 > 0) text += ", L1 " + significant(100 * l1, 3) + " %";
  if (l2 > 0) text += ", L2 " + significant(100 * l2, 3) + " %";
  return text;
}

void add_listing(const Evaluation& evaluation, const ModelRun& run, Result& result) {
  const Kernel& kernel = *evaluation.launch->code.kernel;
  const BoundLatency& latency = *run.latency;
  const std::vector<double> executions = evaluation.bound->kernel->executions();
  for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
    const Instruction& instruction = kernel.instructions[i];
    Result::ListingLine line;
    line.address = instruction.address;
    line.text = kernel.text_of(instruction);
    line.instruction_class = class_name(instruction.instruction_class);
    const auto timing = evaluation.launch->gpu->classes.find(line.instruction_class);
    if (timing != evaluation.launch->gpu->classes.end()) line.pipe = timing->second.pipe;
    line.executions = executions[i];
    const TripPolynomial formula = evaluation.bound->kernel->execution_formula(i);
    if (!formula.is_constant()) {
      line.executions_formula = formula_text(formula, evaluation.bound->kernel->loops());
    }
    add_executed(evaluation, i, line);
    line.latency = latency.timing.instructions[i].latency;
    line.dual_with_next = instruction.dual_with_next;
    line.control = control_text(instruction.control);
    line.source_line = instruction.source_line;
    if (instruction.source_line != 0 && instruction.source_file < kernel.source_files.size()) {
      line.source_file = kernel.source_files[instruction.source_file];
    }
    result.listing.push_back(std::move(line));
  }
  for (const IssueEvent& event : latency.path.events) {
    Result::ListingLine& line = result.listing[event.instruction];
    if (line.issue_cycle >= 0) continue;  // show the first pass of a loop
    line.issue_cycle = event.cycle;
    line.waits_for = waiting_text(kernel, latency, event);
  }
  for (const std::uint32_t event : latency.path.critical) {
    result.listing[latency.path.events[event].instruction].critical = true;
  }
  const auto cycles = path_cycles(kernel, latency.path, evaluation.bound->kernel->loops());
  for (const auto& [instruction, taken] : cycles) result.listing[instruction].path_cycles = taken;
  mark_loops(evaluation, result);
}

void add_provenance(const Evaluation& evaluation, Result& result) {
  for (const auto& [path, fact] : evaluation.launch->gpu->facts) {
    if (!shown_with_result(path) || !fact.text.empty()) continue;
    result.provenance.push_back(
        {path, fact.unit, fact.source, std::string(confidence_name(fact.confidence)), fact.value});
  }
}

}  // namespace forewarp::explain
