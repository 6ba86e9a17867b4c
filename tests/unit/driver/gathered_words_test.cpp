// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// a[i] = b[c[i]] for random c, of which the whole grid is executed: at its beginning no word comes
// again, over the whole grid half of b does.
#include <string>

#include "memory/memory_profile.h"
#include "prediction/trace.h"
#include "request/argument_text.h"
#include "saxpy2_case.h"

namespace forewarp::tests {
namespace {

Case gathered_words(std::uint64_t words, std::uint64_t table) {
  Case request;
  request.input = std::string(FOREWARP_SOURCE_DIR) + "/validation/kernels/permutation.sass";
  request.gpu = "gtx980";
  request.launch.grid = {static_cast<std::uint32_t>(words / 256), 1, 1};
  request.launch.block = {256, 1, 1};
  for (const char* argument : {"0=buffer:4194304", "1=buffer:", "2=buffer:4194304:random:1:0:"}) {
    std::string text = argument;
    if (text.back() == ':') text += std::to_string(text[0] == '1' ? 4 * table : table - 1);
    const auto parsed = request::parse_argument(text);
    EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().line());
    if (parsed) request.launch.arguments.push_back(*parsed);
  }
  return request;
}

using GatheredWords = EvaluatedLaunches;

TEST_F(GatheredWords, AreLookedAtLongerThanStreams) {
  const Case request = gathered_words(1 << 20, 1 << 20);
  PredictOptions longer;
  longer.budget_seconds = 5;
  const Evaluation usual = must(request), longest = must(request, longer);
  ASSERT_TRUE(usual.trace && longest.trace);
  const memory::MemoryProfile &memory = *usual.trace->memory, &all = *longest.trace->memory;
  EXPECT_GT(memory.l2_hit_rate, 0.1);
  EXPECT_NEAR(memory.l2_hit_rate, all.l2_hit_rate, 0.02);
  EXPECT_NEAR(memory.dram_read_bytes / all.dram_read_bytes, 1, 0.03);
}

}  // namespace
}  // namespace forewarp::tests
