// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/what_if.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quantities.h"
#include "binding/access_space.h"
#include "binding/bound_kernel.h"
#include "prediction/execution.h"
#include "prediction/paths/executed_counts.h"

namespace forewarp::explain {
namespace {

/// Issues of a block that a what-if replays: the result is compared with an equally short replay of
/// the unchanged block, and their ratio is applied to the whole block.
constexpr std::uint64_t short_look = 10'000;

constexpr double any_rate = 1e9;  // GB/s at which no kernel's traffic takes time

/// Rates of device memory that a parameter set states beside the GPU's own.
constexpr std::array<std::string_view, 2> stated_rates{"volkov.memory_ipc",
                                                       "gajger.gmem_bytes_per_cycle_sm"};
/// Facts with the pole, GB/s, of a fit of latency under load.
constexpr std::array<std::string_view, 3> poles{"volkov.c", "volkov.four.c1", "volkov.four.c2"};

void free_memory(Gpu& gpu) {
  gpu.memory.theory_gbs = any_rate;
  for (const std::string_view rate : stated_rates) {
    if (const auto found = gpu.facts.find(rate); found != gpu.facts.end()) gpu.facts.erase(found);
  }
  for (const std::string_view pole : poles) {
    if (const auto found = gpu.facts.find(pole); found != gpu.facts.end()) {
      found->second.value = any_rate;
    }
  }
}

/// The patterns if every load hits this cache; with L2, stores do not reach device memory either.
AccessPatterns hitting(const Kernel& kernel, AccessPatterns patterns, Perfect perfect) {
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const InstructionClass c = kernel.instructions[i].instruction_class;
    const AccessSpace space = access_space(c);
    if (space != AccessSpace::global && space != AccessSpace::local) continue;
    AccessPattern& pattern = patterns.at(i);
    const bool store = is_store_class(c);
    if (perfect == Perfect::l2 || !store) pattern.device_bytes = pattern.device_places = 0;
    if (store) continue;
    pattern.waits_for_memory = 0;
    pattern.l2_hits = 1;
    if (perfect != Perfect::l1) continue;
    pattern.waits_for_l2 = 0;
    pattern.l1_hits = 1;
    pattern.l2_sectors = 0;
  }
  return patterns;
}

}  // namespace

World World::with(const World& other) const {
  World sum = *this;
  sum.freed.resources |= other.freed.resources;
  sum.freed.loads = std::max(freed.loads, other.freed.loads);
  sum.freed.shared |= other.freed.shared;
  sum.freed.arithmetic |= other.freed.arithmetic;
  sum.freed.barriers |= other.freed.barriers;
  sum.freed.launch |= other.freed.launch;
  sum.memory_rate |= other.memory_rate;
  sum.launch |= other.launch;
  sum.even_shares |= other.even_shares;
  sum.order |= other.order;
  sum.longest |= other.longest;
  sum.occupancy |= other.occupancy;
  if (sum.perfect == Perfect::none) sum.perfect = other.perfect;
  return sum;
}

WhatIf::WhatIf(const Evaluation& evaluation, const ModelRun& run)
    : evaluation_(evaluation), run_(run), demand_(evaluation.bound->kernel->demand()) {}
WhatIf::~WhatIf() = default;

WhatIf::Binding& WhatIf::binding(Perfect perfect) {
  Binding& place = bindings_[static_cast<std::size_t>(perfect)];
  if (place.bound != nullptr) return place;
  if (perfect == Perfect::none) {
    place.bound = &*evaluation_.bound->kernel;
    place.latency = model_input(evaluation_, run_, demand_).latency;
  } else {
    const BoundKernel& as_it_is = *evaluation_.bound->kernel;
    place.own = std::make_unique<BoundKernel>(
        *evaluation_.launch->code.kernel, *evaluation_.launch->gpu, as_it_is.paths(),
        hitting(*evaluation_.launch->code.kernel, as_it_is.patterns(), perfect),
        evaluation_.launch->clock);
    if (evaluation_.trace->profile) {
      const double warps = evaluation_.trace->working_warps();
      place.own->count_as(executed_counts(evaluation_.trace->profile->executed.paths, warps),
                          false);
      place.own->follow_block(evaluation_.launch->occupancy.warps_per_block,
                              as_it_is.followed_issues());
    }
    place.bound = place.own.get();
    const BoundLatency& latency = place.own->latency(*run_.rules, run_.counting);
    place.latency = {latency.cycles, latency.replacement_included, latency.block_cycles,
                     latency.memory_cycles};
  }
  place.short_look = place.bound->latency_if(*run_.rules, run_.counting, {}, short_look);
  return place;
}

WarpLatency WhatIf::latency(Binding& binding, const Freed& freed) const {
  WarpLatency latency = binding.latency;
  if (freed.nothing()) return latency;
  const WarpTimes times = binding.bound->latency_if(*run_.rules, run_.counting, freed, short_look);
  latency.cycles = times.cycles;
  latency.memory_cycles = times.memory_cycles;
  if (binding.short_look.block_cycles > 0) {
    latency.block_cycles *= times.block_cycles / binding.short_look.block_cycles;
  }
  return latency;
}

const Gpu& WhatIf::gpu(const World& world) {
  if (!world.memory_rate && !world.launch) return *evaluation_.launch->gpu;
  if (!changed_) changed_ = std::make_unique<Gpu>(*evaluation_.launch->gpu);
  Gpu& gpu = *changed_;
  gpu = *evaluation_.launch->gpu;
  if (world.memory_rate) free_memory(gpu);
  if (world.launch) gpu.block_launch_interval = gpu.block_turnaround = gpu.warp_launch_cycles = 0;
  return gpu;
}

LaunchShape WhatIf::launch(const World& world) const {
  LaunchShape shape = launch_shape(evaluation_);
  if (!world.longest) shape.longest_block = run_.longest_block;
  if (world.memory_rate) shape.stretches = {};
  if (world.launch) shape.added = {};
  if (world.occupancy) {
    shape.blocks_per_sm =
        std::max(shape.blocks_per_sm,
                 std::floor(evaluation_.launch->gpu->limits.warps_per_sm / shape.warps_per_block));
  }
  return shape;
}

/// The same warps, evenly spread. Beyond a wave, as much as whole waves do in their time; within
/// one, between the grids that give every SM one block less and one more; below a block per SM,
/// every SM gets its part of a block.
Prediction WhatIf::spread(const World& world, LaunchShape shape) {
  const double sms = evaluation_.launch->gpu->sms;
  const double wave = shape.blocks_per_sm * sms;
  const double blocks = shape.blocks, grid = shape.blocks * shape.started;
  const auto set_blocks = [&](double count) {
    shape.blocks = count;
    shape.started = grid / count;
  };
  if (blocks < sms) {
    shape.warps_per_block *= blocks / sms;
    shape.threads_per_block *= blocks / sms;
    set_blocks(sms);
    return predict(world, shape);
  }
  const double step = blocks > wave ? wave : sms;
  set_blocks(std::floor(blocks / step) * step);
  const double more = blocks - shape.blocks;
  Prediction p = predict(world, shape);
  if (more <= 0) return p;
  if (blocks > wave) {
    const double added = to_milliseconds(shape.added).value();  // once, whatever the work
    p.time_ms = (p.time_ms - added) * blocks / shape.blocks + added;
    return p;
  }
  set_blocks(shape.blocks + sms);
  const double next = predict(world, shape).time_ms;
  p.time_ms += more / sms * std::max(0.0, next - p.time_ms);
  return p;
}

Prediction WhatIf::predict(const World& world) {
  const LaunchShape shape = launch(world);
  return world.even_shares ? spread(world, shape) : predict(world, shape);
}

Prediction WhatIf::predict(const World& world, const LaunchShape& shape) {
  Binding& bound = binding(world.perfect);
  Demand demand = world.perfect == Perfect::none ? demand_ : bound.bound->demand();
  for (std::size_t r = 0; r < demand.cycles().size(); ++r) {
    if (world.freed.frees(r)) demand.cycles(r) = 0;
  }
  ModelInput input =
      model_input(evaluation_, run_, demand).with(gpu(world), bound.bound->resources(), demand);
  Freed freed = world.freed;
  freed.launch |= world.launch;
  input.latency = latency(bound, freed);
  input.launch = shape;
  // A part of a block takes its part of the block's contention, but no less than a warp alone.
  const double part = shape.warps_per_block / launch_shape(evaluation_).warps_per_block;
  if (part < 1 && input.latency.block_cycles > 0)
    input.latency.block_cycles = std::max(input.latency.cycles, part * input.latency.block_cycles);
  if (!world.order && !world.even_shares && !world.longest) return predict_run(run_, input);
  ModelRun free = run_;
  if (world.order) free.ordered = {};
  if (world.even_shares || world.longest) free.uneven = nullptr;
  return predict_run(free, input);
}

}  // namespace forewarp::explain
