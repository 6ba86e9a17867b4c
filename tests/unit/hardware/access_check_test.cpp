// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/access_check.h"

#include <string>

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

Facts facts_with(const std::string& path, double value) {
  Facts facts;
  const auto put = [&facts](const std::string& name, double number) {
    facts[name].value = number;
    facts[name].file = "board.toml";
    facts[name].line = 7;
  };
  put("limits.warp_lanes", 32);
  put("cache.sector_bytes", 32);
  put("cache.line_bytes", 128);
  put("shared.banks", 32);
  put("shared.bank_bytes", 4);
  put("bank.lanes", 32);
  put("bank.word_bytes", 4);
  put(path, value);
  return facts;
}

std::string refusal(const std::string& path, double value) {
  const auto checked = check_access_facts(facts_with(path, value));
  return checked ? "" : checked.error().line();
}

TEST(AccessFacts, RealAndSmallMachinesAreAccepted) {
  EXPECT_EQ(refusal("cache.line_bytes", 128), "");
  EXPECT_EQ(refusal("cache.line_bytes", 32), "");   // one sector
  EXPECT_EQ(refusal("cache.line_bytes", 256), "");  // eight
  EXPECT_EQ(refusal("shared.bank_bytes", 8), "");
  EXPECT_EQ(refusal("shared.banks", 3), "");
  EXPECT_EQ(refusal("limits.warp_lanes", 4), "");
  EXPECT_TRUE(check_access_facts({}));
}

TEST(AccessFacts, WhatTheRulesCannotTakeIsRefusedByName) {
  EXPECT_EQ(refusal("limits.warp_lanes", 64),
            "board.toml:7: 'limits.warp_lanes' is 64; expected a whole number from 1 to 32");
  EXPECT_EQ(refusal("shared.banks", 16.5),
            "board.toml:7: 'shared.banks' is 16.5; expected a whole number from 1 to 32");
  EXPECT_EQ(refusal("bank.lanes", 0),
            "board.toml:7: 'bank.lanes' is 0; expected a whole number from 1 to 32");
  EXPECT_EQ(refusal("cache.sector_bytes", 48),
            "board.toml:7: 'cache.sector_bytes' is 48; expected a power of two from 4 to 64");
  EXPECT_EQ(refusal("cache.line_bytes", 16),
            "board.toml:7: 'cache.line_bytes' is 16; expected one to 8 times "
            "'cache.sector_bytes', 32");
  EXPECT_EQ(refusal("cache.line_bytes", 512),
            "board.toml:7: 'cache.line_bytes' is 512; expected one to 8 times "
            "'cache.sector_bytes', 32");
  EXPECT_EQ(refusal("bank.word_bytes", 8),
            "board.toml:7: 'shared.bank_bytes' is 4; expected one to 8 times 'bank.word_bytes', 8");
}

TEST(AccessFacts, AChangedNumberIsCheckedWhenAGpuIsLoaded) {
  const HardwareDatabase database(FOREWARP_DATA_DIR);
  const auto gpu = database.load("gtx480", {{"cache.sector_bytes", "0.5"}});
  ASSERT_FALSE(gpu);
  EXPECT_EQ(gpu.error().line(),
            "--set: 'cache.sector_bytes' is 0.5; expected a power of two from 4 to 64");
  EXPECT_TRUE(database.load("gtx480", {{"cache.sector_bytes", "16"}, {"shared.banks", "4"}}));
}

}  // namespace
}  // namespace forewarp::tests
