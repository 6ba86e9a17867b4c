// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/warp/block.h"

#include <algorithm>

namespace forewarp::execution {
namespace {

void start_predicates(Warp& warp) {
  warp.predicates.fill(0);
  warp.predicates[predicate::always] = all_lanes;
  warp.predicates[predicate::uniform_always] = all_lanes;
}

void number_threads(Warp& warp, const Extent& block) {
  const std::uint32_t threads = static_cast<std::uint32_t>(volume(block));
  warp.all = 0;
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    const std::uint32_t thread = warp.number * lane_count + lane;
    if (thread < threads) warp.all |= lane_bit(lane);
    warp.thread[0][lane] = thread % block[0];
    warp.thread[1][lane] = thread / block[0] % block[1];
    warp.thread[2][lane] = thread / block[0] / block[1];
  }
}

void start_unknowns(Warp& warp, std::uint32_t cells) {
  if (!warp.unknown.any && warp.unknown.cells.size() == cells) return;
  warp.unknown.any = false;
  warp.unknown.cells.assign(cells, 0);
  warp.unknown.origins.assign(cells, no_origin);
  warp.unknown.named.clear();
  warp.unknown.names.clear();
  warp.unknown.predicates.fill(0);
  warp.unknown.predicate_origins.fill(no_origin);
}

/// What a launch gives each lane: whole steps of what warps hand over (PTX ISA, setmaxnreg). 0
/// where it is not stated.
std::uint32_t granted_registers(const Kernel& kernel, const ExecutionInput& input) {
  constexpr std::uint32_t step = 8;
  const Resources& its = kernel.resources;
  const bool stated = its.registers_source != FactSource::inferred;
  const std::uint32_t own = stated ? its.registers.value_or(0) : 0;
  return ((input.registers != 0 ? input.registers : own) + step - 1) / step * step;
}

void start_warp(Warp& warp, Block& block, std::uint32_t number) {
  const Environment& environment = *block.environment;
  const std::uint32_t cells = environment.program->cell_count;
  warp.block = &block;
  warp.number = number;
  warp.cells = block.cells.data() + std::size_t{number} * cells * cell::words;
  warp.pool = environment.image->pool();
  warp.pc = 0;
  warp.waits_at_barrier = false;
  warp.access_count = 0;
  warp.registers = granted_registers(*environment.program->kernel, environment.image->input());
  warp.cluster_waits = 0;
  warp.bulk.clear();
  warp.events.clear();
  warp.fault = Fault{};
  warp.divergence.stack.clear();
  warp.divergence.groups.clear();
  warp.divergence.vain = {};
  warp.local.clear();
  warp.local_unknown.clear();
  start_predicates(warp);
  if (warp.all == 0) number_threads(warp, environment.image->input().block);
  warp.active = warp.alive = warp.all;
  start_unknowns(warp, cells);
  if (!environment.image->unknown_pool().empty()) warp.unknown.any = true;
}

}  // namespace

Environment::Environment(const Program& lowered, const LaunchImage& launch, GlobalMemory& global)
    : program(&lowered),
      image(&launch),
      memory(&global),
      rows(&row_functions()),
      buffer_hint(lowered.ops.size(), 0),
      unknown_buffer(lowered.ops.size(), GlobalMemory::no_buffer),
      assumed(lowered.ops.size(), 0) {}

void Block::start(Environment& shared_environment, std::uint64_t number) {
  environment = &shared_environment;
  linear = number;
  const ExecutionInput& input = environment->image->input();
  index = block_index(number, input.grid);
  cluster_blocks = static_cast<std::uint32_t>(volume(input.cluster));
  cluster_rank = 0;
  for (std::size_t axis = 3; axis-- > 0;)
    cluster_rank = cluster_rank * input.cluster[axis] + index[axis] % input.cluster[axis];
  constexpr std::uint32_t widest = 16;
  shared_bytes = environment->image->shared_bytes();
  shared.assign((shared_bytes + widest - 1) / widest * widest, 0);
  shared_unknown.clear();
  barriers.fill(NamedBarrier{});
  phases.clear();
  peers.clear();
  given_registers.clear();
  taken_registers = 0;
  cluster_arrivals = 0;
  reduced_count = 0;
  reduced = false;
  executed = 0;
  cycles.reset();
  nanoseconds = 0;
  const std::uint32_t count = input.warps_per_block();
  const std::size_t words = std::size_t{count} * environment->program->cell_count * cell::words;
  if (cells.size() != words) cells.assign(words, 0);
  warps.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) start_warp(warps[i], *this, i);
}

PhaseCount& Block::phase_count(std::uint32_t barrier) {
  for (PhaseCount& phase : phases) {
    if (phase.barrier == barrier) return phase;
  }
  phases.emplace_back().barrier = barrier;
  return phases.back();
}

void Block::set_shared_unknown(std::uint64_t at, std::uint32_t bytes, bool value) {
  if (shared_unknown.empty()) {
    if (!value) return;
    shared_unknown.assign(shared.size(), 0);
  }
  std::fill_n(shared_unknown.begin() + static_cast<std::ptrdiff_t>(at), bytes, value ? 1 : 0);
}

}  // namespace forewarp::execution
