// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/edits/padding_edit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "execution/access/address_changes.h"
#include "memory/memory_profile.h"

namespace forewarp::explain {
namespace {

constexpr double worth_looking = 0.05;  // of all passes through the banks
constexpr double conflicting = 1.25;    // times the fewest passes
constexpr double mostly = 0.5;          // of the lanes lie a step apart

/// What meets in banks.
struct Conflicts {
  std::uint32_t worst = 0;  ///< instruction, of those whose lanes show a step
  double worst_extra = 0;   ///< its passes beyond the fewest
  double extra = 0;         ///< those of all accesses
};

double fewest_passes(const InstructionMemory& memory, std::uint32_t bytes, const Gpu& gpu) {
  return std::max(memory.requests,
                  memory.lanes * bytes / (gpu.shared_banks * gpu.shared_bank_bytes));
}

/// No value where no access shows how long the rows are.
std::optional<Conflicts> conflicts_of(const SeenLaunch& seen) {
  Conflicts found;
  for (const auto& [instruction, memory] : seen.evaluation.trace->memory->instructions) {
    const auto access = seen.accesses.find(instruction);
    if (access == seen.accesses.end() || memory.space != MemorySpace::shared) continue;
    if (memory.kind != AccessKind::load && memory.kind != AccessKind::store) continue;
    const double least = fewest_passes(memory, access->second.bytes, *seen.evaluation.launch->gpu);
    const double extra = std::max(0.0, memory.wavefronts - least);
    found.extra += extra;
    if (memory.wavefronts <= conflicting * least || access->second.step_share < mostly) continue;
    if (extra <= found.worst_extra) continue;
    found.worst = instruction;
    found.worst_extra = extra;
  }
  if (found.worst_extra == 0) return {};
  return found;
}

/// Rows are as long as the step between lanes; of a short one, as all banks together.
std::uint64_t pitch_of(const SeenAccess& access, const Gpu& gpu) {
  const auto all_banks = static_cast<std::uint64_t>(gpu.shared_banks * gpu.shared_bank_bytes);
  const auto step = static_cast<std::uint64_t>(access.step);
  return 2 * step >= all_banks ? step : all_banks;
}

/// The widest access keeps its alignment.
std::uint64_t padding_of(const SeenLaunch& seen) {
  std::uint64_t widest = 4;
  for (const auto& [instruction, access] : seen.accesses) {
    const bool shared =
        access.space == MemorySpace::shared || access.kind == AccessKind::copy_to_shared;
    if (shared) widest = std::max<std::uint64_t>(widest, access.bytes);
  }
  return widest;
}

LaunchEdit edit_of(const SeenLaunch& seen, std::uint64_t pitch, std::uint64_t padding) {
  const Kernel& kernel = *seen.evaluation.launch->code.kernel;
  const BlockNeeds& needs = seen.evaluation.launch->needs;
  const auto longer = [&](std::uint64_t bytes) {
    return static_cast<std::uint32_t>(bytes + (bytes + pitch - 1) / pitch * padding);
  };
  LaunchEdit edit;
  edit.changed.resize(kernel.instructions.size());
  for (const auto& [instruction, access] : seen.accesses) {
    if (access.space == MemorySpace::shared) edit.changed[instruction] = true;
  }
  edit.change = padded(pitch, padding);
  if (needs.static_shared > 0) {
    auto code = std::make_shared<Kernel>(kernel);
    code->resources.static_shared = longer(needs.static_shared);
    edit.code = std::move(code);
  }
  if (needs.dynamic_shared > 0) edit.dynamic_shared = longer(needs.dynamic_shared);
  return edit;
}

}  // namespace

std::vector<EditProposal> PaddingEdit::proposals(const SeenLaunch& seen) const {
  if (seen.accesses.empty() || seen.evaluation.trace->memory == nullptr) return {};
  const MemoryProfile& memory = *seen.evaluation.trace->memory;
  const auto conflicts = conflicts_of(seen);
  if (!conflicts || conflicts->extra < worth_looking * memory.shared_wavefronts) return {};
  const SeenAccess& access = seen.accesses.at(conflicts->worst);
  const InstructionMemory& own = memory.instructions.at(conflicts->worst);
  const std::uint64_t pitch = pitch_of(access, *seen.evaluation.launch->gpu),
                      padding = padding_of(seen);
  EditProposal proposal;
  proposal.edit = "make the rows of shared memory " + std::to_string(padding) +
                  " bytes longer: " + std::to_string(pitch + padding) + " instead of " +
                  std::to_string(pitch);
  proposal.instruction = conflicts->worst;
  proposal.reason =
      "lanes " + std::to_string(access.step) +
      " bytes apart meet in a bank: " + significant(own.wavefronts / own.requests, 3) +
      " passes per request where " +
      significant(fewest_passes(own, access.bytes, *seen.evaluation.launch->gpu) / own.requests,
                  3) +
      " would do; of the passes of all accesses " +
      significant(100 * conflicts->extra / memory.shared_wavefronts, 3) + " % are in vain";
  proposal.change = edit_of(seen, pitch, padding);
  return {std::move(proposal)};
}

}  // namespace forewarp::explain
