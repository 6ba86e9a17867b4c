// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/edits/launch_edit.h"

#include <algorithm>
#include <utility>

#include "binding/launch_check.h"
#include "execution/access/renumbering.h"
#include "launch/path_finder.h"

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

std::shared_ptr<const Loaded> edited_code(const Loaded& loaded, const LaunchEdit& edit,
                                          const Renumbering& numbers) {
  const Kernel& before = *loaded.code.kernel;
  auto code = std::make_shared<Kernel>(edit.code ? *edit.code : before);
  code->instructions = numbers.kept(code->instructions);
  if (may_close_up(before)) close_up(before, numbers, *code);
  Loaded made = loaded;
  made.code.kernel = std::move(code);
  made.code.analysis = std::make_shared<const KernelAnalysis>(analyze(*made.code.kernel));
  return std::make_shared<const Loaded>(std::move(made));
}

/// What the blocks of the edited launch take of an SM.
Expected<LaunchDraft> edited_draft(const LaunchDraft& before, const Loaded& loaded,
                                   const LaunchEdit& edit) {
  LaunchDraft draft = before;
  const Resources& resources = loaded.code.kernel->resources;
  if (edit.code) draft.needs.static_shared = resources.static_shared.value_or(0);
  if (edit.registers) draft.needs.registers = *edit.registers;
  if (edit.dynamic_shared) {
    draft.launch.dynamic_shared = draft.needs.dynamic_shared = *edit.dynamic_shared;
  }
  auto ok = check_launch(loaded.gpu->limits, draft.launch.grid, draft.launch.block, draft.needs);
  if (!ok) return ok.error();
  draft.occupancy = occupancy(loaded.gpu->limits, draft.needs);
  return draft;
}

StreamEdit stream_edit(const LaunchEdit& edit, const Renumbering& numbers) {
  StreamEdit streams{numbers.numbers(), edit.changed, edit.change};
  streams.changed.resize(streams.numbers.size());
  return streams;
}

}  // namespace

Expected<Executed> edited_launch(const Executed& executed, const LaunchEdit& edit) {
  const Drafted& drafted = *executed.drafted;
  const Kernel& kernel = *drafted.loaded->code.kernel;
  if (executed.profile == nullptr) {
    return Diagnostic{kernel.name, "was not executed", "addresses and counts of an execution",
                      "leave out --static and --trip"};
  }
  if (executed.profile->executed.paths.cut || executed.executed_share < 1) {
    return Diagnostic{kernel.name, "was not executed to the end of a block",
                      "addresses and counts of whole blocks", "give a larger --budget"};
  }
  const Renumbering numbers(kernel.instructions.size(), edit.dropped);
  Drafted redrafted = drafted;
  redrafted.loaded = edited_code(*drafted.loaded, edit, numbers);
  auto draft = edited_draft(drafted.draft, *redrafted.loaded, edit);
  if (!draft) return std::move(draft).error();
  redrafted.draft = *std::move(draft);
  Executed made = executed;
  made.key.clear();
  made.memory.reset();
  made.drafted = std::make_shared<const Drafted>(std::move(redrafted));
  auto profile = std::make_shared<LaunchProfile>(*executed.profile);
  profile->executed.accesses =
      edited_streams(executed.profile->executed.accesses, stream_edit(edit, numbers));
  shorten(profile->executed.paths, numbers);
  shorten(profile->typical, numbers);
  shorten(profile->longest.warps, numbers);
  made.profile = std::move(profile);
  if (executed.foreseen) {
    auto foreseen = std::make_shared<FoundPaths>(*executed.foreseen);
    for (WarpPath& path : foreseen->paths) {
      path.steps = shortened(path.steps, numbers);
      if (!may_close_up(kernel)) continue;
      for (PathLoop& loop : path.loops) {
        loop.begin = closed_up(kernel, numbers, loop.begin);
        loop.end = closed_up(kernel, numbers, loop.end);
      }
    }
    foreseen->patterns = numbers.kept(foreseen->patterns);
    made.foreseen = std::move(foreseen);
  }
  return made;
}

}  // namespace forewarp::explain
