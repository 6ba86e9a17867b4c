// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/edits/coalescing_edit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "base/text.h"
#include "execution/access/address_changes.h"
#include "memory/memory_profile.h"
#include "program/source_place.h"

namespace forewarp::explain {
namespace {

constexpr double worth_looking = 0.05;  // of all sectors that are asked for
constexpr double scattered = 1.5;       // times the fewest sectors that hold the data
constexpr double mostly = 0.5;          // of the lanes lie a step apart

/// Accesses whose lanes lie the same step apart in the same buffer.
struct Walk {
  BufferRange buffer;
  std::uint64_t step = 0;
  std::uint32_t bytes = 0;
  std::vector<std::uint32_t> instructions;
  std::uint32_t heaviest = 0;  ///< of them
  double sectors = 0, most_sectors = 0, lanes = 0, requests = 0;
};

double fewest_sectors(const InstructionMemory& memory, std::uint32_t bytes, const Gpu& gpu) {
  return std::max(memory.requests, memory.lanes * bytes / gpu.sector_bytes);
}

/// The buffer of known size that an address lies in; of no bytes: none.
BufferRange buffer_of(const BoundArguments& arguments, std::uint64_t address) {
  for (const BoundBuffer& buffer : arguments.buffers) {
    const bool inside = address >= buffer.address && address < buffer.address + buffer.bytes;
    if (buffer.sized && inside) return {buffer.address, buffer.bytes};
  }
  return {};
}

bool is_walk(const SeenAccess& access, const InstructionMemory& memory, const Gpu& gpu) {
  const bool global = access.space == MemorySpace::global || access.space == MemorySpace::generic;
  const bool moves = access.kind == AccessKind::load || access.kind == AccessKind::store;
  return global && moves && access.step > access.bytes && access.step % access.bytes == 0 &&
         access.step_share >= mostly &&
         memory.sectors > scattered * fewest_sectors(memory, access.bytes, gpu);
}

std::vector<Walk> walks_of(const SeenLaunch& seen) {
  std::vector<Walk> walks;
  for (const auto& [instruction, access] : seen.accesses) {
    const auto memory = seen.evaluation.trace->memory->instructions.find(instruction);
    if (memory == seen.evaluation.trace->memory->instructions.end()) continue;
    if (!is_walk(access, memory->second, *seen.evaluation.launch->gpu)) continue;
    const BufferRange buffer = buffer_of(seen.evaluation.launch->arguments, access.address);
    const auto step = static_cast<std::uint64_t>(access.step);
    if (buffer.bytes < 2 * step) continue;
    auto walk = std::ranges::find_if(walks, [&](const Walk& known) {
      return known.buffer.address == buffer.address && known.step == step &&
             known.bytes == access.bytes;
    });
    if (walk == walks.end()) walk = walks.insert(walk, Walk{buffer, step, access.bytes, {}});
    walk->instructions.push_back(instruction);
    const double sectors = memory->second.sectors;
    if (sectors > walk->most_sectors) walk->heaviest = instruction;
    walk->most_sectors = std::max(walk->most_sectors, sectors);
    walk->sectors += sectors;
    walk->lanes += memory->second.lanes;
    walk->requests += memory->second.requests;
  }
  return walks;
}

double all_sectors(const MemoryProfile& memory) {
  return memory.global_load_sectors + memory.global_store_sectors + memory.atomic_sectors;
}

/// Walks that one edit puts side by side.
using Walks = std::vector<Walk>;

double sectors_of(const Walks& walks) {
  double sectors = 0;
  for (const Walk& walk : walks) sectors += walk.sectors;
  return sectors;
}

LaunchEdit edit_of(const SeenLaunch& seen, const Walks& walks) {
  LaunchEdit edit;
  edit.changed.resize(seen.evaluation.launch->code.kernel->instructions.size());
  // Of one buffer the widest element: it keeps its inside, and with it the narrower ones.
  std::map<std::uint64_t, Walk> widest;
  for (const Walk& walk : walks) {
    for (const std::uint32_t instruction : walk.instructions) edit.changed[instruction] = true;
    const auto known = widest.try_emplace(walk.buffer.address, walk).first;
    if (walk.bytes > known->second.bytes) known->second = walk;
  }
  std::vector<AccessChange> changes;
  for (const auto& [address, walk] : widest) {
    changes.push_back(transposed(walk.buffer, walk.step, walk.bytes));
  }
  // Each moves addresses inside its own buffer alone.
  edit.change = [changes](AccessShape& shape, std::span<std::uint64_t> addresses) {
    for (const AccessChange& change : changes) change(shape, addresses);
  };
  return edit;
}

EditProposal proposal_of(const SeenLaunch& seen, const Walks& walks) {
  const MemoryProfile& memory = *seen.evaluation.trace->memory;
  double requests = 0, least = 0;
  std::set<std::uint64_t> buffers;
  for (const Walk& walk : walks) {
    requests += walk.requests;
    least += std::max(walk.requests,
                      walk.lanes * walk.bytes / seen.evaluation.launch->gpu->sector_bytes);
    buffers.insert(walk.buffer.address);
  }
  EditProposal proposal;
  proposal.edit = "let neighbouring threads access neighbouring elements: they lie " +
                  std::to_string(walks.front().step) + " bytes apart";
  if (buffers.size() > 1) {
    proposal.edit += ", in " + std::to_string(buffers.size()) + " buffers at once";
  }
  proposal.instruction = std::ranges::max_element(walks, {}, &Walk::most_sectors)->heaviest;
  const double sectors = sectors_of(walks);
  proposal.reason = significant(sectors / requests, 3) + " sectors per request where " +
                    significant(least / requests, 3) + " hold the data, " +
                    significant(100 * sectors / all_sectors(memory), 3) +
                    " % of all sectors asked for";
  proposal.condition =
      "the data are stored transposed, or other threads handle them, wherever else they are "
      "accessed";
  proposal.change = edit_of(seen, walks);
  return proposal;
}

/// Each walk alone, and beside them all that have a step in common: where the threads are numbered
/// the wrong way round, one edit mends every buffer.
std::vector<Walks> tried_together(const std::vector<Walk>& walks) {
  std::vector<Walks> tried;
  std::map<std::uint64_t, Walks> by_step;
  for (const Walk& walk : walks) {
    tried.push_back({walk});
    by_step[walk.step].push_back(walk);
  }
  for (auto& [step, joined] : by_step) {
    if (joined.size() > 1) tried.push_back(std::move(joined));
  }
  return tried;
}

}  // namespace

std::vector<EditProposal> CoalescingEdit::proposals(const SeenLaunch& seen) const {
  std::vector<EditProposal> proposals;
  if (seen.accesses.empty() || seen.evaluation.trace->memory == nullptr) return proposals;
  const double all = all_sectors(*seen.evaluation.trace->memory);
  for (const Walks& walks : tried_together(walks_of(seen))) {
    if (sectors_of(walks) >= worth_looking * all) proposals.push_back(proposal_of(seen, walks));
  }
  return proposals;
}

}  // namespace forewarp::explain
