// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/edits/launch_edit.h"

#include <algorithm>
#include <utility>

#include "binding/launch_check.h"
#include "execution/access/renumbering.h"
#include "execution/grid/warp_trace.h"
#include "hardware/gpu.h"
#include "prediction/paths/path_finder.h"

namespace forewarp::explain {
namespace {

/// Whether nothing but the targets of branches says where an instruction lies.
bool may_close_up(const Kernel& kernel) {
  return std::ranges::none_of(kernel.instructions, [](const Instruction& instruction) {
    const InstructionClass c = instruction.instruction_class;
    return c == InstructionClass::branch_indirect || c == InstructionClass::call ||
           c == InstructionClass::return_;
  });
}

/// Where the code at an address lies once the kept instructions close up.
std::uint32_t closed_up(const Kernel& before, const Renumbering& numbers, std::uint32_t address) {
  const std::size_t index = before.index_at(address);
  if (index >= before.instructions.size()) return address;
  return before.instructions[numbers.next(static_cast<std::uint32_t>(index))].address;
}

void close_up(const Kernel& before, const Renumbering& numbers, Kernel& code) {
  for (std::size_t i = 0; i < code.instructions.size(); ++i) {
    code.instructions[i].address = before.instructions[i].address;
  }
  for (Operand& operand : code.operands) {
    if (operand.kind != OperandKind::target || operand.value < 0) continue;
    operand.value = closed_up(before, numbers, static_cast<std::uint32_t>(operand.value));
  }
}

LoadedKernel edited_code(const LoadedKernel& loaded, const LaunchEdit& edit,
                         const Renumbering& numbers) {
  const Kernel& before = *loaded.kernel;
  auto code = std::make_shared<Kernel>(edit.code ? *edit.code : before);
  code->instructions = numbers.kept(code->instructions);
  if (may_close_up(before)) close_up(before, numbers, *code);
  LoadedKernel made = loaded;
  made.kernel = std::move(code);
  made.analysis = std::make_shared<const KernelAnalysis>(analyze(*made.kernel));
  return made;
}

/// The launch with its edited code, and what its blocks then take of an SM.
Expected<Launch> relaunched(const Launch& before, LoadedKernel code, const LaunchEdit& edit) {
  Launch launch = before;
  launch.code = std::move(code);
  launch.key.clear();
  const Resources& resources = launch.code.kernel->resources;
  if (edit.code) launch.needs.static_shared = resources.static_shared.value_or(0);
  if (edit.registers) launch.needs.registers = *edit.registers;
  if (edit.dynamic_shared) {
    launch.config.dynamic_shared = launch.needs.dynamic_shared = *edit.dynamic_shared;
  }
  const SmLimits& limits = launch.gpu->limits;
  auto ok = check_launch(limits, launch.config.grid, launch.config.block, launch.needs);
  if (!ok) return ok.error();
  launch.occupancy = occupancy(limits, launch.needs);
  return launch;
}

StreamEdit stream_edit(const LaunchEdit& edit, const Renumbering& numbers) {
  StreamEdit streams{numbers.numbers(), edit.changed, edit.change};
  streams.changed.resize(streams.numbers.size());
  return streams;
}

}  // namespace

Expected<EditedLaunch> edited_launch(const Launch& launch, const Trace& trace,
                                     const LaunchEdit& edit) {
  const Kernel& kernel = *launch.code.kernel;
  if (trace.profile == nullptr) {
    return Diagnostic{kernel.name, "was not executed", "addresses and counts of an execution",
                      "leave out --static and --trip"};
  }
  if (trace.profile->executed.paths.cut || trace.executed_share < 1) {
    return Diagnostic{kernel.name, "was not executed to the end of a block",
                      "addresses and counts of whole blocks", "give a larger --budget"};
  }
  const Renumbering numbers(kernel.instructions.size(), edit.dropped);
  auto again = relaunched(launch, edited_code(launch.code, edit, numbers), edit);
  if (!again) return std::move(again).error();
  EditedLaunch edited{std::make_shared<const Launch>(*std::move(again)), trace};
  Trace& made = edited.trace;
  made.key.clear();
  made.memory.reset();
  made.warps_per_block = edited.launch->occupancy.warps_per_block;
  auto profile = std::make_shared<LaunchProfile>(*trace.profile);
  profile->executed.accesses =
      edited_streams(trace.profile->executed.accesses, stream_edit(edit, numbers));
  shorten(profile->executed.paths, numbers);
  const auto before = static_cast<double>(instructions_of(profile->typical));
  shorten(profile->typical, numbers);
  const auto after = static_cast<double>(instructions_of(profile->typical));
  for (BlockLoad& load : profile->executed.paths.loads) {  // all blocks lose the same part
    load.all *= after / before;
    load.longest *= after / before;
  }
  prediction::LongBlocks& longest = profile->longest;
  const auto begun = static_cast<double>(instructions_of(longest.warps));
  shorten(longest.warps, numbers);
  if (begun > 0) {  // the rest of such a block loses as much as its beginning
    const double part = static_cast<double>(instructions_of(longest.warps)) / begun;
    longest.work.all *= part;
    longest.work.longest *= part;
    longest.length *= part;
    longest.unseen.expected *= part;
    longest.unseen.most *= part;
  }
  made.profile = std::move(profile);
  if (trace.foreseen) {
    auto foreseen = std::make_shared<FoundPaths>(*trace.foreseen);
    for (WarpPath& path : foreseen->paths) {
      path.steps = shortened(path.steps, numbers);
      if (!may_close_up(kernel)) continue;
      for (PathLoop& loop : path.loops) {
        loop.begin = closed_up(kernel, numbers, loop.begin);
        loop.end = closed_up(kernel, numbers, loop.end);
      }
    }
    foreseen->patterns = foreseen->patterns.kept(numbers);
    made.foreseen = std::move(foreseen);
  }
  return edited;
}

}  // namespace forewarp::explain
