// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/stages/drafted.h"

#include <algorithm>
#include <utility>

#include "base/quantities.h"
#include "base/text.h"
#include "binding/launch_check.h"
#include "binding/occupancy_curve.h"
#include "driver/stages/preparation_checks.h"
#include "explain/launch_notes.h"
#include "hardware/schema.h"
#include "input/architecture_choice.h"
#include "launch/execution_launch.h"
#include "launch/prepared.h"
#include "request/options/option_table.h"

namespace forewarp::driver {
namespace {

Expected<void> check_architecture(const PredictOptions& options, Drafted& made) {
  const LoadedKernel& code = made.loaded->code;
  const Gpu& gpu = *made.loaded->gpu;
  for (const std::string& assumed : code.kernel->assumptions) {
    made.notes.assumptions.push_back({"made-code", assumed, "--cuda PATH, or compile it yourself"});
  }
  const std::uint32_t target = code.kernel->sm;
  const auto board = static_cast<std::uint32_t>(gpu.cc.sm());
  if (target == board) return {};
  const std::string names =
      "sm_" + std::to_string(target) + " code on an sm_" + std::to_string(board) + " board";
  if (target != 0 && runs_on(target, board)) {
    made.notes.assumptions.push_back(
        {"older-code", names + ": it runs there as it is, scheduled for the older architecture",
         "compile for sm_" + std::to_string(board)});
    return {};
  }
  if (options.assume_isa) {
    made.notes.assumptions.push_back(
        {"assume-isa", names + ": taken as if it ran there", "leave out --assume-isa"});
    return {};
  }
  if (code.kernel->isa_assumed) {
    made.notes.assumptions.push_back(
        {"assume-isa", names + ": the toolkit compiles for nothing newer, taken as if it ran there",
         "--cuda PATH of a toolkit that knows sm_" + std::to_string(board)});
    return {};
  }
  return Diagnostic{
      code.input,
      "the code is for sm_" + std::to_string(target) + ", " + gpu.name + " is sm_" +
          std::to_string(board),
      "code for sm_" + std::to_string(gpu.cc.major) + "0 to sm_" + std::to_string(board),
      "compile it for sm_" + std::to_string(board) + ", or use --assume-isa for a what-if"};
}

/// Notes a board that was found by a part of its name.
void note_board(const Gpu& gpu, Notes& notes) {
  if (gpu.asked_as.empty()) return;
  notes.assumptions.push_back({"gpu",
                               "'" + gpu.asked_as + "' is the " + gpu.name +
                                   ", the one board that the name fits: " + gpu.id,
                               "--gpu ID; see 'forewarp gpu list'"});
}

/// A block that is not given is the one that the kernel requires, if any.
Expected<void> fill_launch(const Kernel& kernel, const Case& request, const PredictOptions& options,
                           Launch& launch) {
  launch.grid = request.launch.grid;
  launch.block = request.launch.block;
  launch.dynamic_shared = request.launch.dynamic_shared;
  launch.constants = request.launch.constants;
  if (!request.has_block() && kernel.resources.required_block) {
    launch.block = *kernel.resources.required_block;
  }
  if (launch.block[0] == 0) {
    return Diagnostic{"--block", "the block size is missing", "threads per block: X[,Y[,Z]]",
                      "give --block, a launch file or a case with block"};
  }
  if (options.threads && request.has_grid()) {
    return Diagnostic{"--threads", "cannot be combined with a grid", "one of the two",
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

Megahertz clock_of(const Gpu& gpu, const ClockChoice& choice) {
  switch (choice.kind) {
    case ClockChoice::Kind::base:
      return Megahertz(gpu.clock_base_mhz);
    case ClockChoice::Kind::boost:
      return Megahertz(gpu.clock_boost_mhz);
    case ClockChoice::Kind::stated:
      return Megahertz(choice.megahertz);
    case ClockChoice::Kind::load:
      return Megahertz(choice.megahertz > 0 ? choice.megahertz : highest_clock(gpu));
    case ClockChoice::Kind::sustained:
      break;
  }
  return Megahertz(gpu.clock_sustained_mhz);
}

/// Whether the clock was given or measured, or is the vendor's figure and was asked for.
bool clock_is_known(const Gpu& gpu, const ClockChoice& choice) {
  if (choice.kind == ClockChoice::Kind::load) return false;
  if (choice.kind != ClockChoice::Kind::sustained) return true;
  const Fact* fact = fact_of(gpu, &Gpu::clock_sustained_mhz);
  return fact != nullptr && fact->confidence <= Confidence::published;
}

BlockNeeds block_needs(const Kernel& kernel, const Launch& launch, const PredictOptions& options) {
  const Resources& resources = kernel.resources;
  BlockNeeds needs;
  needs.threads = launch.threads_per_block();
  needs.registers = options.registers.value_or(resources.registers.value_or(0));
  needs.static_shared = resources.static_shared.value_or(0);
  needs.dynamic_shared = launch.dynamic_shared;
  needs.barriers = resources.barriers.value_or(0);
  needs.most_threads = resources.most_threads.value_or(0);
  if (resources.required_block) needs.required_block = *resources.required_block;
  return needs;
}

/// Files that the user gave for memory must exist and fit: no fallback may hide a typing error.
Expected<void> check_contents(const Drafted& made, const PredictOptions& options) {
  const LaunchDraft& draft = made.draft;
  const auto& buffers = draft.arguments.buffers;
  const bool from_file = std::any_of(buffers.begin(), buffers.end(), [](const BoundBuffer& buffer) {
    return buffer.content.kind == BufferContent::Kind::file;
  });
  if (draft.launch.constants.empty() && !from_file) return {};
  auto launch = execution_launch(*made.loaded->code.kernel, draft.launch, draft.arguments, options,
                                 made.loaded->gpu->limits.shared_per_block_optin);
  if (!launch) return std::move(launch).error();
  return {};
}

}  // namespace

ClockChoice clock_choice(const Case& request, const PredictOptions& options) {
  return options.clock ? *options.clock : request.clock.value_or(ClockChoice{});
}

Expected<LaunchDraft> draft_launch(const LoadedKernel& code, const Gpu& gpu, const Case& request,
                                   const PredictOptions& options) {
  LaunchDraft draft;
  if (auto ok = fill_launch(*code.kernel, request, options, draft.launch); !ok) return ok.error();
  draft.clock = clock_of(gpu, clock_choice(request, options));
  draft.clock_known = clock_is_known(gpu, clock_choice(request, options));
  draft.timing = options.timing ? *options.timing : request.timing.value_or(Timing::device);
  draft.added = added_time(gpu, request, options.timing);
  draft.needs = block_needs(*code.kernel, draft.launch, options);
  auto ok = check_launch(gpu.limits, draft.launch.grid, draft.launch.block, draft.needs);
  if (!ok) return ok.error();
  if (request.resident_blocks != 0) {
    const auto bytes = shared_for_residency(gpu.limits, draft.needs, request.resident_blocks);
    if (!bytes) {
      return Diagnostic{
          "resident_blocks",
          std::to_string(request.resident_blocks) +
              " blocks per SM cannot be reached with dynamic shared memory",
          "at most the " + std::to_string(occupancy(gpu.limits, draft.needs).blocks) +
              " that fit, and at least those that the largest shared memory per block leaves",
          ""};
    }
    draft.launch.dynamic_shared = draft.needs.dynamic_shared = *bytes;
  }
  draft.occupancy = occupancy(gpu.limits, draft.needs);
  auto arguments = bind_arguments(*code.kernel, request.launch.arguments);
  if (!arguments) return std::move(arguments).error();
  draft.arguments = std::move(*arguments);
  return draft;
}

Expected<Drafted> draft(std::shared_ptr<const Loaded> loaded, const Case& request,
                        const PredictOptions& options) {
  const LoadedKernel& code = loaded->code;
  const Gpu& gpu = *loaded->gpu;
  Drafted made;
  made.loaded = std::move(loaded);
  const std::size_t resources = ResourceTable(gpu).resources().size();
  if (auto ok = check_board(gpu, resources); !ok) return ok.error();
  note_board(gpu, made.notes);
  if (auto ok = check_architecture(options, made); !ok) return ok.error();
  auto launch = draft_launch(code, gpu, request, options);
  if (!launch) return std::move(launch).error();
  made.draft = std::move(*launch);
  note_launch(request, options, clock_choice(request, options), made);
  made.options = option_echo(request, options);
  if (auto ok = check_stated(code, options); !ok) return ok.error();
  if (auto ok = check_contents(made, options); !ok) return ok.error();
  return made;
}

}  // namespace forewarp::driver
