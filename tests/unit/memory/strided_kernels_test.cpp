// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Accesses of compiled kernels as they were executed, against what the rules say of their stride.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "execution/access/access_run.h"
#include "execution/lowering/kernel_lowering.h"
#include "hardware/access_rules.h"
#include "hardware/database.h"
#include "kernel_run.h"
#include "memory/memory_looks.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

constexpr std::size_t lanes = 32;

struct Family {
  const char* sm;
  const char* gpu;
};

/// One warp of a kernel of tests/fixtures/kernels/strided_*.cu: lane k takes element k * stride.
struct Strided {
  Strided(const std::string& file, const std::string& sm, std::size_t size, std::size_t distance)
      : bytes(size),
        stride(distance),
        run("listings/" + file + ".sm_" + sm + ".sass", file + "_" + std::to_string(size)) {
    run.input().block = {lanes, 1, 1};
  }
  [[nodiscard]] std::size_t size() const { return ((lanes - 1) * stride + 1) * bytes; }
  void finish() { run.pass(static_cast<int>(stride)).pass(0); }

  [[nodiscard]] std::vector<InstructionMemory> executed(MemorySpace space, const Gpu& gpu) {
    const auto program = lower_kernel(run.kernel());
    const auto profile = execute_profile(*program, run.input());
    if (!profile) {
      ADD_FAILURE() << profile.error().line();
      return {};
    }
    std::vector<InstructionMemory> result;
    const MemoryProfile memory = profile_memory(profile->accesses, profile->plan, gpu, {});
    for (const auto& [index, access] : memory.instructions) {
      if (access.space == space) result.push_back(access);
    }
    return result;
  }

  std::size_t bytes, stride;
  KernelRun run;
};

class StridedKernels : public testing::TestWithParam<Family> {
 protected:
  /// Runs f(bytes, stride, addresses of the lanes, GPU).
  template <class F>
  void for_strides(F f) {
    const auto gpu = HardwareDatabase(FOREWARP_DATA_DIR).load(GetParam().gpu);
    ASSERT_TRUE(gpu);
    for (const std::size_t bytes : {4U, 8U, 16U}) {
      for (std::size_t stride = 1; stride <= 64; ++stride) {
        std::vector<std::int64_t> addresses;
        for (std::size_t lane = 0; lane < lanes; ++lane)
          addresses.push_back(static_cast<std::int64_t>(lane * stride * bytes));
        SCOPED_TRACE(std::to_string(bytes) + " bytes, stride " + std::to_string(stride));
        f(bytes, stride, first_lanes(addresses, static_cast<std::uint32_t>(bytes)), *gpu);
      }
    }
  }
};

/// Whether some place of the buffer makes `rule` that number: where it lies decides which lines'
/// tags meet in a bank.
template <class Rule>
bool somewhere(double found, const LaneAddresses& access, const Gpu& gpu, Rule rule) {
  for (std::int64_t from = 0; from < AccessStreams::phase_bytes; from += 128) {
    std::vector<std::int64_t> moved(access.addresses.begin(), access.addresses.end());
    for (std::int64_t& address : moved) address += from;
    if (rule(first_lanes(moved, access.bytes), gpu) == found) return true;
  }
  return false;
}

TEST_P(StridedKernels, GlobalAccessesFollowTheRules) {
  for_strides(
      [](std::size_t bytes, std::size_t stride, const LaneAddresses& access, const Gpu& gpu) {
        Strided kernel("strided_global", GetParam().sm, bytes, stride);
        for (int i = 0; i < 2; ++i)
          kernel.run.pass_buffer(std::vector<std::uint8_t>(kernel.size()));
        kernel.finish();
        const auto found = kernel.executed(MemorySpace::global, gpu);
        const GlobalRequest expected = global_request(access, gpu);
        ASSERT_EQ(found.size(), 2U);  // load and store
        for (const InstructionMemory& one : found) {
          EXPECT_EQ(one.requests, 1);
          EXPECT_EQ(one.lanes, lanes);
          EXPECT_EQ(one.sectors, expected.sectors);
          EXPECT_EQ(one.lines, expected.lines);
          EXPECT_EQ(one.transactions, expected.transactions);
          EXPECT_EQ(one.wavefronts, bank_passes(access, false, gpu));
          EXPECT_TRUE(somewhere(one.tag_passes, access, gpu, tag_passes)) << one.tag_passes;
          EXPECT_TRUE(somewhere(one.stage_cycles, access, gpu, data_stage_cycles));
        }
      });
}

TEST_P(StridedKernels, SharedAccessesFollowTheRules) {
  for_strides(
      [](std::size_t bytes, std::size_t stride, const LaneAddresses& access, const Gpu& gpu) {
        Strided kernel("strided_shared", GetParam().sm, bytes, stride);
        kernel.run.pass_buffer(std::vector<std::uint8_t>(lanes * bytes));
        kernel.finish();
        kernel.run.input().dynamic_shared = static_cast<std::uint32_t>(kernel.size());
        const auto found = kernel.executed(MemorySpace::shared, gpu);
        ASSERT_EQ(found.size(), 2U);  // store and load
        for (const InstructionMemory& one : found) {
          EXPECT_EQ(one.requests, 1);
          EXPECT_EQ(one.lanes, lanes);
          EXPECT_EQ(one.wavefronts, bank_passes(access, false, gpu));
        }
      });
}

INSTANTIATE_TEST_SUITE_P(Families, StridedKernels,
                         testing::Values(Family{"35", "k40"}, Family{"50", "gtx980"},
                                         Family{"52", "gtx970"}, Family{"60", "p100-pcie-16"},
                                         Family{"61", "gtx1080ti"}, Family{"70", "v100-pcie-16"},
                                         Family{"75", "rtx2080ti"}, Family{"80", "a100-sxm-40"},
                                         Family{"86", "rtx3090"}, Family{"89", "rtx4090"},
                                         Family{"90", "h100-sxm-80"}),
                         [](const auto& family) { return std::string("sm_") + family.param.sm; });

}  // namespace
}  // namespace forewarp::tests
