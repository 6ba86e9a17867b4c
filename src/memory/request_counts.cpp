// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/request_counts.h"

#include <vector>

#include "memory/shares.h"

namespace forewarp::memory {
namespace {

/// Counts of each instruction.
void count_instructions(const AccessStreams& streams, const TrafficSum& sum,
                        const BlockTraffic& grid, MemoryProfile& profile) {
  const std::vector<std::uint32_t>& accessing = sum.accessing();
  std::vector<const AccessShape*> shape_of(streams.hints.size(), nullptr);
  for (const AccessShape& shape : streams.shapes) {
    const AccessShape*& known = shape_of[shape.instruction];
    if (known == nullptr || known->space == MemorySpace::shared) known = &shape;
  }
  for (std::size_t i = 0; i < accessing.size(); ++i) {
    const AccessShape& shape = *shape_of[accessing[i]];
    const InstructionTraffic& traffic = grid.instructions[i];
    const bool shared = shape.space == MemorySpace::shared;
    const bool copies = shape.kind == AccessKind::copy_to_shared;
    const Traffic& own = shared ? traffic.shared : traffic.memory;
    InstructionMemory& memory = profile.instructions[accessing[i]];
    memory.space = shape.space;
    memory.kind = shape.kind;
    memory.requests = own.requests;
    memory.lanes = own.lanes;
    memory.sectors = own.sectors;
    memory.lines = own.lines;
    memory.transactions = own.transactions;
    memory.tag_passes = own.tag_passes;
    memory.stage_cycles = own.stage;
    memory.wavefronts = shared || copies ? traffic.shared.passes : own.passes;
    memory.most_transactions = own.most_transactions;
    memory.most_wavefronts = shared || copies ? traffic.shared.most_passes : own.most_passes;
    memory.atomic_degree = ratio(own.degree, own.requests);
    memory.atomic_turns = own.turns;
    memory.slice_visits = own.visits;
    memory.distant_requests = traffic.shared.distant;
    memory.distant_bytes = traffic.shared.elsewhere;
    profile.shared_requests += traffic.shared.requests;
    profile.shared_wavefronts += traffic.shared.passes;
  }
}

/// Sums over the instructions.
void sum_up(MemoryProfile& profile) {
  for (const auto& [index, memory] : profile.instructions) {
    const bool loads = memory.kind == AccessKind::load || memory.kind == AccessKind::copy_to_shared;
    const bool stores = memory.kind == AccessKind::store;
    switch (memory.space) {
      case MemorySpace::local:
        (stores ? profile.local_store_sectors : profile.local_load_sectors) += memory.sectors;
        break;
      case MemorySpace::texture:
      case MemorySpace::surface:
        profile.fetch_requests += memory.requests;
        break;
      case MemorySpace::global:
      case MemorySpace::generic:
        if (loads) profile.global_load_requests += memory.requests;
        if (loads) profile.global_load_sectors += memory.sectors;
        if (stores) profile.global_store_sectors += memory.sectors;
        if (!loads && !stores) profile.atomic_sectors += memory.sectors;
        break;
      default:
        break;
    }
  }
  if (profile.fetch_requests > 0) {
    profile.notes.emplace_back(
        "fetches through textures and surfaces are counted; their addresses are not known");
  }
}

}  // namespace

void count_requests(const AccessStreams& streams, const TrafficSum& sum, const BlockTraffic& grid,
                    MemoryProfile& profile) {
  count_instructions(streams, sum, grid, profile);
  sum_up(profile);
}

double ordered_requests(const MemoryProfile& profile) {
  double all = 0;
  for (const auto& [index, memory] : profile.instructions) {
    const bool kept = memory.space == MemorySpace::global || memory.space == MemorySpace::generic ||
                      memory.space == MemorySpace::local;
    all += kept ? memory.requests : 0;
  }
  return all;
}

double lines_of_requests(const MemoryProfile& profile) {
  double lines = 0, requests = 0;
  for (const auto& [index, memory] : profile.instructions) {
    if (memory.lines <= 0) continue;
    lines += memory.lines;
    requests += memory.requests;
  }
  return ratio(lines, requests);
}

}  // namespace forewarp::memory
