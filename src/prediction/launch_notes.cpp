// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/launch_notes.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "analysis/flow_step.h"
#include "base/text.h"
#include "binding/access_space.h"
#include "binding/launch_check.h"
#include "binding/operation_counts.h"
#include "hardware/matrix_facts.h"
#include "prediction/content_notes.h"
#include "prediction/driver_calls.h"
#include "prediction/missing_arguments.h"
#include "program/scalar_type.h"
#include "request/argument_text.h"

namespace forewarp::prediction {
namespace {

void note_clock(const ClockChoice& choice, Launch& made) {
  constexpr std::string_view what[] = {"the sustained one", "the base clock", "the boost clock",
                                       "as given", "the one under this load"};
  made.notes.assumptions.push_back({"clock",
                                    "the clock is " +
                                        std::string(what[static_cast<std::size_t>(choice.kind)]) +
                                        ", " + significant(made.clock.value(), 5) + " MHz",
                                    "--clock MHZ|base|boost|sustained|load"});
  const double share = matrix_clock_share(*made.gpu);
  if (share == 1 || !multiplies_matrices(*made.code.kernel)) return;
  made.notes.assumptions.push_back(
      {"matrix-clock",
       "with matrix instructions the board runs at no more than " + significant(share, 3) +
           " of the clock that is set",
       "--set hw.tensor.clock_share=1, where the clock is the one that was counted"});
}

void note_overhead(const Query& query, Launch& made) {
  if (query.overhead_us.origin != request::Origin::harness) return;
  made.notes.assumptions.push_back({"overhead",
                                    "launching and timing add " +
                                        significant(*query.overhead_us.value) +
                                        " us, as stated of the harness",
                                    "overhead_us of the case; --timing leaves it out"});
}

void note_block(const Case& request, Launch& made) {
  if (request.has_block()) return;
  const Extent& block = made.config.block;
  made.notes.assumptions.push_back({"block",
                                    "no block was given: it is the one that the kernel requires, " +
                                        std::to_string(block[0]) + "x" + std::to_string(block[1]) +
                                        "x" + std::to_string(block[2]) + " threads",
                                    "code that requires another, or none"});
}

/// On which SMs clusters run. The board is the one that they see, without the others.
std::string clusters_on(const Gpu& gpu, std::uint64_t blocks) {
  const std::vector<std::uint32_t>& gpcs = gpu.limits.gpc_sms;
  const std::uint32_t all = std::accumulate(gpcs.begin(), gpcs.end(), std::uint32_t{0});
  if (sms_for_clusters(gpu.limits, all, blocks) != gpu.sms)
    return "it is not known which SMs share a GPC, so that all of them are taken to hold whole "
           "ones";
  return "they fit " + std::to_string(gpu.sms) + " of " + std::to_string(all) +
         " SMs, as those of one run on SMs of one GPC";
}

void note_cluster(const Case& request, Launch& made) {
  const Extent& cluster = made.config.cluster;
  if (cluster[0] == 0 || volume(cluster) == 1) return;
  made.notes.assumptions.push_back(
      {"cluster",
       "clusters of " + std::to_string(cluster[0]) + "x" + std::to_string(cluster[1]) + "x" +
           std::to_string(cluster[2]) + " blocks" +
           (request.launch.cluster[0] == 0 ? ", as the kernel says" : "") + ": " +
           clusters_on(*made.gpu, volume(cluster)) +
           "; what other blocks contribute to a barrier comes with the block's own",
       "--cluster X,Y,Z"});
}

void note_registers(const PredictOptions& options, Launch& made) {
  if (options.registers || made.code.kernel->resources.registers_source != FactSource::inferred) {
    return;
  }
  made.notes.assumptions.push_back(
      {"registers-inferred",
       std::to_string(made.needs.registers) +
           " registers per thread, counted in the code: the listing does "
           "not state them",
       "--regs N"});
}

void note_static_shared(Launch& made) {
  const Kernel& kernel = *made.code.kernel;
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

/// Numbers whose width only the code tells: where it reads eight bytes at once, or none of them,
/// there may be two of four bytes as well.
void note_widths(const Query& query, Launch& made) {
  if (made.code.kernel->parameters_source != FactSource::inferred) return;
  constexpr std::uint32_t wide = 8;
  std::string which, change;
  for (const NamedArgument& argument : query.request.launch.arguments) {
    if (!argument.index || *argument.index >= made.arguments.parameters.size()) continue;
    const BoundParameter& bound = made.arguments.parameters[*argument.index];
    const bool typed = !argument.value.type.empty() && !beyond_signed(argument.value);
    if (bound.source != BoundParameter::Source::number || bound.size != wide || typed) continue;
    const std::string index = std::to_string(*argument.index);
    which += (which.empty() ? "" : ", ") + index;
    change += (change.empty() ? "--arg " : " --arg ") + index + "=i32:" + text_of(argument.value);
  }
  if (which.empty()) return;
  made.notes.assumptions.push_back(
      {"number-width",
       "the code reads eight bytes at once where argument " + which +
           " lies, or none of them: its number is taken for one of eight bytes",
       change + " for four bytes"});
}

void note_arguments(Launch& made) {
  const Kernel& kernel = *made.code.kernel;
  if (kernel.parameters_source == FactSource::inferred && !kernel.parameters.empty()) {
    made.notes.assumptions.push_back(
        {"parameters-inferred",
         "names and types of the parameters are not in the listing: their "
         "layout follows from their use",
         "lines '// param INDEX NAME TYPE' at its head"});
  }
  const std::string missing = missing_arguments(kernel, made.arguments);
  if (!missing.empty()) {
    made.notes.assumptions.push_back(
        {"arguments-missing",
         "not given: " + missing +
             "; missing numbers are unknown, missing pointers lead to buffers of unknown "
             "size and content",
         options_of_missing(kernel, made.arguments)});
  }
  double bytes = 0;
  for (const BoundBuffer& buffer : made.arguments.buffers) {
    bytes += static_cast<double>(buffer.bytes);
  }
  const auto& segments = made.gpu->memory.segments;
  if (segments.size() > 1 && bytes > segments.front().first) {
    made.notes.findings.push_back(
        {"slow-segment", "the buffers reach beyond the fast " +
                             significant(segments.front().first / 1e9, 3) +
                             " GB of this board's memory"});
  }
  const double size = made.gpu->memory.bytes;
  if (size > 0 && bytes > size) {
    made.notes.findings.push_back(
        {"exceeds-memory", "the buffers need " + significant(bytes / 1e9, 4) +
                               " GB, the board has " + significant(size / 1e9, 4) + " GB"});
  }
}

void note_opcodes(Launch& made) {
  if (made.code.kernel->unknown_opcodes == 0) return;
  made.notes.findings.push_back(
      {"unknown-opcodes", std::to_string(made.code.kernel->unknown_opcodes) +
                              " instructions have an opcode that is not known; they count as "
                              "issue slots only"});
}

/// Notes branches out of the listed code: a path ends there, so the time is that of the listed
/// code.
void note_broken_branches(Launch& made) {
  const Kernel& kernel = *made.code.kernel;
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

void note_launch(const Query& query, Launch& made) {
  note_clock(query.clock.value, made);
  note_block(query.request, made);
  note_cluster(query.request, made);
  note_overhead(query, made);
  note_registers(query.options, made);
  note_static_shared(made);
  note_arguments(made);
  note_contents(made);
  note_widths(query, made);
  note_opcodes(made);
  note_broken_branches(made);
}

void note_static_profile(const Query& query, const Launch& launch, const FoundPaths& foreseen,
                         const std::optional<Diagnostic>& unexecuted, Notes& notes) {
  const Kernel& kernel = *launch.code.kernel;
  if (unexecuted) {
    notes.assumptions.push_back(
        {"not-executed",
         "counts follow from the static analysis: executing the kernel stops at " +
             unexecuted->place + ": " + unexecuted->found,
         unexecuted->way_out});
    const std::string missing = missing_arguments(kernel, launch.arguments);
    if (!missing.empty()) {
      notes.findings.push_back(
          {"missing-arguments",
           "nothing was executed, and these arguments are not given: " + missing + ": add " +
               options_of_missing(kernel, launch.arguments)});
    }
  }
  notes.assumptions.push_back(
      {"caches-cold",
       std::string("every global access goes to device memory: without an execution, cache hits "
                   "are not counted") +
           (query.repeat.value == Repeat::warm ? ", nor what an earlier launch left behind" : ""),
       unexecuted              ? unexecuted->way_out
       : query.options.execute ? ""
                               : "leave out --static"});
  note_driver_calls(kernel, nullptr, notes.findings, notes.assumptions);
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

}  // namespace forewarp::prediction
