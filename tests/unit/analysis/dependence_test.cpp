// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/dependence.h"

#include <numeric>

#include <gtest/gtest.h>

#include "kernel_builder.h"

namespace forewarp::tests {
namespace {

using testing::fixture;
using testing::kernel_from;

std::vector<Dependence> all_of(const Kernel& kernel) {
  std::vector<std::uint32_t> path(kernel.instructions.size());
  std::iota(path.begin(), path.end(), 0U);
  return dependences(kernel, path);
}

bool has(const std::vector<Dependence>& found, std::uint32_t from, std::uint32_t to,
         DependenceKind kind) {
  return std::any_of(found.begin(), found.end(), [&](const Dependence& d) {
    return d.from == from && d.to == to && d.kind == kind;
  });
}

TEST(Dependence, RegistersPredicatesAndCarries) {
  const Kernel kernel = kernel_from(52, {
                                            "IADD R2.CC, R6, c[0x0][0x148]",     // 0
                                            "IADD.X R3, R7, c[0x0][0x14c]",      // 1: carry of 0
                                            "ISETP.LT.AND P0, PT, R3, 0x1, PT",  // 2: R3 of 1
                                            "@P0 MOV R2, RZ",  // 3: P0 of 2, overwrites R2 of 0
                                            "MOV R7, RZ",      // 4: overwrites what 1 reads
                                        });
  const auto found = all_of(kernel);
  EXPECT_TRUE(has(found, 0, 1, DependenceKind::value));
  EXPECT_TRUE(has(found, 1, 2, DependenceKind::value));
  EXPECT_TRUE(has(found, 2, 3, DependenceKind::value));
  EXPECT_TRUE(has(found, 0, 3, DependenceKind::overwrite));
  EXPECT_TRUE(has(found, 1, 4, DependenceKind::anti));
  EXPECT_FALSE(has(found, 0, 2, DependenceKind::value));
  const auto carry = std::find_if(found.begin(), found.end(), [](const Dependence& d) {
    return d.file == RegisterFile::condition_code;
  });
  ASSERT_NE(carry, found.end());
  EXPECT_EQ(carry->from, 0U);
  EXPECT_EQ(carry->to, 1U);
}

TEST(Dependence, PairsDependRegisterByRegister) {
  const Kernel kernel =
      kernel_from(80, {"IMAD.WIDE R2, R0, R1, c[0x0][0x160]", "MOV R3, RZ", "LDG.E R4, [R2.64]"});
  const auto found = all_of(kernel);
  EXPECT_TRUE(has(found, 0, 2, DependenceKind::value));  // R2
  EXPECT_TRUE(has(found, 1, 2, DependenceKind::value));  // R3
  EXPECT_TRUE(has(found, 0, 1, DependenceKind::overwrite));
}

TEST(Dependence, MemoryIsOrderedWithinItsSpace) {
  const Kernel kernel = kernel_from(80, {
                                            "STS [R0], R1",       // 0
                                            "LDG.E R2, [R4.64]",  // 1: another space
                                            "LDS R3, [R6]",       // 2: may read what 0 wrote
                                            "LDS R7, [R6+0x4]",   // 3
                                            "STS [R8], R1",       // 4: after both loads
                                            "BAR.SYNC 0x0",       // 5
                                            "LDG.E R9, [R4.64]",  // 6
                                        });
  const auto found = all_of(kernel);
  EXPECT_TRUE(has(found, 0, 2, DependenceKind::memory));
  EXPECT_FALSE(has(found, 0, 1, DependenceKind::memory));
  EXPECT_FALSE(has(found, 2, 3, DependenceKind::memory));
  EXPECT_TRUE(has(found, 2, 4, DependenceKind::memory));
  EXPECT_TRUE(has(found, 3, 4, DependenceKind::memory));
  EXPECT_TRUE(has(found, 4, 5, DependenceKind::barrier));
  EXPECT_TRUE(has(found, 1, 5, DependenceKind::barrier));
  EXPECT_TRUE(has(found, 5, 6, DependenceKind::barrier));
}

TEST(Dependence, ScoreboardsOfTheControlWords) {
  const Kernel kernel = fixture("vadd.sm_80.sass");
  std::vector<Dependence> found = all_of(kernel);
  std::erase_if(found, [](const Dependence& d) { return d.kind != DependenceKind::scoreboard; });
  ASSERT_FALSE(found.empty());
  bool load_to_sum = false;
  for (const Dependence& d : found) {
    const InstructionClass from = kernel.instructions[d.from].instruction_class;
    const InstructionClass to = kernel.instructions[d.to].instruction_class;
    load_to_sum =
        load_to_sum || (from == InstructionClass::load_global && to == InstructionClass::fp32);
  }
  EXPECT_TRUE(load_to_sum);
}

TEST(Dependence, ALoopBodyGivenTwiceShowsWhatIsCarried) {
  const Kernel kernel = kernel_from(80, {"IADD3 R0, R0, 0x1, RZ", "FADD R1, R1, R2"});
  const std::vector<std::uint32_t> twice{0, 1, 0, 1};
  const auto found = dependences(kernel, twice);
  EXPECT_TRUE(has(found, 0, 2, DependenceKind::value));
  EXPECT_TRUE(has(found, 1, 3, DependenceKind::value));
}

TEST(Dependence, WhatNeverExecutesIsLeftOut) {
  const Kernel kernel =
      kernel_from(70, {"MOV R0, RZ", "@!PT SHFL.IDX PT, R0, R0, RZ, RZ", "MOV R1, R0"});
  EXPECT_TRUE(has(all_of(kernel), 0, 2, DependenceKind::value));
}

TEST(Dependence, PrintsAGraph) {
  const Kernel kernel = fixture("saxpy2.sm_80.sass");
  const std::string dot = dependence_dot(kernel, ControlFlow(kernel));
  EXPECT_TRUE(dot.starts_with("digraph \"saxpy2\" {\n"));
  EXPECT_TRUE(dot.ends_with("}\n"));
  EXPECT_NE(dot.find("label=\"R0\""), std::string::npos);
  EXPECT_NE(dot.find("style=dashed"), std::string::npos);
  EXPECT_EQ(std::count(dot.begin(), dot.end(), '{'), std::count(dot.begin(), dot.end(), '}'));
}

}  // namespace
}  // namespace forewarp::tests
