// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Functions that lie in sections of their own, as separate compilation and debug builds leave them:
// tests/fixtures/linking.
#include <gtest/gtest.h>

#include "execution/grid/in_place_run.h"
#include "execution/lowering/kernel_lowering.h"
#include "execution/storage/program_services.h"
#include "kernel_run.h"

namespace forewarp::tests {
namespace {

constexpr std::size_t threads = 32;

class LinkedFunctions : public ::testing::TestWithParam<int> {};

TEST_P(LinkedFunctions, AreCalledAndCallThemselves) {
  KernelRun run("linking/functions.sm_" + std::to_string(GetParam()) + ".cubin", "functions");
  run.pass_buffer(std::vector<std::int32_t>(threads));
  ASSERT_EQ(run.run({1, 1, 1}, {threads, 1, 1}), std::nullopt);
  constexpr std::int32_t factorials[] = {1, 1, 2, 6, 24, 120};
  std::vector<std::int32_t> expected;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(threads); ++i)
    expected.push_back(1000 * (i * (i - 1) / 2) + factorials[i % 6]);
  EXPECT_EQ(run.result<std::int32_t>(0), expected);
}

TEST(LinkedPointers, ChooseTheFunction) {
  for (const std::int32_t n : {3, 4}) {
    KernelRun run("linking/pointers.sm_61.cubin", "pointers");
    run.pass_buffer(std::vector<std::int32_t>(threads)).pass(n);
    ASSERT_EQ(run.run({1, 1, 1}, {threads, 1, 1}), std::nullopt);
    std::vector<std::int32_t> expected;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(threads); ++i)
      expected.push_back(n > 3 ? 2 * i : i * i);
    EXPECT_EQ(run.result<std::int32_t>(0), expected);
  }
}

// A program gets no result that nobody computed.
TEST_P(LinkedFunctions, OfTheDriverThatAreMissingEndTheLaunch) {
  KernelRun run("linking/outside.sm_" + std::to_string(GetParam()) + ".cubin", "outside");
  const auto program = lower_kernel(run.kernel());
  std::vector<std::int32_t> out(threads, 7);
  ExecutionInput input;
  input.block = {threads, 1, 1};
  ExecutionBuffer buffer;
  buffer.address = 0x10000;
  buffer.bytes = threads * sizeof(std::int32_t);
  buffer.place = reinterpret_cast<std::uint8_t*>(out.data());
  input.buffers.push_back(buffer);
  input.parameters.resize(8);
  std::memcpy(input.parameters.data(), &buffer.address, sizeof buffer.address);
  input.services = std::make_shared<ProgramServices>();
  const auto ran = run_in_place(*program, input, {}, {});
  ASSERT_FALSE(ran);
  const std::string line = ran.error().line();
  EXPECT_NE(line.find("it calls cnpLaunchDeviceV2"), std::string::npos) << line;
  EXPECT_NE(line.find("kernels cannot launch kernels here"), std::string::npos) << line;
  EXPECT_EQ(out, std::vector<std::int32_t>(threads, 7));
}

INSTANTIATE_TEST_SUITE_P(Architectures, LinkedFunctions, ::testing::Values(61, 80));

}  // namespace
}  // namespace forewarp::tests
