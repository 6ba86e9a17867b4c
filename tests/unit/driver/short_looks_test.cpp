// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// How much of a launch is replayed through the caches.
#include <string>

#include "memory/memory_profile.h"
#include "prediction/trace.h"
#include "request/argument_text.h"
#include "saxpy2_case.h"

namespace forewarp::tests {
namespace {

/// Each block normalises a row of so many halves: it reads the row twice.
Case rows_read_twice(std::uint64_t rows, std::uint64_t width) {
  Case request;
  request.input = std::string(FOREWARP_SOURCE_DIR) + "/validation/kernels/language_model.sass";
  request.kernel = "rms_norm";
  request.gpu = "h200-sxm";
  request.launch.grid = {static_cast<std::uint32_t>(rows), 1, 1};
  request.launch.block = {256, 1, 1};
  const std::string bytes = std::to_string(2 * rows * width);
  for (const std::string& argument :
       {"0=buffer:" + bytes, "1=buffer:" + bytes + ":ones", "2=buffer:" + std::to_string(2 * width),
        std::string("3=1e-5"), "4=" + std::to_string(rows), "5=" + std::to_string(width)}) {
    const auto parsed = request::parse_argument(argument);
    EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().line());
    if (parsed) request.launch.arguments.push_back(*parsed);
  }
  return request;
}

using ShortLooks = EvaluatedLaunches;

// 1,056 rows of 32 KiB are read at a time, which L1 does not hold for a block's second pass, but L2
// does in good part. At their beginnings, blocks read each sector once.
TEST_F(ShortLooks, ReachTheEndsOfBlocks) {
  const Case request = rows_read_twice(8448, 16'384);
  PredictOptions longer;
  longer.budget_seconds = 5;
  const Evaluation usual = must(request), longest = must(request, longer);
  ASSERT_TRUE(usual.trace && longest.trace);
  const memory::MemoryProfile &memory = *usual.trace->memory, &all = *longest.trace->memory;
  EXPECT_EQ(memory.reached, 1);
  EXPECT_LT(memory.dram_read_bytes, 1.5 * 8448 * 2 * 16'384);
  EXPECT_NEAR(memory.dram_read_bytes / all.dram_read_bytes, 1, 0.03);
}

}  // namespace
}  // namespace forewarp::tests
