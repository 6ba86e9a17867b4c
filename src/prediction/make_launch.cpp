// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "base/cache/content_key.h"
#include "base/quantities.h"
#include "base/text.h"
#include "binding/launch_check.h"
#include "binding/occupancy_curve.h"
#include "binding/operation_counts.h"
#include "binding/resource_table.h"
#include "hardware/gpu_key.h"
#include "hardware/matrix_facts.h"
#include "hardware/schema.h"
#include "input/architecture_choice.h"
#include "prediction/execution_launch.h"
#include "prediction/launch.h"
#include "prediction/launch_checks.h"
#include "prediction/launch_notes.h"
#include "request/options/option_table.h"

namespace forewarp::prediction {
namespace {

Expected<void> check_architecture(const LoadedKernel& code, const Gpu& gpu,
                                  const PredictOptions& options, Notes& notes) {
  for (const std::string& assumed : code.kernel->assumptions) {
    notes.assumptions.push_back({"made-code", assumed, "--cuda PATH, or compile it yourself"});
  }
  const std::uint32_t target = code.kernel->sm;
  const auto board = static_cast<std::uint32_t>(gpu.cc.sm());
  if (target == board) return {};
  const std::string names =
      "sm_" + std::to_string(target) + " code on an sm_" + std::to_string(board) + " board";
  if (target != 0 && runs_on(target, board)) {
    notes.assumptions.push_back(
        {"older-code", names + ": it runs there as it is, scheduled for the older architecture",
         "compile for sm_" + std::to_string(board)});
    return {};
  }
  if (options.assume_isa) {
    notes.assumptions.push_back(
        {"assume-isa", names + ": taken as if it ran there", "leave out --assume-isa"});
    return {};
  }
  if (code.kernel->isa_assumed) {
    notes.assumptions.push_back(
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
                           LaunchConfig& launch) {
  launch.grid = request.launch.grid;
  launch.block = request.launch.block;
  launch.cluster = request.launch.cluster;
  if (launch.cluster[0] == 0 && kernel.resources.cluster)
    launch.cluster = *kernel.resources.cluster;
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

Megahertz clock_in(const Gpu& gpu, const ClockChoice& choice) {
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

/// The clock at which a kernel runs where that one is set: boards lower it in kernels with matrix
/// instructions. A clock that was found for a load is the one at which it runs.
Megahertz running_clock(const Gpu& gpu, const ClockChoice& choice, const Kernel& kernel) {
  const Megahertz set = clock_in(gpu, choice);
  const bool found = choice.kind == ClockChoice::Kind::load && choice.megahertz > 0;
  return found || !multiplies_matrices(kernel) ? set : set * matrix_clock_share(gpu);
}

/// Whether the clock was given or measured, or is the vendor's figure and was asked for.
bool clock_is_known(const Gpu& gpu, const ClockChoice& choice) {
  if (choice.kind == ClockChoice::Kind::load) return false;
  if (choice.kind != ClockChoice::Kind::sustained) return true;
  const Fact* fact = fact_of(gpu, &Gpu::clock_sustained_mhz);
  return fact != nullptr && fact->confidence <= Confidence::published;
}

BlockNeeds block_needs(const Kernel& kernel, const LaunchConfig& launch,
                       const PredictOptions& options) {
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

/// The board as clusters of so many blocks see it: without the SMs on which no whole one fits.
std::shared_ptr<const Gpu> board_of_clusters(std::shared_ptr<const Gpu> gpu, std::uint64_t blocks) {
  if (blocks <= 1) return gpu;
  const std::uint32_t sms = sms_for_clusters(gpu->limits, gpu->sms, blocks);
  if (sms == gpu->sms) return gpu;
  auto part = std::make_shared<Gpu>(*gpu);
  part->sms = sms;
  return part;
}

/// Files that the user gave for memory must exist and fit: no fallback may hide a typing error.
Expected<void> check_contents(const Launch& made, const PredictOptions& options) {
  const auto& buffers = made.arguments.buffers;
  const bool from_file = std::any_of(buffers.begin(), buffers.end(), [](const BoundBuffer& buffer) {
    return buffer.content.kind == BufferContent::Kind::file;
  });
  if (made.config.constants.empty() && !from_file) return {};
  auto launch = execution_launch(*made.code.kernel, made.config, made.arguments, options,
                                 made.gpu->limits.shared_per_block_optin);
  if (!launch) return std::move(launch).error();
  return {};
}

}  // namespace

void Notes::add(const Notes& later) {
  assumptions.insert(assumptions.end(), later.assumptions.begin(), later.assumptions.end());
  findings.insert(findings.end(), later.findings.begin(), later.findings.end());
}

Microseconds added_time(const Gpu& gpu, const Query& query) {
  if (query.overhead_us.value) return Microseconds(*query.overhead_us.value);
  switch (query.timing.value) {
    case Timing::device:
      break;
    case Timing::event:
      return Microseconds(gpu.event_us);
    case Timing::stream:
      return Microseconds(gpu.stream_us);
    case Timing::graph:
      return Microseconds(gpu.graph_us);
    case Timing::host:
      return Microseconds(gpu.host_us);
  }
  return {};
}

std::size_t kept_bytes(const LoadedKernel& code) {
  constexpr std::size_t of_instruction = 1024;  // itself, its text and what the analysis knows
  const std::size_t given = code.given ? code.given->size() : 0;
  return sizeof code + given + of_instruction * code.kernel->instructions.size();
}

Expected<Launch> plan_launch(const LoadedKernel& code, std::shared_ptr<const Gpu> gpu,
                             const Query& query) {
  const Case& request = query.request;
  const SmLimits& limits = gpu->limits;
  Launch made;
  made.code = code;
  if (auto ok = fill_launch(*code.kernel, request, query.options, made.config); !ok) {
    return ok.error();
  }
  made.clock = running_clock(*gpu, query.clock.value, *code.kernel);
  made.clock_known = clock_is_known(*gpu, query.clock.value);
  made.timing = query.timing.value;
  made.added = added_time(*gpu, query);
  if (auto fits = check_cluster(limits, made.config.grid, made.config.cluster); !fits)
    return fits.error();
  made.needs = block_needs(*code.kernel, made.config, query.options);
  auto ok = check_launch(limits, made.config.grid, made.config.block, made.needs);
  if (!ok) return ok.error();
  if (request.resident_blocks != 0) {
    const auto bytes = shared_for_residency(limits, made.needs, request.resident_blocks);
    if (!bytes) {
      return Diagnostic{
          "resident_blocks",
          std::to_string(request.resident_blocks) +
              " blocks per SM cannot be reached with dynamic shared memory",
          "at most the " + std::to_string(occupancy(limits, made.needs).blocks) +
              " that fit, and at least those that the largest shared memory per block leaves",
          ""};
    }
    made.config.dynamic_shared = made.needs.dynamic_shared = *bytes;
  }
  made.occupancy = occupancy(limits, made.needs);
  auto arguments = bind_arguments(*code.kernel, request.launch.arguments);
  if (!arguments) return std::move(arguments).error();
  made.arguments = std::move(*arguments);
  made.gpu = board_of_clusters(std::move(gpu), volume(made.config.cluster));
  return made;
}

Expected<Launch> make_launch(const LoadedKernel& code, std::shared_ptr<const Gpu> gpu,
                             const Query& query) {
  Notes before;
  const std::size_t resources = ResourceTable(*gpu).resources().size();
  if (auto ok = check_board(*gpu, resources); !ok) return ok.error();
  note_board(*gpu, before);
  if (auto ok = check_architecture(code, *gpu, query.options, before); !ok) return ok.error();
  auto made = plan_launch(code, std::move(gpu), query);
  if (!made) return made;
  made->notes = std::move(before);
  note_launch(query, *made);
  made->options = option_echo(query.request, query.options);
  if (auto ok = check_stated(code, query.options); !ok) return ok.error();
  if (auto ok = check_contents(*made, query.options); !ok) return ok.error();
  KeyBytes key;
  key.add_text(code.hash).add_text(code.kernel->name).add(code.kernel->sm);
  add_board(*made->gpu, key);
  key.add_text(made->gpu->file).add_text(made->gpu->asked_as).add_text(key_of(query));
  made->key = content_key(key.take());
  return made;
}

}  // namespace forewarp::prediction
