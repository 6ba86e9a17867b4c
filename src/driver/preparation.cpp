// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/preparation.h"

#include <algorithm>

#include "base/text.h"
#include "binding/launch_check.h"
#include "driver/model_choice.h"
#include "driver/path_finder.h"
#include "input/architecture_choice.h"

namespace forewarp {
namespace {

Expected<void> check_architecture(const LoadedKernel& loaded, const Gpu& gpu,
                                  const PredictOptions& options, Prepared& prepared) {
  for (const std::string& made : loaded.kernel->assumptions) {
    prepared.assumptions.push_back({"made-code", made, "--cuda PATH, or compile it yourself"});
  }
  const std::uint32_t code = loaded.kernel->sm;
  const auto board = static_cast<std::uint32_t>(gpu.cc.sm());
  if (code == board) return {};
  const std::string names = "sm_" + std::to_string(code) + " code on an sm_" + std::to_string(board) + " board";
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
  return Diagnostic{loaded.input,
                    "the code is for sm_" + std::to_string(code) + ", " + gpu.name + " is sm_" +
                        std::to_string(board),
                    "code for sm_" + std::to_string(gpu.cc.major) + "0 to sm_" + std::to_string(board),
                    "compile it for sm_" + std::to_string(board) + ", or use --assume-isa for a what-if"};
}

Expected<void> fill_launch(const Case& request, const PredictOptions& options, Prepared& prepared) {
  prepared.launch = request.launch;
  Launch& launch = prepared.launch;
  if (!request.has_block()) {
    return Diagnostic{"--block", "the block size is missing", "threads per block: X[,Y[,Z]]",
                      "give --block, a launch file or a case with block"};
  }
  if (options.threads && !request.has_grid()) {
    const std::uint64_t blocks = (*options.threads + launch.block[0] - 1) / launch.block[0];
    launch.grid = {static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, 0xffffffffU)), 1, 1};
  }
  if (launch.grid[0] == 0) {
    return Diagnostic{"--grid", "the grid size is missing", "blocks: X[,Y[,Z]]",
                      "give --grid or --threads, a launch file or a case with grid"};
  }
  return {};
}

void choose_clock(const Case& request, const PredictOptions& options, Prepared& prepared) {
  const Gpu& gpu = *prepared.gpu;
  const ClockChoice choice = options.clock ? *options.clock : request.clock.value_or(ClockChoice{});
  std::string what = "the clock is the sustained one";
  switch (choice.kind) {
    case ClockChoice::Kind::sustained: prepared.clock_mhz = gpu.clock_sustained_mhz; break;
    case ClockChoice::Kind::base:
      prepared.clock_mhz = gpu.clock_base_mhz;
      what = "the clock is the base clock";
      break;
    case ClockChoice::Kind::boost:
      prepared.clock_mhz = gpu.clock_boost_mhz;
      what = "the clock is the boost clock";
      break;
    case ClockChoice::Kind::stated:
      prepared.clock_mhz = choice.megahertz;
      what = "the clock is as given";
      break;
  }
  prepared.assumptions.push_back({"clock", what + ", " + significant(prepared.clock_mhz, 5) + " MHz",
                                  "--clock MHZ|base|boost|sustained"});
}

void fill_needs(const PredictOptions& options, Prepared& prepared) {
  const Resources& resources = prepared.kernel->resources;
  BlockNeeds& needs = prepared.needs;
  needs.threads = prepared.launch.threads_per_block();
  needs.registers = options.registers.value_or(resources.registers.value_or(0));
  needs.static_shared = resources.static_shared.value_or(0);
  needs.dynamic_shared = prepared.launch.dynamic_shared;
  needs.barriers = resources.barriers.value_or(0);
  if (!options.registers && resources.registers_source == FactSource::inferred) {
    prepared.assumptions.push_back({"registers-inferred",
                                    std::to_string(needs.registers) +
                                        " registers per thread, counted in the code: the listing does "
                                        "not state them",
                                    "--regs N"});
  }
}

void note_arguments(Prepared& prepared) {
  const Kernel& kernel = *prepared.kernel;
  if (kernel.parameters_source == FactSource::inferred && !kernel.parameters.empty()) {
    prepared.assumptions.push_back({"parameters-inferred",
                                    "names and types of the parameters are not in the listing: their "
                                    "layout follows from their use",
                                    "lines '// param INDEX NAME TYPE' at its head"});
  }
  double bytes = 0;
  for (const BoundBuffer& buffer : prepared.arguments.buffers) {
    bytes += static_cast<double>(buffer.bytes);
  }
  const double size = prepared.gpu->memory_bytes;
  if (size > 0 && bytes > size) {
    prepared.findings.push_back({"exceeds-memory", "the buffers need " + significant(bytes / 1e9, 4) +
                                                       " GB, the board has " +
                                                       significant(size / 1e9, 4) + " GB"});
  }
}

void note_static_profile(Prepared& prepared, const Case& request, const PredictOptions& options) {
  const Repeat repeat = options.repeat ? *options.repeat : request.repeat.value_or(Repeat::cold);
  if (prepared.kernel->unknown_opcodes > 0) {
    prepared.findings.push_back(
        {"unknown-opcodes", std::to_string(prepared.kernel->unknown_opcodes) +
                                " instructions have an opcode that is not known; they count as issue "
                                "slots only"});
  }
  prepared.assumptions.push_back(
      {repeat == Repeat::warm ? "caches-warm" : "caches-cold",
       "every global access goes to device memory: cache hits are not counted yet", ""});
}

Expected<void> add_runs(const PredictOptions& options, Prepared& prepared) {
  auto choice = choose_models(options.models);
  if (!choice) return std::move(choice).error();
  prepared.chosen_because = choice->because;
  for (const Model* model : choice->models) {
    auto values = model->parse_options(options.model_options);
    if (!values) return std::move(values).error();
    ModelRun run;
    run.model = model;
    run.options = std::move(*values);
    run.rules = rules_for(*model, *prepared.gpu);
    if (run.rules == nullptr) {
      return Diagnostic{prepared.gpu->file, "has no latency rules", "a rule set named default", ""};
    }
    run.counting = model->loop_counting(run.options);
    run.latency = &prepared.bound->latency(*run.rules, run.counting);
    prepared.runs.push_back(std::move(run));
  }
  return {};
}

}  // namespace

Expected<Prepared> prepare(const LoadedKernel& loaded, std::shared_ptr<const Gpu> gpu,
                           const Case& request, const PredictOptions& options) {
  Prepared prepared;
  prepared.kernel = loaded.kernel;
  prepared.input = loaded.input;
  prepared.input_hash = loaded.hash;
  prepared.gpu = std::move(gpu);
  prepared.timing = options.timing ? *options.timing : request.timing.value_or(Timing::device);
  if (auto ok = check_architecture(loaded, *prepared.gpu, options, prepared); !ok) return ok.error();
  if (auto ok = fill_launch(request, options, prepared); !ok) return ok.error();
  choose_clock(request, options, prepared);
  fill_needs(options, prepared);
  const SmLimits& limits = prepared.gpu->limits;
  if (auto ok = check_launch(limits, prepared.launch.grid, prepared.launch.block, prepared.needs); !ok) {
    return ok.error();
  }
  prepared.occupancy = occupancy(limits, prepared.needs);
  auto arguments = bind_arguments(*prepared.kernel, prepared.launch.arguments);
  if (!arguments) return std::move(arguments).error();
  prepared.arguments = std::move(*arguments);
  note_arguments(prepared);
  note_static_profile(prepared, request, options);
  auto found = find_paths(*prepared.kernel, *loaded.analysis, *prepared.gpu, prepared.launch,
                          prepared.arguments, options);
  if (!found) return std::move(found).error();
  for (auto& assumption : found->assumptions) prepared.assumptions.push_back(std::move(assumption));
  prepared.bound = std::make_unique<BoundKernel>(*prepared.kernel, *prepared.gpu,
                                                 std::move(found->paths),
                                                 std::move(found->patterns), prepared.clock_mhz);
  if (auto ok = add_runs(options, prepared); !ok) return ok.error();
  return prepared;
}

}  // namespace forewarp
