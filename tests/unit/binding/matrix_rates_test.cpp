// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/matrix_rates.h"

#include <string>

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "program/modifier.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

/// A board of round rates: 512 products of halves a cycle and SM, half of it with 32-bit sums, a
/// quarter for one warp; the class is timed at 4 cycles, one scheduler.
Gpu board() {
  Gpu gpu;
  gpu.schedulers = 1;
  for (const char* name : {"tensor_half", "tensor_integer", "tensor_double", "tensor_binary"})
    gpu.classes[name] = {"tensor", 4, 24, true, {}};
  gpu.tensor.half_macs = 512;
  gpu.tensor.single_macs = 256;
  gpu.tensor.byte_macs = 1024;
  gpu.tensor.integer_macs = 1024;
  gpu.tensor.nibble_macs = 2048;
  gpu.tensor.binary_macs = 8192;
  gpu.tensor.double_macs = 64;
  gpu.tensor.wide_sum_share = 0.5;
  gpu.tensor.warp_share = 0.25;
  gpu.tensor.latency_share = 2;
  return gpu;
}

MatrixUse use(const Gpu& gpu, const std::string& text,
              std::initializer_list<Modifier> modifiers = {}) {
  Kernel kernel;
  Instruction instruction;
  instruction.opcode = find_opcode(text.substr(0, text.find('.')));
  instruction.instruction_class = opcode_info(instruction.opcode).instruction_class;
  for (const Modifier m : modifiers) instruction.modifiers[instruction.modifier_count++] = m;
  kernel.text = text;
  instruction.text_size = static_cast<std::uint16_t>(text.size());
  kernel.instructions.push_back(instruction);
  return matrix_use(kernel, kernel.instructions[0], gpu);
}

// m n k / (rate x shares): a warp alone has a quarter.
TEST(MatrixRates, ProductsOverTheRateOfTheKind) {
  const Gpu gpu = board();
  EXPECT_DOUBLE_EQ(use(gpu, "HMMA.16816.F16 R0").cycles, 16 * 8 * 16 / (512 * 0.25));
  EXPECT_DOUBLE_EQ(use(gpu, "HMMA.1688.F16 R0").cycles, 16 * 8 * 8 / (512 * 0.25));
  EXPECT_DOUBLE_EQ(use(gpu, "HMMA.16816.F32 R0", {modifier::f32}).cycles,
                   16 * 8 * 16 / (512 * 0.25 * 0.5));
  EXPECT_DOUBLE_EQ(use(gpu, "HMMA.1688.F32.TF32 R0", {modifier::f32, modifier::tf32}).cycles,
                   16 * 8 * 8 / (256 * 0.25 * 0.5));
  EXPECT_DOUBLE_EQ(use(gpu, "HMMA.SP.16832.F16 R0", {modifier::sp}).cycles,
                   16 * 8 * 16 / (512 * 0.25))
      << "half of the depth is zero";
  EXPECT_DOUBLE_EQ(use(gpu, "QMMA.16832.F16.E4M3 R0").cycles, 16 * 8 * 32 / (1024 * 0.25));
  EXPECT_DOUBLE_EQ(use(gpu, "IMMA.16832.S8.S8 R0").cycles, 16 * 8 * 32 / (1024 * 0.25));
  EXPECT_DOUBLE_EQ(use(gpu, "IMMA.16864.S4.S4 R0", {modifier::s4}).cycles,
                   16 * 8 * 64 / (2048 * 0.25));
  EXPECT_DOUBLE_EQ(use(gpu, "BMMA.168256 R0").cycles, 16 * 8 * 256 / (8192 * 0.25));
  EXPECT_DOUBLE_EQ(use(gpu, "DMMA.884 R0").cycles, 8 * 8 * 4 / (64 * 0.25));
}

// Four warps have the whole rate and a quarter of the shape each.
TEST(MatrixRates, WarpgroupsHaveTheWholeRate) {
  EXPECT_DOUBLE_EQ(use(board(), "HGMMA.64x256x16.F16 R0").cycles, 64.0 * 256 * 16 / 4 / 512);
  EXPECT_DOUBLE_EQ(use(board(), "QGMMA.64x256x32.F16 R0").cycles, 64.0 * 256 * 32 / 4 / 1024);
}

// Two cycles of latency for each cycle beyond the four that the class is timed at.
TEST(MatrixRates, LatencyGrowsWithTheUnitsTime) {
  const double cycles = 16 * 8 * 16 / (512 * 0.25);
  EXPECT_DOUBLE_EQ(use(board(), "HMMA.16816.F16 R0").latency, 2 * (cycles - 4));
}

TEST(MatrixRates, UnknownShapesAndRatesSayNothing) {
  EXPECT_EQ(use(board(), "HMMA.F32 R0").cycles, 0);
  Gpu gpu = board();
  gpu.tensor.double_macs = 0;
  EXPECT_EQ(use(gpu, "DMMA.884 R0").cycles, 0);
  EXPECT_EQ(use(board(), "FADD.16816 R0").cycles, 0);
}

struct Published {
  const char* gpu;
  const char* text;
  std::initializer_list<Modifier> modifiers;
  double cycles;  ///< per scheduler
};

// Cycles per scheduler as published: SN on RTX 5090 and RTX PRO 6000 (32 and 16), Luo et al. on
// H800 (N/2 for each of four warps), white papers for the others.
TEST(MatrixRates, AsPublished) {
  const HardwareDatabase database(FOREWARP_DATA_DIR);
  using namespace modifier;
  const Published rows[] = {
      {"a100-sxm-80", "HMMA.16816.F32 R0", {f32}, 8},
      {"a100-sxm-80", "HMMA.1688.F32.TF32 R0", {f32, tf32}, 8},
      {"a100-sxm-80", "DMMA.884 R0", {}, 16},
      {"rtx3090", "HMMA.16816.F32 R0", {f32}, 32},
      {"rtx3090", "HMMA.16816.F16 R0", {}, 16},
      {"rtxa6000", "HMMA.16816.F32 R0", {f32}, 16},
      {"rtx4090", "HMMA.1688.F32 R0", {f32}, 16},
      {"rtx5090", "HMMA.16816.F32 R0", {f32}, 32},
      {"rtx5090", "QMMA.16832.F32.E4M3.E4M3 R0", {f32}, 32},
      {"rtx2080ti", "HMMA.1688.F32 R0", {f32}, 16},
      {"titanv", "HMMA.884.F32.F32.STEP0 R0", {f32, f32, step0}, 2},
      {"h100-sxm-80", "HGMMA.64x256x16.F32 R0", {f32}, 128},
      {"h100-sxm-80", "HGMMA.64x64x16.F32 R0", {f32}, 32},
  };
  for (const Published& row : rows) {
    const auto gpu = database.load(row.gpu);
    ASSERT_TRUE(gpu) << row.gpu;
    EXPECT_NEAR(use(*gpu, row.text, row.modifiers).cycles * gpu->schedulers, row.cycles, 1e-9)
        << row.gpu << ' ' << row.text;
  }
}

}  // namespace
}  // namespace forewarp::tests
