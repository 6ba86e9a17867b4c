// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/preparation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "analysis/flow_step.h"
#include "base/text.h"
#include "binding/launch_check.h"
#include "binding/occupancy_curve.h"
#include "driver/calibrated_run.h"
#include "driver/executed_binding.h"
#include "driver/launch_recall.h"
#include "driver/load_clock.h"
#include "driver/longest_block.h"
#include "driver/preparation_checks.h"
#include "driver/simulation.h"
#include "input/architecture_choice.h"
#include "launch/cache/launch_cache.h"
#include "launch/execution_launch.h"
#include "launch/memory_stretches.h"
#include "launch/path_finder.h"
#include "model/automatic/automatic_rule.h"
#include "model/choice/model_choice.h"
#include "request/options/option_table.h"

namespace forewarp::driver {
namespace {

Expected<void> check_architecture(const LoadedKernel& loaded, const Gpu& gpu,
                                  const PredictOptions& options, Prepared& prepared) {
  for (const std::string& made : loaded.kernel->assumptions) {
    prepared.assumptions.push_back({"made-code", made, "--cuda PATH, or compile it yourself"});
  }
  const std::uint32_t code = loaded.kernel->sm;
  const auto board = static_cast<std::uint32_t>(gpu.cc.sm());
  if (code == board) return {};
  const std::string names =
      "sm_" + std::to_string(code) + " code on an sm_" + std::to_string(board) + " board";
  if (code != 0 && runs_on(code, board)) {
    prepared.assumptions.push_back(
        {"older-code", names + ": it runs there as it is, scheduled for the older architecture",
         "compile for sm_" + std::to_string(board)});
    return {};
  }
  if (options.assume_isa) {
    prepared.assumptions.push_back(
        {"assume-isa", names + ": taken as if it ran there", "leave out --assume-isa"});
    return {};
  }
  if (loaded.kernel->isa_assumed) {
    prepared.assumptions.push_back(
        {"assume-isa", names + ": the toolkit compiles for nothing newer, taken as if it ran there",
         "--cuda PATH of a toolkit that knows sm_" + std::to_string(board)});
    return {};
  }
  return Diagnostic{
      loaded.input,
      "the code is for sm_" + std::to_string(code) + ", " + gpu.name + " is sm_" +
          std::to_string(board),
      "code for sm_" + std::to_string(gpu.cc.major) + "0 to sm_" + std::to_string(board),
      "compile it for sm_" + std::to_string(board) + ", or use --assume-isa for a what-if"};
}

Expected<void> fill_launch(const Case& request, const PredictOptions& options, Launch& launch) {
  launch.grid = request.launch.grid;
  launch.block = request.launch.block;
  launch.dynamic_shared = request.launch.dynamic_shared;
  launch.constants = request.launch.constants;
  if (!request.has_block()) {
    return Diagnostic{"--block", "the block size is missing", "threads per block: X[,Y[,Z]]",
                      "give --block, a launch file or a case with block"};
  }
  if (options.threads && request.has_grid()) {
    return Diagnostic{"--threads", "stands beside a grid", "one of the two",
                      "leave out --grid, or --threads"};
  }
  if (options.threads) {
    const std::uint64_t blocks = (*options.threads + launch.block[0] - 1) / launch.block[0];
    launch.grid = {static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, 0xffffffffU)), 1, 1};
  }
  if (launch.grid[0] == 0) {
    return Diagnostic{"--grid", "the grid size is missing", "blocks: X[,Y[,Z]]",
                      "give --grid or --threads, a launch file or a case with grid"};
  }
  return {};
}

ClockChoice clock_choice(const Case& request, const PredictOptions& options) {
  return options.clock ? *options.clock : request.clock.value_or(ClockChoice{});
}

double clock_of(const Gpu& gpu, const ClockChoice& choice) {
  switch (choice.kind) {
    case ClockChoice::Kind::base:
      return gpu.clock_base_mhz;
    case ClockChoice::Kind::boost:
      return gpu.clock_boost_mhz;
    case ClockChoice::Kind::stated:
      return choice.megahertz;
    case ClockChoice::Kind::load:
      return choice.megahertz > 0 ? choice.megahertz : highest_clock(gpu);
    case ClockChoice::Kind::sustained:
      break;
  }
  return gpu.clock_sustained_mhz;
}

/// Whether somebody stated or measured it, or it is the vendor's figure that was asked for.
bool clock_is_known(const Gpu& gpu, const ClockChoice& choice) {
  if (choice.kind == ClockChoice::Kind::load) return false;
  if (choice.kind != ClockChoice::Kind::sustained) return true;
  const auto fact = gpu.facts.find("clock.sustained_mhz");
  return fact != gpu.facts.end() && fact->second.confidence <= Confidence::published;
}

void note_clock(const ClockChoice& choice, Prepared& prepared) {
  constexpr std::string_view what[] = {"the sustained one", "the base clock", "the boost clock",
                                       "as given", "the one under this load"};
  prepared.assumptions.push_back({"clock",
                                  "the clock is " +
                                      std::string(what[static_cast<std::size_t>(choice.kind)]) +
                                      ", " + significant(prepared.draft.clock_mhz, 5) + " MHz",
                                  "--clock MHZ|base|boost|sustained|load"});
}

void note_overhead(const Case& request, const PredictOptions& options, Prepared& prepared) {
  if (options.timing || !request.overhead_us) return;
  prepared.assumptions.push_back({"overhead",
                                  "launching and timing add " + significant(*request.overhead_us) +
                                      " us, as stated of the harness",
                                  "overhead_us of the case; --timing leaves it out"});
}

BlockNeeds block_needs(const Kernel& kernel, const Launch& launch, const PredictOptions& options) {
  const Resources& resources = kernel.resources;
  BlockNeeds needs;
  needs.threads = launch.threads_per_block();
  needs.registers = options.registers.value_or(resources.registers.value_or(0));
  needs.static_shared = resources.static_shared.value_or(0);
  needs.dynamic_shared = launch.dynamic_shared;
  needs.barriers = resources.barriers.value_or(0);
  return needs;
}

void note_registers(const PredictOptions& options, Prepared& prepared) {
  if (options.registers || prepared.kernel->resources.registers_source != FactSource::inferred) {
    return;
  }
  prepared.assumptions.push_back(
      {"registers-inferred",
       std::to_string(prepared.draft.needs.registers) +
           " registers per thread, counted in the code: the listing does "
           "not state them",
       "--regs N"});
}

void note_static_shared(Prepared& prepared) {
  const Kernel& kernel = *prepared.kernel;
  if (kernel.resources.static_shared) return;
  const bool used = std::any_of(
      kernel.instructions.begin(), kernel.instructions.end(), [](const Instruction& instruction) {
        return access_space(instruction.instruction_class) == AccessSpace::shared;
      });
  if (!used) return;
  prepared.findings.push_back(
      {"shared-unknown",
       "the code uses shared memory and the listing does not state how much: 0 static bytes are "
       "taken, so more blocks may seem to fit than do; give the cubin, a listing made with "
       "-res-usage, or the bytes with --smem"});
}

void note_arguments(Prepared& prepared) {
  const Kernel& kernel = *prepared.kernel;
  if (kernel.parameters_source == FactSource::inferred && !kernel.parameters.empty()) {
    prepared.assumptions.push_back(
        {"parameters-inferred",
         "names and types of the parameters are not in the listing: their "
         "layout follows from their use",
         "lines '// param INDEX NAME TYPE' at its head"});
  }
  double bytes = 0;
  for (const BoundBuffer& buffer : prepared.draft.arguments.buffers) {
    bytes += static_cast<double>(buffer.bytes);
  }
  const auto& segments = prepared.gpu->memory_segments;
  if (segments.size() > 1 && bytes > segments.front().first) {
    prepared.findings.push_back({"slow-segment", "the buffers reach beyond the fast " +
                                                     significant(segments.front().first / 1e9, 3) +
                                                     " GB of this board's memory"});
  }
  const double size = prepared.gpu->memory_bytes;
  if (size > 0 && bytes > size) {
    prepared.findings.push_back(
        {"exceeds-memory", "the buffers need " + significant(bytes / 1e9, 4) +
                               " GB, the board has " + significant(size / 1e9, 4) + " GB"});
  }
}

void note_opcodes(Prepared& prepared) {
  if (prepared.kernel->unknown_opcodes == 0) return;
  prepared.findings.push_back(
      {"unknown-opcodes", std::to_string(prepared.kernel->unknown_opcodes) +
                              " instructions have an opcode that is not known; they count as "
                              "issue slots only"});
}

void note_static_profile(Prepared& prepared, const Case& request, const PredictOptions& options,
                         const std::optional<Diagnostic>& unexecuted) {
  const Repeat repeat = options.repeat ? *options.repeat : request.repeat.value_or(Repeat::cold);
  if (unexecuted) {
    prepared.assumptions.push_back(
        {"not-executed",
         "counts follow from the static analysis: executing the kernel stops at " +
             unexecuted->place + ": " + unexecuted->found,
         unexecuted->way_out});
  }
  prepared.assumptions.push_back(
      {"caches-cold",
       std::string("every global access goes to device memory: without an execution, cache hits "
                   "are not counted") +
           (repeat == Repeat::warm ? ", nor what an earlier launch left behind" : ""),
       unexecuted        ? unexecuted->way_out
       : options.execute ? ""
                         : "leave out --static"});
}

/// A path that leaves the listed code ends there: the time is that of what was listed.
void note_broken_branches(Prepared& prepared) {
  const Kernel& kernel = *prepared.kernel;
  std::vector<std::string> places;
  for (const Instruction& instruction : kernel.instructions) {
    const FlowStep step = flow_step(kernel, instruction);
    if (step.action != FlowAction::jump || step.target != FlowStep::no_target) continue;
    places.push_back(hex(instruction.address, 4));
  }
  if (places.empty()) return;
  prepared.findings.push_back(
      {"branch-outside", "the branch at " + join(places, ", ") +
                             " goes to an address that the listing does not hold: the path ends "
                             "there; is the listing complete?"});
}

/// Neither the analysis nor the execution found the counts: both ways out.
Diagnostic neither(Diagnostic analysis, const std::optional<Diagnostic>& execution) {
  if (!execution) return analysis;
  analysis.found += "; executing it stops: " + execution->place + ": " + execution->found;
  if (!execution->way_out.empty()) analysis.way_out += ", or " + execution->way_out;
  return analysis;
}

/// What was executed of it leads nowhere: nobody knows how often the loop goes on, if it ends.
Diagnostic endless(Diagnostic cut, const Diagnostic& analysis) {
  cut.found += ", and its passes are not known beforehand: " + analysis.found;
  return cut;
}

/// From the disk, where a process has seen this launch on this GPU: then with its traffic.
Expected<std::shared_ptr<const LaunchProfile>> recall_or_execute(const LoadedKernel& loaded,
                                                                 const Case& request,
                                                                 const PredictOptions& options,
                                                                 ProfileStore& store,
                                                                 Prepared& prepared) {
  prepared.recall_key = recall_key(loaded, request, options, prepared);
  if (!prepared.recall_key.empty()) {
    if (auto known = LaunchCache::from_environment().find(prepared.recall_key)) {
      prepared.memory = std::make_shared<const MemoryProfile>(std::move(known->memory));
      return std::make_shared<const LaunchProfile>(std::move(known->profile));
    }
  }
  return store.profile(loaded, prepared.draft, options, prepared.gpu->limits.shared_per_block_optin,
                       prediction_budget(options));
}

/// What the user gave for memory must be there and fit: no fallback hides a slip of the pen.
Expected<void> check_contents(const Prepared& prepared, const PredictOptions& options) {
  const LaunchDraft& draft = prepared.draft;
  const auto& buffers = draft.arguments.buffers;
  const bool from_file = std::any_of(buffers.begin(), buffers.end(), [](const BoundBuffer& buffer) {
    return buffer.content.kind == BufferContent::Kind::file;
  });
  if (draft.launch.constants.empty() && !from_file) return {};
  auto launch = execution_launch(*prepared.kernel, draft.launch, draft.arguments, options,
                                 prepared.gpu->limits.shared_per_block_optin);
  if (!launch) return std::move(launch).error();
  return {};
}

/// Whether a model stays when auto keeps only some: it was named, or an option is meant for it.
bool is_meant(const ModelChoice& choice, std::size_t index, const PredictOptions& options) {
  if (choice.every || index < choice.named) return true;
  const std::string owner = std::string(choice.models[index]->name()) + ".";
  return std::any_of(options.model_options.begin(), options.model_options.end(),
                     [&](const auto& option) { return option.first.starts_with(owner); });
}

/// Whether `auto` may simulate: a budget below the usual one is for formulas, and what was not
/// executed has no hits to draw.
bool time_for_simulation(const PredictOptions& options, const Prepared& prepared) {
  return !options.fast && prepared.profile != nullptr &&
         options.budget_seconds.value_or(usual_budget_seconds) >= usual_budget_seconds;
}

/// The models in the order in which they are run and shown.
std::vector<std::size_t> order_of(const ModelChoice& choice, const PredictOptions& options,
                                  Mechanisms met) {
  std::vector<std::size_t> order(choice.models.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!choice.automatic) return order;
  order = preference(choice.models, met);
  std::vector<std::size_t> kept;
  for (const std::size_t index : order) {
    const bool stays = choice.models[index]->simulates() || is_meant(choice, index, options);
    if (kept.size() <= models_beside || stays) kept.push_back(index);
  }
  return kept;
}

Expected<void> add_runs(const PredictOptions& options, Prepared& prepared) {
  auto choice = choose_models(options.models, time_for_simulation(options, prepared));
  if (!choice) return std::move(choice).error();
  if (auto ok = check_model_options(*choice, options.model_options); !ok) return ok;
  prepared.automatic = choice->automatic;
  prepared.met = mechanisms_met(prepared.bound->demand(), prepared.profile != nullptr);
  for (const std::size_t index : order_of(*choice, options, prepared.met)) {
    const Model* model = choice->models[index];
    auto values = model->parse_options(options.model_options);
    if (!values) return std::move(values).error();
    ModelRun run;
    run.model = model;
    run.options = std::move(*values);
    run.rules = rules_for(*model, *prepared.gpu);
    if (run.rules == nullptr) {
      return Diagnostic{prepared.gpu->file, "has no latency rules", "a rule set named default", ""};
    }
    if (!model->latency_rules().empty() && run.rules->name != model->latency_rules()) {
      run.caveat = "the latencies of its source do not cover this generation";
    }
    run.counting = model->loop_counting(run.options);
    run.latency = &prepared.bound->latency(*run.rules, run.counting);
    run.longest_block = longest_block_cycles(prepared, *run.rules, run.counting);
    if (model->simulates()) run.simulator = connect_simulation(prepared, *run.rules, options);
    if (auto ok = calibrate_run(options, prepared, run); !ok) return ok;
    prepared.runs.push_back(std::move(run));
  }
  note_calibration(options, prepared);
  return {};
}

}  // namespace

Expected<LaunchDraft> draft_launch(const LoadedKernel& loaded, const Gpu& gpu, const Case& request,
                                   const PredictOptions& options) {
  LaunchDraft draft;
  if (auto ok = fill_launch(request, options, draft.launch); !ok) return ok.error();
  draft.clock_mhz = clock_of(gpu, clock_choice(request, options));
  draft.clock_known = clock_is_known(gpu, clock_choice(request, options));
  draft.timing = options.timing ? *options.timing : request.timing.value_or(Timing::device);
  draft.added_us = added_microseconds(gpu, request, options.timing);
  draft.needs = block_needs(*loaded.kernel, draft.launch, options);
  auto ok = check_launch(gpu.limits, draft.launch.grid, draft.launch.block, draft.needs);
  if (!ok) return ok.error();
  if (request.resident_blocks != 0) {
    const auto bytes = shared_for_residency(gpu.limits, draft.needs, request.resident_blocks);
    if (!bytes) {
      return Diagnostic{
          "resident_blocks",
          std::to_string(request.resident_blocks) + " blocks per SM cannot be had by shared memory",
          "at most the " + std::to_string(occupancy(gpu.limits, draft.needs).blocks) +
              " that fit, and not fewer than the largest block leaves",
          ""};
    }
    draft.launch.dynamic_shared = draft.needs.dynamic_shared = *bytes;
  }
  draft.occupancy = occupancy(gpu.limits, draft.needs);
  auto arguments = bind_arguments(*loaded.kernel, request.launch.arguments);
  if (!arguments) return std::move(arguments).error();
  draft.arguments = std::move(*arguments);
  return draft;
}

Expected<Prepared> prepare_launch(const LoadedKernel& loaded, std::shared_ptr<const Gpu> gpu,
                                  const Case& request, const PredictOptions& options) {
  Prepared prepared;
  prepared.kernel = loaded.kernel;
  prepared.analysis = loaded.analysis;
  prepared.input = loaded.input;
  prepared.input_hash = loaded.hash;
  prepared.gpu = std::move(gpu);
  const std::size_t resources = ResourceTable(*prepared.gpu).resources().size();
  if (auto ok = check_board(*prepared.gpu, resources); !ok) return ok.error();
  if (auto ok = check_architecture(loaded, *prepared.gpu, options, prepared); !ok)
    return ok.error();
  auto draft = draft_launch(loaded, *prepared.gpu, request, options);
  if (!draft) return std::move(draft).error();
  prepared.draft = std::move(*draft);
  note_clock(clock_choice(request, options), prepared);
  note_overhead(request, options, prepared);
  note_registers(options, prepared);
  note_static_shared(prepared);
  note_arguments(prepared);
  note_opcodes(prepared);
  note_broken_branches(prepared);
  prepared.options = option_echo(request, options);
  if (auto ok = check_stated(loaded, options); !ok) return ok.error();
  if (auto ok = check_contents(prepared, options); !ok) return ok.error();
  return prepared;
}

Expected<Prepared> prepare(const LoadedKernel& loaded, std::shared_ptr<const Gpu> gpu,
                           const Case& request, const PredictOptions& options,
                           ProfileStore* store) {
  auto begun = prepare_launch(loaded, std::move(gpu), request, options);
  if (!begun) return begun;
  Prepared prepared = std::move(*begun);
  auto found = PathFinder(*loaded.analysis, options)
                   .find(prepared.draft.launch, prepared.draft.arguments, *prepared.gpu);
  std::optional<Diagnostic> unexecuted;
  if (store != nullptr && options.execute && options.trips.empty()) {
    auto executed = recall_or_execute(loaded, request, options, *store, prepared);
    if (!executed) {
      unexecuted = executed.error();
    } else if ((*executed)->executed.paths.stopped) {
      return *(*executed)->executed.paths.stopped;
    } else if ((*executed)->executed.paths.cut && !found) {
      return endless(*(*executed)->executed.paths.cut, found.error());
    } else if (found && overrules_run(loaded, options, (*executed)->executed.paths)) {
      unexecuted = Diagnostic{loaded.kernel->name, "--assume-branch overrules what it computes", "",
                              "leave out --assume-branch"};
    } else {
      prepared.profile = *executed;
    }
  }
  if (!prepared.profile && !found) return neither(found.error(), unexecuted);
  if (prepared.profile) {
    bind_profile(loaded, request, options, found ? &*found : nullptr, prepared);
    bind_longest(loaded, options, prepared);
  } else {
    note_static_profile(prepared, request, options, unexecuted);
    for (auto& assumption : found->assumptions) {
      prepared.assumptions.push_back(std::move(assumption));
    }
    prepared.bound =
        std::make_unique<BoundKernel>(*prepared.kernel, *prepared.gpu, std::move(found->paths),
                                      std::move(found->patterns), prepared.draft.clock_mhz);
  }
  prepared.draft.stretches = memory_stretches(prepared);
  prepared.work.budget = options.budget_seconds.value_or(usual_budget_seconds);
  if (auto ok = add_runs(options, prepared); !ok) return ok.error();
  return prepared;
}

}  // namespace forewarp::driver
