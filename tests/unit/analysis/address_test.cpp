// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/address.h"

#include <gtest/gtest.h>

#include "analysis/kernel_analysis.h"
#include "kernel_builder.h"

namespace forewarp::tests {
namespace {

using testing::Arguments;
using testing::fixture;

const char* const every_family[] = {"35", "50", "52", "60", "61", "70",
                                    "75", "80", "86", "89", "90"};

std::vector<std::string> thread_coefficients(const KernelAnalysis& analysis,
                                             const AddressForm& form) {
  return {analysis.text(form.thread[0]), analysis.text(form.thread[1]),
          analysis.text(form.thread[2])};
}

using Texts = std::vector<std::string>;

TEST(Address, VectorAddIsAffineWithStrideFour) {
  for (const char* sm : every_family) {
    const Kernel kernel = fixture(std::string("vadd.sm_") + sm + ".sass");
    const KernelAnalysis analysis(kernel);
    ASSERT_EQ(analysis.addresses().size(), 3U) << sm;
    std::vector<std::uint32_t> pointers;
    for (const AddressForm& form : analysis.addresses()) {
      EXPECT_TRUE(form.affine) << sm;
      EXPECT_EQ(thread_coefficients(analysis, form), Texts({"4", "0", "0"})) << sm;
      EXPECT_EQ(analysis.text(form.block_index[0]), "4*blockDim.x") << sm;
      ASSERT_TRUE(form.pointer.has_value());
      pointers.push_back(*form.pointer);
    }
    std::sort(pointers.begin(), pointers.end());
    EXPECT_EQ(pointers, std::vector<std::uint32_t>({0, 8, 16})) << sm;
  }
}

TEST(Address, TiledMatrixProductHasAffineSharedAndGlobalAddresses) {
  for (const char* sm : every_family) {
    const Kernel kernel = fixture(std::string("matmul_tiled.sm_") + sm + ".sass");
    const KernelAnalysis analysis(kernel);
    std::size_t shared_stores = 0;
    for (const AddressForm& form : analysis.addresses()) {
      EXPECT_TRUE(form.affine) << sm << " " << analysis.text(form.value);
      const InstructionClass c = kernel.instructions[form.instruction].instruction_class;
      if (c != InstructionClass::store_shared) continue;
      EXPECT_EQ(thread_coefficients(analysis, form), Texts({"4", "64", "0"})) << sm;
      ++shared_stores;
    }
    EXPECT_EQ(shared_stores, 2U);
  }
}

TEST(Address, LoopPassesHaveTheirOwnCoefficient) {
  const Kernel kernel = fixture("matmul_tiled.sm_80.sass");
  const KernelAnalysis analysis(kernel);
  bool found = false;
  for (const AddressForm& form : analysis.addresses()) {
    if (kernel.instructions[form.instruction].instruction_class != InstructionClass::load_global) {
      continue;
    }
    for (const auto& [loop, coefficient] : form.loops) {
      EXPECT_EQ(loop, 0U);
      const std::string text = analysis.text(coefficient);
      EXPECT_TRUE(text == "64" || text == "64*n") << text;
      found = true;
    }
  }
  EXPECT_TRUE(found);
}

TEST(Address, LanesRunAlongXFirst) {
  const Kernel kernel = fixture("matmul_tiled.sm_80.sass");
  const KernelAnalysis analysis(kernel);
  for (const AddressForm& form : analysis.addresses()) {
    const InstructionClass c = kernel.instructions[form.instruction].instruction_class;
    if (c != InstructionClass::store_shared) continue;
    Binding binding;
    binding.block = {16, 16, 1};
    std::vector<std::int64_t> lanes(32);
    ASSERT_TRUE(lane_addresses(analysis.compile(form.value), binding, 32, lanes));
    // Threads 32..63 are rows 2 and 3 of sixteen: 4 bytes apart, 64 from row to row.
    for (std::int64_t lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(lanes[static_cast<std::size_t>(lane)] - lanes[0], lane % 16 * 4 + lane / 16 * 64);
    }
  }
}

TEST(Address, NeedsThePointerToBeBound) {
  const Kernel kernel = fixture("vadd.sm_80.sass");
  const KernelAnalysis analysis(kernel);
  const CompiledExpression program = analysis.compile(analysis.addresses()[0].value);
  std::vector<std::int64_t> lanes(32);
  EXPECT_FALSE(lane_addresses(program, Binding{}, 0, lanes));
  Arguments arguments(kernel);
  Binding binding = arguments.set(0, 0x10000).set(1, 0x20000).set(2, 0x30000).binding();
  binding.block = {256, 1, 1};
  binding.block_index = {3, 0, 0};
  ASSERT_TRUE(lane_addresses(program, binding, 64, lanes));
  EXPECT_EQ(lanes[5] % 0x10000, (3 * 256 + 64 + 5) * 4);
}

TEST(Address, WrapsLikeTheMachine) {
  // A single register address is 32 bits wide: 4 - 8 is near the top, not negative.
  const Kernel kernel = testing::kernel_from(80, {"MOV R0, 0x4", "LDS R1, [R0+-0x8]", "EXIT"});
  const KernelAnalysis analysis(kernel);
  EXPECT_EQ(analysis.compile(analysis.addresses()[0].value).evaluate(Binding{}), 0xfffffffc);
}

TEST(Address, LoadedIndicesAreNotAffineAndSayWhy) {
  const Kernel kernel =
      testing::kernel_from(80, {"LDG.E R0, [R2.64]", "LDS R1, [R0.X4+0x10]", "EXIT"});
  const KernelAnalysis analysis(kernel);
  const AddressForm* form = analysis.address(1);
  ASSERT_NE(form, nullptr);
  EXPECT_FALSE(form->affine);
  EXPECT_EQ(form->reason, "a value loaded at 0x0000 (LDG.E R0, [R2.64])");
  EXPECT_EQ(analysis.address(2), nullptr);
}

}  // namespace
}  // namespace forewarp::tests
