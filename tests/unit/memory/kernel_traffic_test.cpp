// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include <gtest/gtest.h>

#include "execution/access/access_run.h"
#include "execution/lowering/kernel_lowering.h"
#include "hardware/database.h"
#include "kernel_run.h"
#include "memory/memory_looks.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

Gpu board(const std::string& id) {
  const HardwareDatabase database(FOREWARP_DATA_DIR);
  auto gpu = database.load(id);
  if (!gpu) ADD_FAILURE() << gpu.error().line();
  return gpu ? *gpu : Gpu();
}

/// A kernel of tests/fixtures/listings on float buffers.
struct Case {
  Case(const std::string& listing, Extent grid, Extent block) : run("listings/" + listing) {
    run.input().grid = grid;
    run.input().block = block;
  }
  Case& floats(std::size_t count) {
    run.pass_buffer(std::vector<float>(count));
    return *this;
  }
  template <class T>
  Case& pass(T value) {
    run.pass(value);
    return *this;
  }
  const ExecutedProfile& executed(SampleChoice sample = {}) {
    program.emplace(*lower_kernel(run.kernel()));
    ProfileOptions options;
    options.sample = sample;
    auto result = execute_profile(*program, run.input(), options);
    if (!result) ADD_FAILURE() << result.error().line();
    if (result) profile = std::move(*result);
    return profile;
  }
  MemoryProfile on(const std::string& gpu, const MemoryOptions& options = {}) const {
    return profile_memory(profile.accesses, profile.plan, board(gpu), options);
  }
  KernelRun run;
  std::optional<Program> program;
  ExecutedProfile profile;
};

Case transpose(const std::string& name, int size) {
  const auto tiles = static_cast<std::uint32_t>(size) / 32;
  const bool plain = name.starts_with("transpose_plain");
  Case result(name, {tiles, plain ? 4 * tiles : tiles, 1}, {32, 8, 1});
  for (int i = 0; i < 2; ++i)
    result.floats(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
  result.pass(size).pass(size);
  result.executed();
  return result;
}

// 256 x 256 words, 2048 warps' worth: each warp reads 4 sectors and writes 4 through a tile, 32
// without one.
TEST(KernelTraffic, TransposesWithAndWithoutATile) {
  constexpr double warps = 256 * 256 / 32;
  for (const char* name :
       {"transpose.sm_70.sass", "transpose_conflicts.sm_70.sass", "transpose_plain.sm_70.sass"}) {
    const MemoryProfile found = transpose(name, 256).on("v100-pcie-16");
    const bool plain = std::string(name).starts_with("transpose_plain");
    const bool conflicts = std::string(name).starts_with("transpose_conflicts");
    EXPECT_EQ(found.global_load_requests, warps) << name;
    EXPECT_EQ(found.global_load_sectors, 4 * warps) << name;
    EXPECT_EQ(found.global_store_sectors, (plain ? 32 : 4) * warps) << name;
    EXPECT_EQ(found.shared_requests, plain ? 0 : 2 * warps) << name;
    // One pass a store; one a load, or 32 where a column lies in one bank.
    EXPECT_EQ(found.shared_wavefronts, plain ? 0 : (1 + (conflicts ? 32 : 1)) * warps) << name;
    EXPECT_EQ(found.unique_read_bytes, 256 * 256 * 4) << name;
    EXPECT_EQ(found.unique_written_bytes, 256 * 256 * 4) << name;
  }
}

// Another GPU of the same listing: the same accesses by its rules, nothing executed.
TEST(KernelTraffic, AnotherGpuExecutesNothing) {
  Case add("vadd.sm_52.sass", {64, 1, 1}, {256, 1, 1});
  for (int i = 0; i < 3; ++i) add.floats(64 * 256);
  add.executed();
  for (const char* id : {"gtx970", "gtx980", "titanx"}) {
    const MemoryProfile found = add.on(id);
    EXPECT_EQ(found.global_load_sectors, 2 * 4 * 512) << id;
    EXPECT_EQ(found.l1_hit_rate, 0) << id;
    EXPECT_EQ(found.dram_read_bytes, 2 * 64 * 256 * 4) << id;
  }
  // Half-warps on the first generation, each a segment of 64 bytes.
  const MemoryProfile first = add.on("8800gtx");
  double transactions = 0;
  for (const auto& [index, memory] : first.instructions) transactions += memory.transactions;
  EXPECT_EQ(transactions, 3 * 2 * 512);
}

// Five points: 3 neighbours of a row share its lines in L1; every input sector is read from memory
// once, as L2 holds some rows.
TEST(KernelTraffic, StencilReadsEveryPointOnce) {
  constexpr int size = 1024;
  Case stencil("stencil.sm_75.sass", {size / 32, size / 8, 1}, {32, 8, 1});
  for (int i = 0; i < 2; ++i) stencil.floats(size * size);
  stencil.pass(size).pass(size).pass(1.0F).pass(1.0F);
  stencil.executed({SampleChoice::Mode::count, 64});
  MemoryOptions options;
  options.blocks_per_sm = 4;
  const MemoryProfile found = stencil.on("rtx2080ti", options);
  // The first and the last of a row's 128 sectors of the output are written in part, and so
  // fetched.
  EXPECT_NEAR(found.dram_read_bytes / (size * size * 4), 1 + 2.0 / 128, 0.005);
  EXPECT_NEAR(found.unique_read_bytes / (size * size * 4), 1, 0.001);
  EXPECT_GT(found.l1_hit_rate, 0.6);
  EXPECT_LT(found.l1_hit_rate, 0.8);
  // Rows above and below come from other blocks: L2.
  EXPECT_GT(found.l2_hit_rate, 0.3);
}

/// Blocks are sampled, sets are sampled, windows are replayed: all within the stated error.
TEST(KernelTraffic, SamplesOfKernelsAgreeWithWholeReplays) {
  constexpr int size = 512;
  Case product("matmul_tiled.sm_75.sass", {size / 16, size / 16, 1}, {16, 16, 1});
  for (int i = 0; i < 3; ++i) product.floats(size * size);
  product.pass(size);
  Case plain = transpose("transpose_plain.sm_70.sass", 512);
  Case stencil("stencil.sm_75.sass", {size / 32, size / 8, 1}, {32, 8, 1});
  for (int i = 0; i < 2; ++i) stencil.floats(size * size);
  stencil.pass(size).pass(size).pass(1.0F).pass(1.0F);
  for (Case* kernel : {&product, &plain, &stencil}) {
    MemoryOptions whole, some;
    whole.blocks_per_sm = some.blocks_per_sm = 2;
    whole.most_replayed = std::uint64_t{1} << 40;
    some.most_replayed = 8'000;
    kernel->executed({SampleChoice::Mode::all, 0});
    const MemoryProfile exact = kernel->on("rtx2080ti", whole);
    kernel->executed({SampleChoice::Mode::count, 40});
    const MemoryProfile sampled = kernel->on("rtx2080ti", some);
    EXPECT_LT(sampled.replayed_share, 0.3);
    EXPECT_NEAR(sampled.global_load_sectors / exact.global_load_sectors, 1,
                sampled.sectors_error + 1e-9);
    EXPECT_NEAR(sampled.l2_read_sectors / exact.l2_read_sectors, 1, 0.1);
    EXPECT_NEAR(sampled.dram_read_bytes / exact.dram_read_bytes, 1, sampled.dram_error + 0.02);
    EXPECT_NEAR(sampled.unique_bytes / exact.unique_bytes, 1, 0.02);
  }
}

// A[order[k]] in local memory: 24 words stored and 24 loaded by every warp, four sectors each; each
// store goes on to L2.
TEST(KernelTraffic, LocalArraysAreWrittenThrough) {
  constexpr int threads = 4096;
  Case spills("spills.sm_75.sass", {threads / 128, 1, 1}, {128, 1, 1});
  std::vector<int> order(24);
  std::iota(order.begin(), order.end(), 0);
  spills.run.pass_buffer(order);
  spills.floats(threads * 24).floats(threads).pass(threads);
  spills.executed();
  const MemoryProfile found = spills.on("rtx2080ti");
  constexpr double warps = threads / 32;
  EXPECT_EQ(found.local_store_sectors, 4 * 24 * warps);
  EXPECT_EQ(found.local_load_sectors, 4 * 24 * warps);
  EXPECT_EQ(found.l2_write_sectors, found.local_store_sectors + found.global_store_sectors);
}

}  // namespace
}  // namespace forewarp::tests
