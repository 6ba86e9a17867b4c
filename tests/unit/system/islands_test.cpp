// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "system/description/expansion.h"
#include "system/description/system_reader.h"
#include "system/engine/ring_plan.h"

namespace forewarp::tests {
namespace {

System cluster(const std::string& nodes, const std::string& gpus) {
  const auto text = parse_system("[[cluster]]\nname = 'c'\nnodes = " + nodes + "\ngpus = " + gpus +
                                     "\nhost = {}\ngpu = {}\ngpu_link = { gbs = 1 }\n"
                                     "network = { gbs = 1 }\n",
                                 "c.toml");
  EXPECT_TRUE(text);
  return *expanded(*text);
}

std::vector<std::size_t> gpus_of(const System& system) {
  std::vector<std::size_t> units;
  for (std::size_t i = 0; i < system.components.size(); ++i) {
    if (system.components[i].kind == ComponentKind::gpu) units.push_back(i);
  }
  return units;
}

TEST(IslandsTest, NodesAreIslands) {
  const System system = cluster("3", "2");
  const Islands found = islands_of(system, gpus_of(system), {0, 1, 2, 3, 4, 5});
  using Ranks = std::vector<Islands::Ranks>;
  EXPECT_EQ(found.islands, (Ranks{{0, 1}, {2, 3}, {4, 5}}));
  EXPECT_EQ(found.positions, (Ranks{{0, 2, 4}, {1, 3, 5}}));
  EXPECT_EQ(found.places[3], (std::pair<std::uint32_t, std::uint32_t>(1, 1)));
}

TEST(IslandsTest, UnevenIslandsAreNamed) {
  const System system = cluster("2", "2");
  const Islands found = islands_of(system, gpus_of(system), {0, 1, 2});
  EXPECT_EQ(found.uneven, "2 with c.node.0.gpu.0 and 1 with c.node.1.gpu.0");
  EXPECT_TRUE(found.positions.empty());
}

}  // namespace
}  // namespace forewarp::tests
