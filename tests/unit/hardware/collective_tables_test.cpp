// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/collective_tables.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "test_paths.h"

namespace forewarp::tests {
namespace {

std::string changed(const std::string& from, const std::string& to) {
  std::ifstream file(std::string(FOREWARP_DATA_DIR) + "/collectives/nccl.toml");
  std::ostringstream text;
  text << file.rdbuf();
  std::string whole = text.str();
  whole.replace(whole.find(from), from.size(), to);
  return whole;
}

std::string fault(const std::string& from, const std::string& to) {
  const auto tables = parse_collective_tables(changed(from, to), "t.toml");
  if (tables) return "read";
  const std::string line = tables.error().line();
  return line.substr(line.find(' ') + 1);
}

TEST(CollectiveTables, AreReadWithTheirSources) {
  const auto tables = load_collective_tables(FOREWARP_DATA_DIR, "nccl");
  ASSERT_TRUE(tables) << tables.error().line();
  EXPECT_EQ(tables->name, "NCCL");
  EXPECT_EQ(tables->ring_step[1][2], 5.7);
  EXPECT_EQ(tables->ll_cap[2][0], 19.0);
  EXPECT_EQ(tables->tree_correction[0].size(), 24U);
  EXPECT_EQ(tables->reached[0][1].confidence, Confidence::measured);
  EXPECT_EQ(tables->reached[0][0].confidence, Confidence::assumed);         // Volta over NVLink
  EXPECT_EQ(tables->reached[0][3].latency, tables->reached[0][2].latency);  // Blackwell as Hopper
}

TEST(CollectiveTables, Generations) {
  EXPECT_EQ(collective_generation(70), 0U);
  EXPECT_EQ(collective_generation(80), 1U);
  EXPECT_EQ(collective_generation(89), 1U);
  EXPECT_EQ(collective_generation(90), 2U);
  EXPECT_EQ(collective_generation(121), 3U);
}

TEST(CollectiveTables, RefuseWhatIsNotThem) {
  EXPECT_EQ(fault("ring = { value = [6.6, 14.0, 8.4]", "ring = { value = [6.6, 14.0]"),
            "'startup.ring' is 2 numbers; expected 3 numbers; see docs/collectives.md");
  EXPECT_EQ(fault("post = {", "posts = {"),
            "'step.network.post' is missing; expected a number in us; see docs/collectives.md");
  EXPECT_EQ(fault("[send]",
                  "[more]\n_source = \"x\"\n_confidence = \"assumed\"\n"
                  "odd = { value = 1, unit = \"1\" }\n[send]"),
            "no number of collectives is named 'more.odd'; expected "
            "cap.ll or share.nvls or share.ring; see docs/collectives.md");
  EXPECT_EQ(
      fault("plateau = { value = 1.4, unit = \"1\"", "plateau = { value = 1.4, unit = \"us\""),
      "'step.network.plateau' is 'us'; expected 1; see docs/collectives.md");
}

}  // namespace
}  // namespace forewarp::tests
