// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "model/library/product_time.h"
#include "model/library/transform_time.h"

namespace forewarp::tests {
namespace {

using Type = ProductShape::Type;

/// 10 SMs of 128 lanes at 1000 MHz, 100 GB/s, latency of 500 cycles.
Gpu toy_board() {
  Gpu gpu;
  gpu.sms = 10;
  gpu.clock_sustained_mhz = 1000;
  gpu.core_lanes = 128;
  gpu.limits.warp_lanes = 32;
  gpu.memory.latency = 500;
  gpu.memory.latency_mhz = 1000;
  gpu.memory.theory_gbs = 100;
  gpu.memory.mixed_share = 1;
  gpu.l2.read_bytes = 64;
  gpu.l2.bytes = 1e6;
  gpu.stream_us = 1.5;
  gpu.classes["fp32"].cycles = 0.25;
  gpu.classes["integer"].cycles = 0.25;
  return gpu;
}

LibraryTables toy_tables() {
  LibraryTables tables;
  tables.fp32.tiles = {{128, 128, 1}};
  tables.fp32.share = 0.5;
  tables.fp32.share_common = 0.25;
  tables.tensor = tables.fp32;
  tables.tensor.share = 1;
  tables.most_splits = 4;
  tables.least_depth = 128;
  tables.start_latencies = 2;
  return tables;
}

ProductShape cube(double n) {
  ProductShape shape;
  shape.m = shape.n = shape.k = n;
  return shape;
}

TEST(ProductTime, WavesOfTilesAtTheShareOfThePeak) {
  // 64 tiles on 10 SMs: 7 waves of 128 128 1024 / (128 0.5) = 262144 cycles; L2 takes
  // 256 1024 4 / 64 = 16384; device memory 3 1024^2 4 / 100 GB/s = 126 us. Two latencies: 1 us.
  const LibraryTime time = product_time(toy_board(), toy_tables(), cube(1024));
  EXPECT_NEAR(time.us, 1 + 7 * 262.144, 1e-6);
  EXPECT_EQ(time.limited_by, "FP32 lanes");
  EXPECT_EQ(time.kernel, "128x128");
  EXPECT_EQ(time.share, 1);
}

TEST(ProductTime, LanesThatAlsoDoIntegersReachLess) {
  Gpu gpu = toy_board();
  gpu.classes["integer"].cycles = 0.5;
  EXPECT_NEAR(product_time(gpu, toy_tables(), cube(1024)).us, 1 + 2 * 7 * 262.144, 1e-6);
}

TEST(ProductTime, ADeepProductOfOneTileIsSplit) {
  ProductShape shape = cube(128);
  shape.k = 8192;
  // In 4: 128 128 2048 / 64 = 524288 cycles; five parts of 64 KB are summed up in L2 at 640 GB/s.
  const LibraryTime time = product_time(toy_board(), toy_tables(), shape);
  EXPECT_NEAR(time.us, 1 + 524.288 + 1.5 + 1 + 5 * 65536 / 640e3, 1e-6);
  EXPECT_EQ(time.kernel, "128x128, depth in 4");
  EXPECT_EQ(time.share, 0.4);
}

TEST(ProductTime, ManySmallOnesAreBoundByMemory) {
  ProductShape shape = cube(128);
  shape.k = 8;
  shape.batch = 1000;
  // (2 128 8 + 128 128) 4 bytes each
  const LibraryTime time = product_time(toy_board(), toy_tables(), shape);
  EXPECT_NEAR(time.us, 1 + 1000 * (2048 + 16384) * 4 / 100e3, 1e-6);
  EXPECT_EQ(time.limited_by, "device memory");
}

TEST(ProductTime, TypesTakeTheUnitThatTheBoardHas) {
  Gpu gpu = toy_board();
  EXPECT_EQ(product_rate(gpu, Type::half).macs, 128);
  EXPECT_EQ(product_rate(gpu, Type::fp64).macs, 0);
  EXPECT_EQ(product_time(gpu, toy_tables(), ProductShape{1, 1, 1, 1, Type::fp64}).us, 0);
  gpu.classes["fp64"].cycles = 16;
  EXPECT_EQ(product_rate(gpu, Type::fp64).macs, 2);
  gpu.tensor.half_macs = 512;
  gpu.tensor.wide_sum_share = 0.5;
  EXPECT_EQ(product_rate(gpu, Type::half).macs, 256);
  EXPECT_EQ(product_rate(gpu, Type::narrow_sums).macs, 512);
  EXPECT_EQ(product_rate(gpu, Type::tf32).unit, hardware::ProductUnit::fp32);
  gpu.tensor.single_macs = 256;
  EXPECT_EQ(product_rate(gpu, Type::tf32).macs, 128);
  EXPECT_EQ(product_rate(gpu, Type::tf32).unit, hardware::ProductUnit::tensor);
}

TEST(VectorTime, IsBytesOverBandwidthAndLatencies) {
  EXPECT_NEAR(vector_time(toy_board(), toy_tables(), 2e6, false).us, 1 + 20, 1e-6);
  EXPECT_NEAR(vector_time(toy_board(), toy_tables(), 64e4, false).us, 1 + 1, 1e-6);  // from L2
  EXPECT_NEAR(vector_time(toy_board(), toy_tables(), 2e6, true).us, 1 + 20 + 1.5 + 1, 1e-6);
}

TEST(MovedBytes, AreWholeSectorsOrAllThatLiesBetween) {
  Gpu gpu;
  gpu.sector_bytes = 32;
  EXPECT_EQ(moved_bytes(gpu, {1000, 4, 4}), 4000);
  EXPECT_EQ(moved_bytes(gpu, {1000, 4, 8}), 999 * 8 + 4);
  EXPECT_EQ(moved_bytes(gpu, {1000, 4, 4096}), 32000);
  EXPECT_EQ(moved_bytes(gpu, {10, 40, 4096}), 640);
  EXPECT_EQ(moved_bytes(gpu, {10, 4, 0}), 4);
  EXPECT_EQ(moved_bytes(gpu, {0, 4, 4}), 0);
}

TEST(RandomTime, IsTheSlowerOfLanesAndMemory) {
  // 1e6 draws of 128 operations on 1.28e6 lanes per us
  EXPECT_NEAR(random_time(toy_board(), toy_tables(), 1e6, 128, 4e6).us, 1 + 100, 1e-6);
  EXPECT_NEAR(random_time(toy_board(), toy_tables(), 1e6, 1, 4e6).us, 1 + 40, 1e-6);
}

/// A block holds 1024 numbers of 8 bytes; factors up to 7 are taken directly.
LibraryTables transform_tables() {
  LibraryTables tables = toy_tables();
  tables.largest_factor = 7;
  tables.fft_operations = 5;
  tables.fft_share = 0.5;
  return tables;
}
Gpu transform_board() {
  Gpu gpu = toy_board();
  gpu.limits.shared_per_block = 8192;
  gpu.l2.bytes = 0;
  return gpu;
}

TEST(TransformTime, OnePassOverMemoryForWhatABlockHolds) {
  // 1000 of 1024 numbers of 8 bytes, read and written at 100 GB/s; 5 10 operations a number on
  // 1.28e6 lanes per us take 40 us.
  TransformShape shape{{1024}, 1000};
  const LibraryTime time = transform_time(transform_board(), transform_tables(), shape);
  EXPECT_NEAR(time.us, 1 + 2 * 1024e3 * 8 / 100e3, 1e-6);
  shape.real = true;
  EXPECT_NEAR(transform_time(transform_board(), transform_tables(), shape).us,
              1 + 1024e3 * 8 / 100e3, 1e-6);
}

TEST(TransformTime, LongOnesAndDimensionsTakeFurtherKernels) {
  const TransformShape longer{{2048}, 1000};
  EXPECT_NEAR(transform_time(transform_board(), transform_tables(), longer).us,
              2 * (1 + 2 * 2048e3 * 8 / 100e3) + 1.5, 1e-6);
  const TransformShape plane{{512, 512}, 10};
  const LibraryTime time = transform_time(transform_board(), transform_tables(), plane);
  EXPECT_NEAR(time.us, 2 * (1 + 2 * 5120.0 * 512 * 8 / 100e3) + 1.5, 1e-6);
  EXPECT_EQ(time.kernel, "2 kernels");
}

TEST(TransformTime, PrimesAreLengthened) {
  // 509 is prime: two transforms of 1024 numbers.
  const TransformShape prime{{509}, 1000};
  EXPECT_NEAR(transform_time(transform_board(), transform_tables(), prime).us,
              2 * (1 + 2 * 1024e3 * 8 / 100e3) + 1.5, 1e-6);
}

}  // namespace
}  // namespace forewarp::tests
