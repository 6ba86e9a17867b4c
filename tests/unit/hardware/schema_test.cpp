// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/schema.h"

#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

Gpu board(const std::vector<FactOverride>& overrides = {}) {
  return *HardwareDatabase(FOREWARP_DATA_DIR).load("gtx980", overrides);
}

TEST(Schema, EveryFieldHasOnePath) {
  for (const SchemaRow& row : schema()) {
    if (std::holds_alternative<std::monostate>(row.field)) continue;
    EXPECT_EQ(path_of(row.field), row.path) << "a field with two rows";
  }
  EXPECT_EQ(path_of(&Gpu::sms), "sm.count");
  EXPECT_EQ(path_of(&L2Facts::slice_bits), "l2.slice_bits");
  EXPECT_EQ(path_of(&Gpu::sfu_common), "sfu.common");
  EXPECT_EQ(path_of(GpuField{}), "") << "a row without a field is nobody's";
}

TEST(Schema, FieldsAreFilledFromTheirFacts) {
  const Gpu gpu = board({{"l2.slice_bits", "32"},
                         {"energy.fp32", "7"},
                         {"sfu.common", "1"},
                         {"queue.xu_entries", "3"}});
  EXPECT_EQ(gpu.l2.slice_bits, 32);
  EXPECT_TRUE(gpu.sfu_common);
  EXPECT_EQ(gpu.queue.xu_entries, 3);
  EXPECT_EQ(gpu.energy.classes.at("fp32"), 7);
  EXPECT_FALSE(gpu.energy.classes.contains("other")) << "it has a field";
  EXPECT_FALSE(gpu.energy.classes.contains("quiet_share")) << "it has a field";
}

TEST(Schema, FactsThatAreNotStatedKeepTheirDefaults) {
  const Gpu made;
  EXPECT_EQ(made.yield_cycles, 1);
  EXPECT_EQ(made.memory.local_share, 1);
  EXPECT_EQ(made.tensor.wide_sum_share, 1);
  EXPECT_EQ(made.tensor.warp_share, 1);
  EXPECT_EQ(made.energy.quiet_share, 1);
  EXPECT_EQ(made.l2.slice_bits, 0);
}

TEST(Schema, FactOfAFieldHasItsProvenance) {
  const Gpu gpu = board();
  const Fact* latency = fact_of(gpu, &MemoryFacts::latency);
  ASSERT_NE(latency, nullptr);
  EXPECT_EQ(latency, &gpu.facts.at("memory.latency_cycles"));
  EXPECT_EQ(latency->value, gpu.memory.latency);
  EXPECT_EQ(fact_of(Gpu{}, &MemoryFacts::latency), nullptr) << "no file states it";
}

TEST(Schema, ResultsNameClocksIssueLaunchAndMemory) {
  EXPECT_TRUE(shown_with_result("memory.theory_gbs"));
  EXPECT_TRUE(shown_with_result("l1.bytes"));
  EXPECT_TRUE(shown_with_result("sm.count"));
  EXPECT_FALSE(shown_with_result("limits.warp_lanes"));
  EXPECT_FALSE(shown_with_result("power.limit_w"));
  EXPECT_FALSE(shown_with_result("memory")) << "no path, but a group";
}

}  // namespace
}  // namespace forewarp::tests
