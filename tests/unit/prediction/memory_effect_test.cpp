// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// What is counted is charged: each number of a memory profile changes a resource's cycles, a count
// or a latency of some access, or says why not.
#include <array>
#include <string>

#include <gtest/gtest.h>

#include "binding/resource_table.h"
#include "hardware/database.h"
#include "prediction/paths/executed_counts.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

/// One access of each kind.
constexpr std::array classes{InstructionClass::load_global,   InstructionClass::store_global,
                             InstructionClass::atomic_global, InstructionClass::reduction_global,
                             InstructionClass::load_shared,   InstructionClass::atomic_shared,
                             InstructionClass::load_local,    InstructionClass::store_local,
                             InstructionClass::load_constant};

struct Case {
  Kernel kernel;
  PathProfile paths;
  MemoryProfile memory;

  Case() {
    for (std::size_t i = 0; i < classes.size(); ++i) {
      Instruction instruction;
      instruction.instruction_class = classes[i];
      kernel.instructions.push_back(instruction);
      paths.instructions.push_back({10, 320, 320});
      InstructionMemory access;
      if (classes[i] == InstructionClass::store_global) access.kind = AccessKind::store;
      if (classes[i] == InstructionClass::atomic_global) access.kind = AccessKind::atomic;
      if (classes[i] == InstructionClass::reduction_global) access.kind = AccessKind::reduction;
      access.requests = 9;
      access.lanes = 280;
      access.sectors = 90;
      access.lines = 40;
      access.transactions = 50;
      access.wavefronts = 25;
      access.tag_passes = 12;
      access.stage_cycles = 30;
      access.l1_hit_sectors = 20;
      access.l2_sectors = 70;
      access.l2_hit_sectors = 30;
      access.most_transactions = 8;
      access.most_wavefronts = 4;
      access.atomic_degree = 3;
      const bool atomic = classes[i] == InstructionClass::atomic_global ||
                          classes[i] == InstructionClass::reduction_global ||
                          classes[i] == InstructionClass::atomic_shared;
      access.atomic_turns = atomic ? 200 : 0;
      access.slice_visits = atomic ? 0 : 300;
      access.busiest_share = classes[i] == InstructionClass::store_global ? 0.3 : 0.001;
      access.distant_requests = 3;
      access.distant_bytes = 384;
      access.waits_for_l2 = 0.8;
      access.waits_for_memory = 0.4;
      memory.instructions[static_cast<std::uint32_t>(i)] = access;
    }
    memory.dram_read_bytes = 4000;
    memory.dram_write_bytes = 3000;
    memory.unique_bytes = 22e6;
    memory.hottest_turns = 0.3;
  }

  /// Everything that models and the simulation are given of it.
  [[nodiscard]] std::string given(const Gpu& gpu) const {
    AccessPatterns patterns(classes.size());
    apply_memory(kernel, paths, memory, gpu, patterns);
    const ResourceTable table(gpu);
    std::string all;
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const Demand demand = table.demand_of(kernel.instructions[i], patterns[i], false);
      for (const double cycles : demand.cycles()) all += std::to_string(cycles * 1e6) + ' ';
      all += std::to_string(demand.count(Count::write_bytes)) + ' ';
      all += std::to_string(demand.count(Count::line_reissues)) + ' ';
      for (const Count kind : {Count::read_bytes, Count::load_requests, Count::global_bytes})
        all += std::to_string(demand.count(kind)) + ' ';
      all += std::to_string(l2_latency(patterns[i], gpu)) + ' ';
      all += std::to_string(beyond_own_shared(patterns[i], gpu)) + ' ';
      all += std::to_string(patterns[i].waits_for_l2) + ' ';
      all += std::to_string(patterns[i].waits_for_memory) + ' ';
    }
    return all;
  }
};

struct Number {
  const char* name;
  double InstructionMemory::*place;
  const char* reason;  ///< why nothing changes; empty: something does
};

constexpr std::array numbers{
    Number{"requests", &InstructionMemory::requests, ""},
    Number{"lanes", &InstructionMemory::lanes, ""},
    Number{"sectors", &InstructionMemory::sectors, ""},
    Number{"lines", &InstructionMemory::lines, ""},
    Number{"transactions", &InstructionMemory::transactions,
           "sectors and lines are charged; on 1.x sectors are what its segments move"},
    Number{"wavefronts", &InstructionMemory::wavefronts, ""},
    Number{"tag_passes", &InstructionMemory::tag_passes,
           "shown; stage_cycles are charged, which hold each request's"},
    Number{"stage_cycles", &InstructionMemory::stage_cycles, ""},
    Number{"l1_hit_sectors", &InstructionMemory::l1_hit_sectors,
           "what passes L1 is charged by l2_sectors; requests that hit by waits_for_l2"},
    Number{"l2_sectors", &InstructionMemory::l2_sectors, ""},
    Number{"l2_hit_sectors", &InstructionMemory::l2_hit_sectors, ""},
    Number{"most_transactions", &InstructionMemory::most_transactions, "shown; means are charged"},
    Number{"most_wavefronts", &InstructionMemory::most_wavefronts, "shown; means are charged"},
    Number{"atomic_degree", &InstructionMemory::atomic_degree,
           "shown; atomic_turns are charged, which hold it"},
    Number{"atomic_turns", &InstructionMemory::atomic_turns, ""},
    Number{"slice_visits", &InstructionMemory::slice_visits, ""},
    Number{"distant_requests", &InstructionMemory::distant_requests, ""},
    Number{"distant_bytes", &InstructionMemory::distant_bytes, ""},
    Number{"busiest_share", &InstructionMemory::busiest_share, ""},
    Number{"waits_for_l2", &InstructionMemory::waits_for_l2, ""},
    Number{"waits_for_memory", &InstructionMemory::waits_for_memory, ""},
};
static_assert(sizeof(InstructionMemory) == (numbers.size() + 1) * sizeof(double),
              "a number without a line above");

Gpu board() {
  auto gpu = HardwareDatabase(FOREWARP_DATA_DIR).load("a100-sxm-80");
  if (!gpu) ADD_FAILURE() << gpu.error().line();
  if (!gpu) return {};
  gpu->cluster = {200, 16};  // as on boards with clusters
  return *gpu;
}

TEST(MemoryEffect, EachNumberOfAnInstructionIsChargedOrSaysWhyNot) {
  const Gpu gpu = board();
  const std::string before = Case().given(gpu);
  for (const Number& number : numbers) {
    if (std::string(number.reason) == "?") continue;  // other work is under way
    bool changes = false;
    for (std::uint32_t i = 0; i < classes.size(); ++i) {
      Case changed;
      changed.memory.instructions[i].*number.place *= 1.25;
      changes = changes || changed.given(gpu) != before;
    }
    EXPECT_EQ(changes, std::string(number.reason).empty()) << number.name;
  }
}

TEST(MemoryEffect, TotalsOfTheGridAreCharged) {
  const Gpu gpu = board();
  const std::string before = Case().given(gpu);
  const std::array totals{&MemoryProfile::dram_read_bytes, &MemoryProfile::dram_write_bytes,
                          &MemoryProfile::unique_bytes, &MemoryProfile::hottest_turns};
  for (std::size_t t = 0; t < totals.size(); ++t) {
    Case changed;
    changed.memory.*totals[t] *= 1.1;
    EXPECT_NE(changed.given(gpu), before) << "total " << t;
  }
}

}  // namespace
}  // namespace forewarp::tests
