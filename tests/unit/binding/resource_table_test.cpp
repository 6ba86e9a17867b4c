// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/resource_table.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "program/modifier.h"

namespace forewarp::tests {
namespace {

/// Four schedulers, two register banks with one read port each, 32-byte sectors, 128-byte lines.
Gpu board() {
  Gpu gpu;
  gpu.limits.warp_lanes = 32;
  gpu.schedulers = 4;
  gpu.reissue_slots = 1;
  gpu.register_banks = 2;
  gpu.register_reads_per_bank = 1;
  gpu.sector_bytes = 32;
  gpu.line_bytes = 128;
  gpu.shared_banks = 32;
  gpu.shared_bank_bytes = 4;
  gpu.coalescing_lanes = gpu.bank_lanes = 32;
  gpu.request_bytes = 512;
  gpu.bank_word_bytes = 4;
  gpu.l1.fill_bytes = 64;
  gpu.classes["fp32"] = {"fma", 0.25, 4, false, {}};
  gpu.classes["integer_multiply"] = {"fma_heavy", 0.5, 4, false, {{"fma", 0.25}}};
  return gpu;
}

/// Multiply-adds `FFMA Rd, Ra, Rb, Rc`, all with the same stall count.
class MultiplyAdds {
 public:
  MultiplyAdds& add(std::uint16_t d, std::uint16_t a, std::uint16_t b, std::uint16_t c,
                    int reused_slot = -1, std::uint8_t stall = 1) {
    Instruction instruction;
    instruction.opcode = find_opcode("FFMA");
    instruction.instruction_class = InstructionClass::fp32;
    instruction.first_operand = static_cast<std::uint32_t>(kernel.operands.size());
    instruction.operand_count = 4;
    instruction.control.known = true;
    instruction.control.stall = stall;
    int slot = -1;
    for (const std::uint16_t number : {d, a, b, c}) {
      Operand operand;
      operand.kind = OperandKind::register_;
      operand.index = number;
      operand.reuse = slot == reused_slot && slot >= 0;
      kernel.operands.push_back(operand);
      ++slot;
    }
    kernel.instructions.push_back(instruction);
    return *this;
  }

  /// Cycles of a bank over the whole run, per SM.
  [[nodiscard]] double bank(const ResourceTable& table, std::string_view name) const {
    Demand demand(table.resources().size());
    for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
      table.add_register_reads(kernel, 0, i, demand);
    }
    for (std::size_t r = 0; r < table.resources().size(); ++r) {
      if (table.resources()[r].name == name) return demand.cycles(r);
    }
    return -1;
  }

  Kernel kernel;
};

double cycles(const ResourceTable& table, const Demand& demand, std::string_view name) {
  for (std::size_t r = 0; r < table.resources().size(); ++r) {
    if (table.resources()[r].name == name) return demand.cycles(r);
  }
  return -1;
}

// 16 of 32 lanes' 4 bytes leave the SM at 16 bytes per cycle, and take the longer way.
TEST(ClusterNetwork, BytesToOtherBlocksTakeIt) {
  Gpu gpu = board();
  gpu.cluster = {203, 16};
  gpu.shared_latency = 29;
  const ResourceTable table(gpu);
  Instruction load;
  load.instruction_class = InstructionClass::load_shared;
  AccessPattern access;
  access.known = true;
  access.lanes = 32;
  access.requests = access.passes = 1;
  EXPECT_EQ(cycles(table, table.demand_of(load, access, false), "cluster"), 0);
  EXPECT_EQ(beyond_own_shared(access, gpu), 0);
  access.distant = 0.5;
  access.distant_bytes = 64;
  EXPECT_DOUBLE_EQ(cycles(table, table.demand_of(load, access, false), "cluster"), 64 / 16.0);
  EXPECT_DOUBLE_EQ(beyond_own_shared(access, gpu), 0.5 * (203 - 29));
}

// Two even sources and one odd one: 2 reads of bank 0 and 1 of bank 1, over 4 schedulers.
TEST(ResourceTable, EachDistinctSourceTakesAPortOfItsBank) {
  const Gpu gpu = board();
  const ResourceTable table(gpu);
  MultiplyAdds run;
  run.add(0, 2, 4, 5);
  EXPECT_DOUBLE_EQ(run.bank(table, "registers0"), 2 / 4.0);
  EXPECT_DOUBLE_EQ(run.bank(table, "registers1"), 1 / 4.0);
}

// Alternating majority: (2 + 1) and (1 + 2) reads, so 3 of each bank for two instructions: 1.5
// each, where the pipe needs 1: two thirds of the peak.
TEST(ResourceTable, ThreeFreshSourcesHoldMultiplyAddsAtTwoThirds) {
  const Gpu gpu = board();
  const ResourceTable table(gpu);
  MultiplyAdds run;
  run.add(0, 2, 4, 5).add(1, 3, 7, 6);
  EXPECT_DOUBLE_EQ(run.bank(table, "registers0"), 3 / 4.0);
  EXPECT_DOUBLE_EQ(run.bank(table, "registers1"), 3 / 4.0);
}

TEST(ResourceTable, AReusedOperandIsReadOnceWhileTheWarpGoesOn) {
  const Gpu gpu = board();
  const ResourceTable table(gpu);
  MultiplyAdds close;
  close.add(0, 2, 5, 0, 0).add(6, 2, 7, 6);
  EXPECT_DOUBLE_EQ(close.bank(table, "registers0"), (2 + 1) / 4.0);
  MultiplyAdds far;  // other warps issue in between and take the cache
  far.add(0, 2, 5, 0, 0, 2).add(6, 2, 7, 6);
  EXPECT_DOUBLE_EQ(far.bank(table, "registers0"), (2 + 2) / 4.0);
  MultiplyAdds other_slot;
  other_slot.add(0, 2, 5, 0, 0).add(6, 7, 2, 6);
  EXPECT_DOUBLE_EQ(other_slot.bank(table, "registers0"), (2 + 2) / 4.0);
}

TEST(ResourceTable, AnInstructionTakesAllItsPipes) {
  const Gpu gpu = board();
  const ResourceTable table(gpu);
  Instruction multiply;
  multiply.instruction_class = InstructionClass::integer_multiply;
  const Demand demand = table.demand_of(multiply, {}, false);
  EXPECT_DOUBLE_EQ(cycles(table, demand, "fma_heavy"), 0.5);
  EXPECT_DOUBLE_EQ(cycles(table, demand, "fma"), 0.25);
  EXPECT_DOUBLE_EQ(cycles(table, demand, "issue"), 0.25);
  EXPECT_DOUBLE_EQ(cycles(table, table.demand_of(multiply, {}, true), "issue"), 0);
}

Demand load(const ResourceTable& table, const AccessPattern& pattern) {
  Instruction instruction;
  instruction.instruction_class = InstructionClass::load_global;
  return table.demand_of(instruction, pattern, false);
}

AccessPattern strided(const Gpu& gpu, std::int64_t stride, std::int64_t first = 0) {
  std::vector<std::int64_t> addresses(32);
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    addresses[lane] = first + static_cast<std::int64_t>(lane) * stride;
  }
  return global_pattern(addresses, 4, gpu);
}

// Gajger 2017, section 4.4.3: stride 1, 2, 4 of 4-byte words: 128, 256, 512 bytes; 0, 1, 3
// reissues.
TEST(ResourceTable, StridesMoveMoreBytesAndIssueAgain) {
  const Gpu gpu = board();
  const ResourceTable table(gpu);
  for (const int stride : {1, 2, 4}) {
    const Demand demand = load(table, strided(gpu, 4 * stride));
    EXPECT_DOUBLE_EQ(demand.count(Count::global_bytes), 128 * stride);
    EXPECT_DOUBLE_EQ(demand.count(Count::reissues), stride - 1);
    EXPECT_DOUBLE_EQ(cycles(table, demand, "l1_fill"), 128 * stride / 64.0);
  }
}

TEST(ResourceTable, AShiftedAccessTouchesOneSectorMoreButIssuesOnce) {
  const Gpu gpu = board();
  const ResourceTable table(gpu);
  const Demand demand = load(table, strided(gpu, 4, 4));
  EXPECT_DOUBLE_EQ(demand.count(Count::load_sectors), 5);
  EXPECT_DOUBLE_EQ(demand.count(Count::reissues), 0);
}

TEST(ResourceTable, OneWordForAllLanesIsOneSector) {
  const Gpu gpu = board();
  EXPECT_DOUBLE_EQ(strided(gpu, 0).sectors, 1);
  EXPECT_DOUBLE_EQ(strided(gpu, 128).sectors, 32);
}

// Degree is gcd(stride, banks) for 4-byte words; wider accesses go in groups of 128 bytes.
TEST(ResourceTable, BankPassesFollowTheStride) {
  const Gpu gpu = board();
  for (const auto& [stride, passes] :
       {std::pair{1, 1}, {2, 2}, {3, 1}, {8, 8}, {32, 32}, {33, 1}}) {
    std::vector<std::int64_t> addresses(32);
    for (int lane = 0; lane < 32; ++lane)
      addresses[static_cast<std::size_t>(lane)] = 4LL * stride * lane;
    EXPECT_DOUBLE_EQ(shared_pattern(addresses, 4, gpu).passes, passes) << stride;
  }
  EXPECT_DOUBLE_EQ(unit_stride_pattern(8, true, gpu).passes, 2);
  EXPECT_DOUBLE_EQ(unit_stride_pattern(16, true, gpu).passes, 4);
}

// 32 lanes of 4 bytes come back in 2 cycles at 64 B/cycle; conflicts make a load take longer, an
// answer of an atomic not. Stores come back not at all.
TEST(ResourceTable, LoadsTakeTheDataStageOfL1) {
  Gpu gpu = board();
  gpu.l1.return_bytes = 64;
  const ResourceTable table(gpu);
  const auto taken = [&](InstructionClass c, double stage) {
    AccessPattern access = unit_stride_pattern(4, false, gpu);
    access.stage = stage;
    Instruction instruction;
    instruction.instruction_class = c;
    return cycles(table, table.demand_of(instruction, access, false), "l1_return");
  };
  EXPECT_DOUBLE_EQ(taken(InstructionClass::load_global, 1), 2);
  EXPECT_DOUBLE_EQ(taken(InstructionClass::load_global, 8), 8);
  EXPECT_DOUBLE_EQ(taken(InstructionClass::atomic_global, 8), 2);
  EXPECT_DOUBLE_EQ(taken(InstructionClass::store_global, 8), 0);
}

// 4 sectors of a spill pass the SM's port at 64 bytes a cycle and enter L2 at 16 for each SM.
TEST(ResourceTable, SpillsTakeTheWayOfStores) {
  Gpu gpu = board();
  gpu.l1.store_bytes = 64;
  gpu.l2.write_bytes = 16;
  const ResourceTable table(gpu);
  Instruction instruction;
  instruction.opcode = find_opcode("STL");
  instruction.instruction_class = InstructionClass::store_local;
  AccessPattern access;
  access.known = true;
  access.lanes = 32;
  access.bytes_per_lane = 4;
  access.sectors = access.l2_sectors = 4;
  const Demand demand = table.demand_of(instruction, access, false);
  EXPECT_DOUBLE_EQ(cycles(table, demand, "store_path"), 128 / 64.0);
  EXPECT_DOUBLE_EQ(cycles(table, demand, "l2_write"), 128 / 16.0);
}

// One fetch for each instruction, both of a pair too, and 1.7 in vain per taken branch; four
// schedulers fetch at once. Boards without the number have no such resource.
TEST(ResourceTable, TakenBranchesFetchInVain) {
  Gpu gpu = board();
  EXPECT_EQ(ResourceTable(gpu).resources()[1].name, "fma");
  gpu.issue_interval = 1;
  gpu.jump_slots = 1.7;
  const ResourceTable table(gpu);
  const Instruction instruction;
  Demand second = table.demand_of(instruction, {}, true);
  EXPECT_DOUBLE_EQ(cycles(table, second, "issue"), 0);
  EXPECT_DOUBLE_EQ(cycles(table, second, "fetch"), 0.25);
  table.add_jumps(2, second);
  EXPECT_DOUBLE_EQ(cycles(table, second, "fetch"), 0.25 + 2 * 1.7 / 4);
}

// LDC R0, c[0x0][0x28] takes what its place in the code asks, LDC R0, c[0x3][R2] and c[0x3][UR4]
// what a computed address does; without the number there is no difference.
TEST(ResourceTable, ConstantsWhosePlaceTheCodeSaysTakeLess) {
  Gpu gpu = board();
  gpu.classes["load_constant"] = {"adu", 4.7, 31, true, {}};
  gpu.constant.placed_load_cycles = 2;
  const auto taken = [&](std::uint16_t base, std::uint16_t uniform_base) {
    Kernel kernel;
    Operand to, from;
    to.kind = OperandKind::register_;
    from.kind = OperandKind::constant;
    from.base = base;
    from.uniform_base = uniform_base;
    kernel.operands = {to, from};
    Instruction load;
    load.opcode = find_opcode("LDC");
    load.instruction_class = InstructionClass::load_constant;
    load.operand_count = 2;
    kernel.instructions = {load};
    const ResourceTable table(gpu, &kernel);
    return cycles(table, table.demand_of(load, {}, false), "adu");
  };
  EXPECT_DOUBLE_EQ(taken(no_register, no_register), 2);
  EXPECT_DOUBLE_EQ(taken(2, no_register), 4.7);
  EXPECT_DOUBLE_EQ(taken(no_register, 4), 4.7);
  gpu.constant.placed_load_cycles = 0;
  EXPECT_DOUBLE_EQ(taken(no_register, no_register), 4.7);
}

// A pipe of half a cycle for the SM is two cycles for each of four schedulers; what all share is
// not divided; register ports are no unit that an instruction waits for.
TEST(ResourceTable, UsesAreThoseOfTheSchedulersOwnUnits) {
  Gpu gpu = board();
  gpu.issue_interval = 1;
  gpu.classes["fp32"].cycles = 0.5;
  gpu.lsu_cycles = 2;
  const ResourceTable table(gpu);
  const auto used = [&](const std::vector<ResourceUse>& uses) {
    std::vector<std::pair<std::string, double>> list;
    for (const ResourceUse& use : uses)
      list.emplace_back(table.resources()[use.resource].name, use.cycles);
    return list;
  };
  using List = std::vector<std::pair<std::string, double>>;
  Instruction instruction;
  instruction.instruction_class = InstructionClass::fp32;
  EXPECT_EQ(used(table.uses_of(instruction, {})), (List{{"issue", 1}, {"fma", 2}}));
  instruction.instruction_class = InstructionClass::load_global;
  AccessPattern access = unit_stride_pattern(4, false, gpu);
  EXPECT_EQ(used(table.uses_of(instruction, access)),
            (List{{"issue", 1}, {"lsu", 2}, {"l1_fill", 2}}));
  // One set of special function units for all schedulers is not divided.
  gpu.classes["sfu"] = {"sfu", 2, 20, true, {}};
  instruction.instruction_class = InstructionClass::sfu;
  const ResourceTable own(gpu);
  EXPECT_EQ(own.uses_of(instruction, {}).back().cycles, 8);
  gpu.sfu_common = true;
  const ResourceTable common(gpu);
  EXPECT_EQ(common.uses_of(instruction, {}).back().cycles, 2);
  const ReplayMachine machine = table.machine();
  EXPECT_EQ(machine.schedulers, 4U);
  EXPECT_EQ(table.resources()[machine.issue].name, "issue");
  EXPECT_EQ(table.resources()[machine.interface].name, "lsu");
}

Instruction atomic(InstructionClass c, std::initializer_list<Modifier> modifiers = {}) {
  Instruction instruction;
  instruction.instruction_class = c;
  for (const Modifier m : modifiers) instruction.modifiers[instruction.modifier_count++] = m;
  return instruction;
}

/// 10 SMs, 8 slices of L2; a sector 1 cycle, its atomics 1.25, a lane on a word 1, of floats 3.
Gpu board_with_atomics() {
  Gpu gpu = board();
  gpu.sms = 10;
  gpu.memory.bus_bits = 128;
  gpu.l2.slice_bits = 16;
  gpu.l2.slice_sector_cycles = 1;
  gpu.atomic.visit_cycles = 1.25;
  gpu.atomic.lane_cycles = 1;
  gpu.atomic.float_lane_cycles = 3;
  gpu.atomic.shared_lane_cycles = 2;
  gpu.atomic.shared_swap_cycles = 4;
  return gpu;
}

// A reduction of `turns` on `sectors`, with this share of all in one slice: that slice's cycles
// times the SMs that share it.
TEST(ResourceTable, AtomicsTakeTurnsInTheBusiestSlice) {
  const Gpu gpu = board_with_atomics();
  const ResourceTable table(gpu);
  const auto slice = [&](const Instruction& instruction, double turns, double sectors,
                         double busiest) {
    AccessPattern access;
    access.lanes = 32;
    access.turns = turns;
    access.sectors = sectors;
    access.busiest_slice = busiest;
    return cycles(table, table.demand_of(instruction, access, false), "l2_slice");
  };
  const Instruction add = atomic(InstructionClass::reduction_global);
  EXPECT_DOUBLE_EQ(slice(add, 32, 1, 1), 32 * 10) << "all lanes on one word";
  EXPECT_DOUBLE_EQ(slice(add, 1, 1, 1), 1.25 * 10) << "one lane a warp";
  EXPECT_DOUBLE_EQ(slice(add, 4, 4, 0), 4 * 1.25 / 8 * 10) << "spread over the slices";
  EXPECT_DOUBLE_EQ(slice(add, 4, 4, 0.5), 4 * 1.25 / 2 * 10);
  const Instruction sum = atomic(InstructionClass::reduction_global, {modifier::f32});
  EXPECT_DOUBLE_EQ(slice(sum, 32, 1, 1), 32 * 3 * 10);
  EXPECT_DOUBLE_EQ(slice(atomic(InstructionClass::atomic_global), 32, 1, 1), 32 * 10);
  EXPECT_DOUBLE_EQ(slice(atomic(InstructionClass::load_global), 0, 4, 1), 0) << "no atomic";
}

// 8 slices for 10 SMs: visits lie evenly over them, of a load those that pass L1.
TEST(ResourceTable, VisitsTakeSlices) {
  const Gpu gpu = board_with_atomics();
  const ResourceTable table(gpu);
  AccessPattern access;
  access.lanes = 32;
  access.sectors = 32;
  access.visits = 64;
  const auto slice = [&](InstructionClass c) {
    return cycles(table, table.demand_of(atomic(c), access, false), "l2_slice");
  };
  EXPECT_DOUBLE_EQ(slice(InstructionClass::store_global), 64 / 8.0 * 10);
  access.l2_sectors = 8;
  EXPECT_DOUBLE_EQ(slice(InstructionClass::load_global), 8 / 32.0 * 64 / 8 * 10);
}

// What all warps write, or read beside L1, in one stretch: a sector a cycle.
TEST(ResourceTable, SectorsMeetInTheBusiestSlice) {
  const Gpu gpu = board_with_atomics();
  const ResourceTable table(gpu);
  AccessPattern access;
  access.lanes = 32;
  access.sectors = 4;
  access.visits = 8;
  access.busiest_sectors = 0.5;
  const auto slice = [&](InstructionClass c) {
    return cycles(table, table.demand_of(atomic(c), access, false), "l2_slice");
  };
  EXPECT_DOUBLE_EQ(slice(InstructionClass::store_global), 4 * 0.5 * 10);
  EXPECT_DOUBLE_EQ(slice(InstructionClass::load_global), 4 * 0.5 * 10);
  access.busiest_sectors = 0.01;
  EXPECT_DOUBLE_EQ(slice(InstructionClass::store_global), 8 / 8.0 * 10) << "evenly";
}

// Two cycles a lane of the fullest bank, four for compare and swap; counting lanes is one pass.
TEST(ResourceTable, SharedAtomicsTakeTurnsInTheFullestBank) {
  const Gpu gpu = board_with_atomics();
  const ResourceTable table(gpu);
  AccessPattern access;
  access.lanes = 32;
  access.passes = 1;
  access.turns = 32;
  const auto shared = [&](std::initializer_list<Modifier> modifiers) {
    const Instruction instruction = atomic(InstructionClass::atomic_shared, modifiers);
    return cycles(table, table.demand_of(instruction, access, false), "shared");
  };
  EXPECT_DOUBLE_EQ(shared({}), 32 * 2);
  EXPECT_DOUBLE_EQ(shared({modifier::cas}), 32 * 4);
  EXPECT_DOUBLE_EQ(shared({modifier::popc}), 1);
}

// Each different address of a constant load is a pass through its unit.
TEST(ResourceTable, ConstantLoadsPassOncePerAddress) {
  Gpu gpu = board();
  gpu.classes["load_constant"] = {"adu", 2, 26, true, {}};
  const ResourceTable table(gpu);
  AccessPattern access;
  const Instruction load = atomic(InstructionClass::load_constant);
  const auto unit = [&] { return cycles(table, table.demand_of(load, access, false), "adu"); };
  EXPECT_DOUBLE_EQ(unit(), 2) << "addresses unknown";
  access.known = true;
  access.passes = 25;
  EXPECT_DOUBLE_EQ(unit(), 25 * 2);
}

// Half of the hits come from the far part: 200 + 0.5 x (400 - 200).
TEST(AccessPattern, FarHitsTakeLonger) {
  Gpu gpu = board();
  gpu.l2.latency = 200;
  gpu.l2.latency_far = 400;
  AccessPattern access;
  EXPECT_EQ(l2_latency(access, gpu), 200);
  access.far_hits = 0.5;
  EXPECT_EQ(l2_latency(access, gpu), 300);
  gpu.l2.latency_far = 0;
  EXPECT_EQ(l2_latency(access, gpu), 200) << "no such part";
}

// Of three lines one lies in the far part in 1 - 1/8 of the cases: 200 + 7/8 x 200. From device
// memory a line takes 100 cycles less or more than the average: of two the last one comes later by
// 100 (1 - 1/2), of four by 100 (1 - 1/8).
TEST(AccessPattern, TheLastOfManyLinesComesFromTheFarPart) {
  Gpu gpu = board();
  gpu.l2.latency = 200;
  gpu.l2.latency_far = 400;
  AccessPattern access;
  access.far_hits = 0.5;
  EXPECT_EQ(last_l2_latency(access, 1, gpu), l2_latency(access, gpu));
  EXPECT_EQ(last_l2_latency(access, 3, gpu), 375);
  EXPECT_EQ(last_part(1, gpu), 0);
  EXPECT_EQ(last_part(2, gpu), 50);
  EXPECT_EQ(last_part(4, gpu), 87.5);
  gpu.l2.latency_far = 0;
  EXPECT_EQ(last_part(4, gpu), 0) << "no such part";
}

}  // namespace
}  // namespace forewarp::tests
