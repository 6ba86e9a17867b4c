// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/launch_notes.h"

#include <algorithm>
#include <string>
#include <utility>

#include "analysis/flow_step.h"
#include "base/text.h"
#include "binding/access_space.h"
#include "explain/missing_arguments.h"

namespace forewarp::explain {
namespace {

void note_clock(const ClockChoice& choice, Drafted& made) {
  constexpr std::string_view what[] = {"the sustained one", "the base clock", "the boost clock",
                                       "as given", "the one under this load"};
  made.notes.assumptions.push_back({"clock",
                                    "the clock is " +
                                        std::string(what[static_cast<std::size_t>(choice.kind)]) +
                                        ", " + significant(made.draft.clock.value(), 5) + " MHz",
                                    "--clock MHZ|base|boost|sustained|load"});
}

void note_overhead(const Case& request, const PredictOptions& options, Drafted& made) {
  if (options.timing || !request.overhead_us) return;
  made.notes.assumptions.push_back({"overhead",
                                    "launching and timing add " +
                                        significant(*request.overhead_us) +
                                        " us, as stated of the harness",
                                    "overhead_us of the case; --timing leaves it out"});
}

void note_block(const Case& request, Drafted& made) {
  if (request.has_block()) return;
  const Extent& block = made.draft.launch.block;
  made.notes.assumptions.push_back({"block",
                                    "no block was given: it is the one that the kernel requires, " +
                                        std::to_string(block[0]) + "x" + std::to_string(block[1]) +
                                        "x" + std::to_string(block[2]) + " threads",
                                    "code that requires another, or none"});
}

void note_registers(const PredictOptions& options, Drafted& made) {
  if (options.registers ||
      made.loaded->code.kernel->resources.registers_source != FactSource::inferred) {
    return;
  }
  made.notes.assumptions.push_back(
      {"registers-inferred",
       std::to_string(made.draft.needs.registers) +
           " registers per thread, counted in the code: the listing does "
           "not state them",
       "--regs N"});
}

void note_static_shared(Drafted& made) {
  const Kernel& kernel = *made.loaded->code.kernel;
  if (kernel.resources.static_shared) return;
  const bool used = std::any_of(
      kernel.instructions.begin(), kernel.instructions.end(), [](const Instruction& instruction) {
        return access_space(instruction.instruction_class) == AccessSpace::shared;
      });
  if (!used) return;
  made.notes.findings.push_back(
      {"shared-unknown",
       "the code uses shared memory and the listing does not state how much: 0 static bytes are "
       "assumed, so the occupancy may be too high; give the cubin, a listing made with "
       "-res-usage, or the bytes with --smem"});
}

void note_arguments(Drafted& made) {
  const Kernel& kernel = *made.loaded->code.kernel;
  if (kernel.parameters_source == FactSource::inferred && !kernel.parameters.empty()) {
    made.notes.assumptions.push_back(
        {"parameters-inferred",
         "names and types of the parameters are not in the listing: their "
         "layout follows from their use",
         "lines '// param INDEX NAME TYPE' at its head"});
  }
  const std::string missing = missing_arguments(kernel, made.draft.arguments);
  if (!missing.empty()) {
    made.notes.assumptions.push_back(
        {"arguments-missing",
         "not given: " + missing +
             "; missing numbers are unknown, missing pointers lead to buffers of unknown "
             "size and content",
         options_of_missing(kernel, made.draft.arguments)});
  }
  double bytes = 0;
  for (const BoundBuffer& buffer : made.draft.arguments.buffers) {
    bytes += static_cast<double>(buffer.bytes);
  }
  const auto& segments = made.loaded->gpu->memory.segments;
  if (segments.size() > 1 && bytes > segments.front().first) {
    made.notes.findings.push_back(
        {"slow-segment", "the buffers reach beyond the fast " +
                             significant(segments.front().first / 1e9, 3) +
                             " GB of this board's memory"});
  }
  const double size = made.loaded->gpu->memory.bytes;
  if (size > 0 && bytes > size) {
    made.notes.findings.push_back(
        {"exceeds-memory", "the buffers need " + significant(bytes / 1e9, 4) +
                               " GB, the board has " + significant(size / 1e9, 4) + " GB"});
  }
}

void note_opcodes(Drafted& made) {
  if (made.loaded->code.kernel->unknown_opcodes == 0) return;
  made.notes.findings.push_back(
      {"unknown-opcodes", std::to_string(made.loaded->code.kernel->unknown_opcodes) +
                              " instructions have an opcode that is not known; they count as "
                              "issue slots only"});
}

/// Notes branches out of the listed code: a path ends there, so the time is that of the listed
/// code.
void note_broken_branches(Drafted& made) {
  const Kernel& kernel = *made.loaded->code.kernel;
  std::vector<std::string> places;
  for (const Instruction& instruction : kernel.instructions) {
    const FlowStep step = flow_step(kernel, instruction);
    if (step.action != FlowAction::jump || step.target != FlowStep::no_target) continue;
    places.push_back(hex(instruction.address, 4));
  }
  if (places.empty()) return;
  made.notes.findings.push_back(
      {"branch-outside", "the branch at " + join(places, ", ") +
                             " goes to an address that the listing does not hold: the path ends "
                             "there; is the listing complete?"});
}

}  // namespace

void note_launch(const Case& request, const PredictOptions& options, const ClockChoice& clock,
                 Drafted& made) {
  note_clock(clock, made);
  note_block(request, made);
  note_overhead(request, options, made);
  note_registers(options, made);
  note_static_shared(made);
  note_arguments(made);
  note_opcodes(made);
  note_broken_branches(made);
}

void note_static_profile(const Case& request, const PredictOptions& options, const Drafted& drafted,
                         const FoundPaths& foreseen, const std::optional<Diagnostic>& unexecuted,
                         Notes& notes) {
  const Kernel& kernel = *drafted.loaded->code.kernel;
  const Repeat repeat = options.repeat ? *options.repeat : request.repeat.value_or(Repeat::cold);
  if (unexecuted) {
    notes.assumptions.push_back(
        {"not-executed",
         "counts follow from the static analysis: executing the kernel stops at " +
             unexecuted->place + ": " + unexecuted->found,
         unexecuted->way_out});
    const std::string missing = missing_arguments(kernel, drafted.draft.arguments);
    if (!missing.empty()) {
      notes.findings.push_back(
          {"missing-arguments",
           "nothing was executed, and these arguments are not given: " + missing + ": add " +
               options_of_missing(kernel, drafted.draft.arguments)});
    }
  }
  notes.assumptions.push_back(
      {"caches-cold",
       std::string("every global access goes to device memory: without an execution, cache hits "
                   "are not counted") +
           (repeat == Repeat::warm ? ", nor what an earlier launch left behind" : ""),
       unexecuted        ? unexecuted->way_out
       : options.execute ? ""
                         : "leave out --static"});
  for (const auto& assumed : foreseen.assumptions) notes.assumptions.push_back(assumed);
  for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
    const Instruction& instruction = kernel.instructions[i];
    const bool global = access_space(instruction.instruction_class) == AccessSpace::global;
    if (!global || foreseen.patterns[i].known) continue;
    notes.findings.push_back(
        {"assumed-stride", "nothing was executed, and where " + hex(instruction.address, 4) +
                               " points depends on data: neighbouring words are assumed; "
                               "scattered ones would move up to a sector each" +
                               (unexecuted ? "; see 'not-executed'" : "")});
    return;
  }
}

}  // namespace forewarp::explain
