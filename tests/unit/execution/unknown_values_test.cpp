// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What happens where nobody gave a value: it flows, and where it decides something the message says
// what is missing.
#include "differential.h"

namespace forewarp::tests {
namespace {

class UnknownValues : public Differential {
 protected:
  static void forget(KernelRun& run, std::size_t buffer) {
    run.input().buffers[buffer].content.kind = BufferContent::Kind::unknown;
  }
  static bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
};

TEST_P(UnknownValues, DataFlowsThroughArithmetic) {
  KernelRun run = kernel("parallel", "blur_line");
  run.pass_buffer(std::vector<float>(600)).pass_buffer(std::vector<float>(600)).pass(600);
  forget(run, 0);
  EXPECT_TRUE(runs(run, {3, 1, 1}, {256, 1, 1}));
  EXPECT_TRUE(run.result<float>(1).empty());
  EXPECT_TRUE(run.outcome().assumed.empty());
}

TEST_P(UnknownValues, CountsAreThoseOfKnownData) {
  const auto total = [&](bool known) {
    KernelRun run = kernel("parallel", "multiply_tiled");
    for (int i = 0; i < 3; ++i) run.pass_buffer(std::vector<float>(32 * 32));
    run.pass(32);
    if (!known) forget(run, 0), forget(run, 1), forget(run, 2);
    EXPECT_TRUE(runs(run, {2, 2, 1}, {16, 16, 1}));
    return run.counts().total;
  };
  EXPECT_EQ(total(true), total(false));
}

// Columns that nobody knows: the vector is read all over, everything else stays known.
TEST_P(UnknownValues, AnUnknownAddressIsAnywhereInItsBuffer) {
  KernelRun run = kernel("parallel", "sparse_rows");
  run.pass_buffer(std::vector<int>{0, 3, 6})
      .pass_buffer(std::vector<int>(6))
      .pass_buffer(std::vector<float>(6));
  run.pass_buffer(std::vector<float>(10)).pass_buffer(std::vector<float>(2)).pass(2);
  forget(run, 1);
  const auto failure = run.run({1, 1, 1}, {32, 1, 1});
  EXPECT_FALSE(failure) << *failure;
  EXPECT_FALSE(run.outcome().scattered.empty());
  EXPECT_TRUE(run.outcome().halved.empty());
  EXPECT_TRUE(run.outcome().findings.empty());  // no place outside of its buffer
}

TEST_P(UnknownValues, AnUnknownConditionNamesItsLoadAndBothOptions) {
  KernelRun run = kernel("integers", "collatz");
  run.pass_buffer(std::vector<int>(32)).pass_buffer(std::vector<int>(32)).pass(32);
  forget(run, 0);
  const auto failure = run.run({1, 1, 1}, {32, 1, 1});
  ASSERT_TRUE(failure);
  EXPECT_TRUE(mentions(*failure, "the condition of '")) << *failure;
  EXPECT_TRUE(mentions(*failure, "--arg 0=buffer.TYPE:128:random:1:LOW:HIGH")) << *failure;
  EXPECT_TRUE(mentions(*failure, "--assume-branch 0x")) << *failure;
}

// What a poll waits for is not there at the beginning: drawn values would hold by chance.
TEST(UnknownWords, APolledOneIsZeroAtFirst) {
  KernelRun run("../../validation/order/blocks_in_order.sass", "turn_by_index", 86);
  run.pass_buffer(std::vector<unsigned>(1)).pass_buffer(std::vector<unsigned>(4));
  run.input().buffers[0].content.kind = BufferContent::Kind::unknown;
  const auto failure = run.run({4, 1, 1}, {32, 1, 1});
  ASSERT_TRUE(failure);
  EXPECT_NE(failure->find("--arg 0=buffer.TYPE:4:zeros"), std::string::npos) << *failure;
}

TEST_P(UnknownValues, AnAssumptionDecidesTheBranch) {
  KernelRun run = kernel("integers", "collatz");
  run.pass_buffer(std::vector<int>(32)).pass_buffer(std::vector<int>(32)).pass(32);
  forget(run, 0);
  // Every conditional branch that may depend on the data: not taken.
  for (const Instruction& instruction : run.kernel().instructions) {
    run.input().assumed_branches.push_back({instruction.address, 0});
  }
  const auto failure = run.run({1, 1, 1}, {32, 1, 1});
  EXPECT_FALSE(failure) << *failure;
  EXPECT_FALSE(run.outcome().assumed.empty());
}

TEST_P(UnknownValues, AMissingArgumentIsNamed) {
  KernelRun run = kernel("parallel", "scan_shared");
  run.pass_buffer(std::vector<int>(64)).pass(std::uint64_t{0});
  run.input().parameters_known.assign(16, 1);
  std::fill_n(run.input().parameters_known.begin() + 8, 8, std::uint8_t{0});
  const auto failure = run.run({1, 1, 1}, {64, 1, 1}, 512);
  ASSERT_TRUE(failure);
  EXPECT_TRUE(mentions(*failure, "comes from parameter 1, which no argument gives")) << *failure;
  EXPECT_TRUE(mentions(*failure, "--arg 1=VALUE")) << *failure;
}

TEST_P(UnknownValues, DivisionsTakeTheCommonPath) {
  KernelRun run = kernel("floats", "normalise");
  run.pass_buffer(std::vector<float>(300)).pass_buffer(std::vector<float>(300)).pass(100);
  forget(run, 0);
  EXPECT_TRUE(runs(run, {1, 1, 1}, {128, 1, 1}));
  EXPECT_FALSE(run.outcome().assumed.empty());

  Numbers numbers(81);
  KernelRun known = kernel("floats", "normalise");
  known.pass_buffer(numbers.reals<float>(300, 1, 2)).pass_buffer(std::vector<float>(300)).pass(100);
  EXPECT_TRUE(runs(known, {1, 1, 1}, {128, 1, 1}));
  EXPECT_EQ(run.counts().total, known.counts().total);
}

TEST_P(UnknownValues, BranchesOnTwoPredicatesTakeTheCommonPath) {
  const auto run_with = [&](bool known) {  // since sm_70 a double division ends in @P0 BRA P1
    Numbers numbers(82);
    KernelRun run = kernel("floats", "double_arithmetic");
    run.pass_buffer(numbers.reals<double>(100, 1, 2)).pass_buffer(numbers.reals<double>(100, 1, 2));
    run.pass_buffer(std::vector<double>(16 * 100)).pass(100);
    if (!known) forget(run, 0), forget(run, 1);
    EXPECT_TRUE(runs(run, {1, 1, 1}, {128, 1, 1}));
    EXPECT_EQ(run.outcome().assumed.empty(), known);
    return run.counts().total;
  };
  EXPECT_EQ(run_with(true), run_with(false));
}

// 64 elements twice are 512 bytes; 4 fewer were asked for: the last element of the second half is
// lost.
TEST_P(UnknownValues, BehindSharedMemoryLieZeros) {
  KernelRun run = kernel("parallel", "scan_shared");
  run.pass_buffer(std::vector<int>(64, 1)).pass_buffer(std::vector<int>(64));
  EXPECT_FALSE(run.run({1, 1, 1}, {64, 1, 1}, 508));
  EXPECT_FALSE(run.outcome().findings.empty());
  const std::vector<int> sums = run.result<int>(1);
  ASSERT_EQ(sums.size(), 64U) << "nothing is unknown";
  EXPECT_EQ(sums[62], 63);
  EXPECT_EQ(sums[63], 32);  // 0 of the step of 16, and what lies 32 before
}

TEST_P(UnknownValues, FindingsHaveBlockAndThread) {
  KernelRun run = kernel("parallel", "blur_line");
  run.pass_buffer(std::vector<float>(600)).pass_buffer(std::vector<float>(500)).pass(600);
  ASSERT_FALSE(run.run({3, 1, 1}, {256, 1, 1}));
  ASSERT_EQ(run.outcome().findings.size(), 1U);
  const AccessFinding& finding = run.outcome().findings[0];
  EXPECT_EQ(finding.kind, AccessFinding::Kind::out_of_bounds);
  EXPECT_EQ(finding.block, (Extent{1, 0, 0}));  // element 500 = 256 + 244
  EXPECT_EQ(finding.thread, 244U);
  EXPECT_EQ(finding.lanes, 100U);
}

TEST_P(UnknownValues, MisalignedAccessesAreFindings) {
  KernelRun run = kernel("parallel", "sum_shuffle");
  run.pass_buffer(std::vector<float>(64)).pass_buffer(std::vector<float>(4)).pass(32);
  run.input().parameters[0] = 2;  // the low byte of the first pointer
  ASSERT_FALSE(run.run({1, 1, 1}, {32, 1, 1}));
  ASSERT_EQ(run.outcome().findings.size(), 1U);
  EXPECT_EQ(run.outcome().findings[0].kind, AccessFinding::Kind::misaligned);
  EXPECT_EQ(run.outcome().findings[0].lanes, 32U);
}

TEST(UnknownAddresses, ACopysPlaceInSharedMemoryIsOneRegister) {
  KernelRun run("listings/copy_beside_unknown.sass");
  run.pass_buffer(std::vector<float>(128)).pass_buffer(std::vector<float>(128));
  run.input().buffers[0].content.kind = BufferContent::Kind::unknown;
  const auto failure = run.run({1, 1, 1}, {32, 1, 1});
  EXPECT_FALSE(failure) << *failure;
}

// Every architecture refuses a sum of doubles by compare-and-swap whose first value is unknown.
TEST_P(UnknownValues, ARetryOfUnknownLengthIsRefused) {
  KernelRun run = kernel("parallel", "add_doubles");
  run.pass_buffer(std::vector<double>(1024)).pass_buffer(std::vector<double>(1)).pass(1024);
  forget(run, 1);
  const auto failure = run.run({4, 1, 1}, {256, 1, 1});
  ASSERT_TRUE(failure);
  EXPECT_TRUE(mentions(*failure, "the condition of '")) << *failure;
}

// A compare-and-swap that is repeated until it succeeds, as sm_70 and sm_75 branch: out of the loop
// ahead of the branch back, or around the end of the kernel. Half of the lanes each way would make
// two passes.
TEST(UnknownRetries, AreNotHalvedWhereTheirExitBranchesForward) {
  for (const char* listing : {"listings/retry_ahead.sass", "listings/retry_else.sass"}) {
    KernelRun run(listing);
    run.pass_buffer(std::vector<unsigned>(1));
    run.input().buffers[0].content.kind = BufferContent::Kind::unknown;
    const auto failure = run.run({8, 1, 1}, {256, 1, 1});
    ASSERT_TRUE(failure) << listing;
    EXPECT_NE(failure->find("the condition of '"), std::string::npos) << *failure;
    EXPECT_NE(failure->find("ATOMG"), std::string::npos) << *failure;
    EXPECT_NE(failure->find("--assume-branch 0x60=P"), std::string::npos) << *failure;
  }
}

INSTANTIATE_TEST_SUITE_P(Families, UnknownValues, ::testing::ValuesIn(fixture_architectures()),
                         architecture_name);

}  // namespace
}  // namespace forewarp::tests
