// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Networks that [[cluster]] makes, seen as the ways between nodes.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "system/description/expansion.h"
#include "system/description/system_reader.h"
#include "system/engine/routes.h"

namespace forewarp::tests {
namespace {

std::string cluster(std::uint32_t nodes, const std::string& network) {
  return "[[cluster]]\nname = 'c'\nhost = {}\nnetwork = { gbs = 10, latency_us = 1 }\nnodes = " +
         std::to_string(nodes) + '\n' + network + '\n';
}

System made(std::uint32_t nodes, const std::string& network) {
  const auto text = parse_system(cluster(nodes, network), "system.toml");
  EXPECT_TRUE(text) << text.error().line();
  auto system = expanded(*text);
  EXPECT_TRUE(system) << system.error().line();
  return *std::move(system);
}

std::string refused(std::uint32_t nodes, const std::string& network) {
  const auto text = parse_system(cluster(nodes, network), "system.toml");
  EXPECT_FALSE(text);
  return text ? "" : text.error().line();
}

std::size_t unit(const System& system, const std::string& name) {
  const auto found =
      std::find_if(system.components.begin(), system.components.end(),
                   [&](const Component& component) { return component.name == name; });
  EXPECT_NE(found, system.components.end()) << name;
  return static_cast<std::size_t>(found - system.components.begin());
}

/// Links between routers on the way from one node to another.
std::size_t hops(const System& system, const std::string& from, const std::string& to) {
  const auto links = Routes(system).between(unit(system, from), unit(system, to));
  return links.size() - 2;  // without those of the two nodes
}

TEST(NetworksTest, ATorusIsClosedInEachDimension) {  // 4 x 3: 12 links in each, 12 of nodes
  const System system = made(12, "torus = [4, 3]");
  EXPECT_EQ(system.connections.size(), 24U + 12U);
  const auto node = [](int i) { return "c.router." + std::to_string(i) + ".node.host"; };
  EXPECT_EQ(hops(system, node(0), node(1)), 1U);
  EXPECT_EQ(hops(system, node(0), node(3)), 1U);  // around
  EXPECT_EQ(hops(system, node(0), node(8)), 1U);  // around in the second dimension
  EXPECT_EQ(hops(system, node(0), node(6)), 3U);  // 2 and 1
}

TEST(NetworksTest, TwoRoutersInADimensionHaveOneLink) {  // 2 x 2 x 2: 4 links in each
  const System system = made(16, "torus = [2, 2, 2]\nrouter_link = { gbs = 5 }");
  EXPECT_EQ(system.connections.size(), 12U + 16U);
  EXPECT_EQ(hops(system, "c.router.0.node.1.host", "c.router.7.node.0.host"), 3U);
  EXPECT_DOUBLE_EQ(system.connections.back().there.bytes_per_s, 5e9);
}

TEST(NetworksTest, ADragonflyJoinsAllGroups) {  // 3 links in each of 4 groups, 6 between them
  const System system =
      made(24, "dragonfly = { groups = 4, routers = 3 }\nglobal_link = { gbs = 2 }");
  EXPECT_EQ(system.connections.size(), 12U + 6U + 24U);
  const auto node = [](int group, int router) {
    return "c.group." + std::to_string(group) + ".router." + std::to_string(router) +
           ".node.0.host";
  };
  EXPECT_EQ(hops(system, node(0, 0), node(0, 2)), 1U);
  EXPECT_EQ(hops(system, node(0, 0), node(1, 0)), 1U);  // the first link of both
  EXPECT_EQ(hops(system, node(0, 1), node(1, 2)), 3U);  // to it, over it, and on
  EXPECT_DOUBLE_EQ(system.connections.back().there.bytes_per_s, 2e9);
}

TEST(NetworksTest, RefusesWhatDoesNotFit) {
  EXPECT_NE(refused(10, "torus = [4, 3]").find("10 nodes on 12 routers; expected a multiple"),
            std::string::npos);
  EXPECT_NE(refused(7, "dragonfly = { groups = 2, routers = 2 }").find("7 nodes on 4 routers"),
            std::string::npos);
  EXPECT_NE(refused(4, "torus = [4]\ndragonfly = { groups = 2, routers = 2 }")
                .find("has more than one network; expected one of leaf_nodes"),
            std::string::npos);
  EXPECT_NE(refused(4, "torus = [4]\nglobal_link = { gbs = 1 }").find("expected dragonfly"),
            std::string::npos);
  EXPECT_NE(refused(4, "router_link = { gbs = 1 }").find("expected torus or dragonfly"),
            std::string::npos);
  EXPECT_NE(refused(4, "torus = [1, 4]").find("expected 2 to 100000"), std::string::npos);
  EXPECT_NE(refused(4, "torus = []").find("in each of 1 to 6 dimensions"), std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
