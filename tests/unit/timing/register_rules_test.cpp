// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sm_builder.h"

namespace forewarp::tests {
namespace {

Op reading(std::initializer_list<PortRead> ports) {
  return {.ports = ports};
}

PortRead source(std::uint8_t slot, std::uint16_t number, bool keep = false) {
  return {static_cast<std::uint8_t>(number % 2), slot, keep, number};
}

SmBuilder two_banks(std::uint32_t reads = 1) {
  SmBuilder sm;
  sm.machine.banks = 2;
  sm.machine.bank_reads = reads;
  return sm;
}

Cycles of(const std::vector<Op>& ops, std::uint32_t reads = 1) {
  SmBuilder sm = two_banks(reads);
  sm.warp(ops);
  return sm.issues(0);
}

const Op even = reading({source(0, 0), source(1, 2), source(2, 4)});

TEST(RegisterRules, OneReadABankAndCycle) {
  // Three reads of one bank take its three cycles: allocated at 2, 5, 8, 11. Two instructions
  // stand between issue and allocation, so the fourth issues when the second is allocated.
  EXPECT_EQ(of({even, even, even, even, even}), (Cycles{0, 1, 2, 5, 8}));
}

TEST(RegisterRules, TwoReadsABankAndCycle) {
  // Allocated at 2, 3, 4, 5, 7, 8, 10: three reads of two a cycle are 1.5 cycles each.
  EXPECT_EQ(of(std::vector<Op>(9, even), 2), (Cycles{0, 1, 2, 3, 4, 5, 7, 8, 10}));
}

TEST(RegisterRules, WhatReadsNothingWaitsBehindThem) {
  const Op nothing = reading({});
  // Allocated at 2, 5, 6, 7.
  EXPECT_EQ(of({even, even, nothing, nothing, nothing}), (Cycles{0, 1, 2, 5, 6}));
}

TEST(RegisterRules, OtherBankIsFree) {
  const Op odd = reading({source(0, 1), source(1, 3), source(2, 5)});
  // Even ones at 2, 5; odd ones at 3, 6.
  EXPECT_EQ(of({even, odd, even, odd, even, odd}), (Cycles{0, 1, 2, 3, 5, 6}));
}

/// Allocation of the second of two that read R0 in `slot` beside two other even registers: seen
/// from the fourth issue, which waits for it.
double second_allocated(bool kept, std::uint8_t slot, std::uint16_t number = 0) {
  const Op first = reading({source(0, 0, kept), source(1, 2), source(2, 4)});
  const std::uint8_t b = slot == 0 ? 1 : 0;
  const Op second = reading({source(slot, number), source(b, 6), source(2, 8)});
  return of({first, second, reading({}), reading({})})[3];
}

TEST(RegisterRules, OperandCacheHoldsWhatIsMarked) {
  EXPECT_EQ(second_allocated(false, 0), 5) << "three reads in {6, 7, 8}";
  EXPECT_EQ(second_allocated(true, 0), 4) << "two reads in {5, 6, 7}";
}

TEST(RegisterRules, OperandCacheIsByPlaceAndRegister) {
  EXPECT_EQ(second_allocated(true, 1), 5) << "another operand's place";
  EXPECT_EQ(second_allocated(true, 0, 10), 5) << "another register";
}

TEST(RegisterRules, OperandIsKeptForOneUse) {
  // The second use is not marked: the third reads R0 again.
  const Op first = reading({source(0, 0, true)}), second = reading({source(0, 0)});
  const Op third = reading({source(0, 0), source(1, 2), source(2, 4)});
  const Op marked = reading({source(0, 0, true)});
  // Reads of bank 0: at 3; none; so three fit in {5, 6, 7}; after that one none before 8.
  const Cycles lost = of({first, second, third, even, {}, {}});
  const Cycles kept = of({first, marked, third, even, {}, {}});
  // Kept: R2 and R4 at 5 and 6; the next one's three from 7 on: allocated at 6, else at 7.
  EXPECT_EQ(lost, (Cycles{0, 1, 2, 3, 4, 7}));
  EXPECT_EQ(kept, (Cycles{0, 1, 2, 3, 4, 6}));
}

TEST(RegisterRules, OtherWarpTakesThePlaceInTheOperandCache) {
  const auto timed = [](std::initializer_list<PortRead> ports) {
    TimedInstruction out;
    for (const PortRead& port : ports) out.ports[out.port_reads++] = port;
    return out;
  };
  const TimedInstruction keeps = timed({source(0, 0, true), source(1, 2), source(2, 4)});
  const auto second_use = [&](const TimedInstruction& between) {
    SmMachine machine;
    machine.banks = 2;
    machine.bank_reads = 1;
    RegisterPorts ports(machine);
    ports.take(keeps, 1, 0);
    ports.take(between, 0, 20 * cycle);
    ports.take(keeps, 1, 40 * cycle);
    ports.take(keeps, 2, 41 * cycle);  // three reads
    ports.take(timed({}), 2, 42 * cycle);
    return cycles_of(ports.room());
  };
  // Allocated at 42; two reads at 43 and 44, then three from 45 on: 44. Three reads: 45.
  EXPECT_EQ(second_use(timed({source(1, 6)})), 44);
  EXPECT_EQ(second_use(timed({source(0, 7)})), 44) << "the other bank's place";
  EXPECT_EQ(second_use(timed({source(0, 6)})), 45);
  EXPECT_EQ(second_use(timed({source(0, 0)})), 45) << "another warp's register of that number";
}

TEST(RegisterRules, VariableOnesReadLater) {
  Op load = reading({source(0, 0), source(1, 2), source(2, 4)});
  load.variable = true;
  EXPECT_EQ(of({load, load, load, load, load}), (Cycles{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace forewarp::tests
