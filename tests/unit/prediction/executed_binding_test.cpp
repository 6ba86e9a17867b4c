// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <gtest/gtest.h>

#include "prediction/paths/executed_counts.h"

namespace forewarp::tests {
namespace {

/// 99 executions of arithmetic and one load.
Kernel arithmetic_and_a_load() {
  Kernel kernel;
  kernel.instructions.resize(2);
  kernel.instructions[0].instruction_class = InstructionClass::fp32;
  kernel.instructions[1].instruction_class = InstructionClass::load_global;
  return kernel;
}

TEST(ExecutedBinding, FewInstructionsMayDiffer) {
  const Kernel kernel = arithmetic_and_a_load();
  ExecutedCounts counts;
  counts.executions = {99, 1};
  counts.lanes = {32, 32};
  EXPECT_TRUE(counts_agree(kernel, {99, 1}, counts));
  EXPECT_TRUE(counts_agree(kernel, {98, 1}, counts));   // 1 of 100
  EXPECT_FALSE(counts_agree(kernel, {96, 1}, counts));  // 3 of 100
}

// One load more is one instruction of a hundred, but twice the loads.
TEST(ExecutedBinding, AccessesToGlobalMemoryMayNot) {
  const Kernel kernel = arithmetic_and_a_load();
  ExecutedCounts counts;
  counts.executions = {99, 1};
  counts.lanes = {32, 32};
  EXPECT_FALSE(counts_agree(kernel, {99, 2}, counts));
}

// A load that is issued without a lane asks for nothing; without its mark it would count as one
// that nobody looked at, with all its sectors from memory.
TEST(ExecutedBinding, WhereNoLaneAskedThePatternIsEmpty) {
  const Kernel kernel = arithmetic_and_a_load();
  PathProfile paths;
  paths.instructions.resize(2);
  paths.instructions[0] = {99, 99 * 32, 99 * 32};
  paths.instructions[1] = {1, 32, 0};
  AccessPatterns patterns(2);
  apply_memory(kernel, paths, MemoryProfile{}, Gpu{}, patterns);
  EXPECT_FALSE(patterns[0].known);
  EXPECT_TRUE(patterns[1].known);
  EXPECT_EQ(patterns[1].requests, 0);
  paths.instructions[1].lanes = 32;
  patterns = AccessPatterns(2);
  apply_memory(kernel, paths, MemoryProfile{}, Gpu{}, patterns);
  EXPECT_FALSE(patterns[1].known);
}

}  // namespace
}  // namespace forewarp::tests
