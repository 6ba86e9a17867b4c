// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/engine/routes.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using Links = std::vector<std::size_t>;

System units(std::size_t count, const std::vector<std::array<std::size_t, 3>>& links) {
  System system;
  system.components.resize(count);
  for (const auto& [from, to, hops] : links) {
    Connection connection;
    connection.from = from;
    connection.to = to;
    connection.hops = static_cast<std::uint32_t>(hops);
    system.connections.push_back(connection);
  }
  return system;
}

TEST(RoutesTest, LinksAreNamedByTheirDirection) {  // 0 - 1 - 2
  const System system = units(3, {{0, 1, 1}, {2, 1, 1}});
  const Routes ways(system);
  EXPECT_EQ(ways.between(0, 2), (Links{0, 3}));
  EXPECT_EQ(ways.between(2, 0), (Links{2, 1}));
  EXPECT_EQ(ways.between(1, 1), Links{});
}

TEST(RoutesTest, HopsDecideNotLinks) {  // 3 hops over one link, 2 over two
  const System system = units(3, {{0, 1, 3}, {0, 2, 1}, {2, 1, 1}});
  EXPECT_EQ(Routes(system).between(0, 1), (Links{2, 4}));
}

TEST(RoutesTest, OfEqualWaysTheFirstUnitDecides) {  // over 2 or over 3, whose links stand first
  const System system = units(4, {{0, 3, 1}, {3, 1, 1}, {0, 2, 1}, {2, 1, 1}});
  EXPECT_EQ(Routes(system).between(0, 1), (Links{4, 6}));
}

TEST(RoutesTest, NothingLeadsToAnotherPart) {
  const System system = units(4, {{0, 1, 1}, {2, 3, 1}});
  const Routes ways(system);
  EXPECT_EQ(ways.between(0, 3), Links{});
  EXPECT_EQ(ways.neighbours(3).size(), 1U);
  EXPECT_FALSE(ways.neighbours(3)[0].there);
}

}  // namespace
}  // namespace forewarp::tests
