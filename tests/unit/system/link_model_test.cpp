// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/description/link_model.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "test_paths.h"

namespace forewarp::tests {
namespace {

/// A host and a GPU with one link between them; `described`: 5 GB/s inward, 4 outward.
System pair(bool described) {
  System system;
  system.components.resize(2);
  system.components[1].kind = ComponentKind::gpu;
  auto host = std::make_shared<Host>();
  host->first_touch_gbs = 4;
  if (described) host->paths = {HostPath{5, 3}, HostPath{4, 2}};
  system.components[0].host = host;
  Connection link;
  link.to = 1;
  link.hardware = "pcie-3-x16";
  system.connections = {link};
  return system;
}

LinkModel model(const System& system) {
  const LinkDatabase links{FOREWARP_DATA_DIR};
  auto built = LinkModel::build(system.connections[0], system, links);
  EXPECT_TRUE(built) << built.error().line();
  return *std::move(built);
}

TEST(LinkModel, CopiesTakeTheirHostsRate) {
  const LinkModel link = model(pair(true));
  EXPECT_DOUBLE_EQ(link.copy(true, HostSide::pageable, 1e9).bytes_per_s, 5e9);
  EXPECT_DOUBLE_EQ(link.copy(false, HostSide::pageable, 1e9).bytes_per_s, 4e9);
  // 1 / (1 / 4 + 1 / 4)
  EXPECT_DOUBLE_EQ(link.copy(false, HostSide::untouched, 1e9).bytes_per_s, 2e9);
  EXPECT_TRUE(link.assumed(true, HostSide::pageable).empty());
}

TEST(LinkModel, EndsMayStandInEitherOrder) {
  System turned = pair(true);
  std::swap(turned.components[0], turned.components[1]);
  EXPECT_DOUBLE_EQ(model(turned).copy(true, HostSide::pageable, 1e9).bytes_per_s, 4e9);
  EXPECT_DOUBLE_EQ(model(turned).copy(false, HostSide::pageable, 1e9).bytes_per_s, 5e9);
}

TEST(LinkModel, AnUndescribedHostIsAnAssumption) {
  const LinkModel link = model(pair(false));
  const auto said = link.assumed(true, HostSide::pageable);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].find("as on the host where pcie-3-x16 was measured"), std::string::npos);
  EXPECT_EQ(link.assumed(false, HostSide::untouched).size(), 2U);
  EXPECT_TRUE(link.assumed(true, HostSide::pinned).empty());
  System same = pair(false);
  auto own = std::make_shared<Host>(*same.components[0].host);
  own->copies_of = "pcie-3-x16";
  same.components[0].host = own;
  EXPECT_TRUE(model(same).assumed(true, HostSide::pageable).empty());
}

TEST(LinkModel, ALinkMayFixItsMemory) {
  System pinned = pair(true);
  pinned.connections[0].memory = HostMemory::pinned;
  const LinkModel link = model(pinned);
  EXPECT_GT(link.copy(true, HostSide::pageable, 1e9).bytes_per_s, 1e10);
  EXPECT_TRUE(link.assumed(true, HostSide::untouched).empty());
  System pageable = pair(true);
  pageable.connections[0].memory = HostMemory::pageable;
  EXPECT_DOUBLE_EQ(model(pageable).message_rate(true), 5e9);
  EXPECT_DOUBLE_EQ(model(pageable).latency_s(true), 3e-6);
}

TEST(LinkModel, StatedNumbersNeedNoHost) {
  System stated = pair(true);
  stated.connections[0].hardware.clear();
  stated.connections[0].there = stated.connections[0].back = {1e-6, 8e9};
  const LinkModel link = model(stated);
  EXPECT_DOUBLE_EQ(link.copy(true, HostSide::pageable, 1).bytes_per_s, 8e9);
  // 1 / (1 / 8 + 1 / 4)
  EXPECT_DOUBLE_EQ(link.copy(false, HostSide::untouched, 1).bytes_per_s, 8e9 / 3);
}

}  // namespace
}  // namespace forewarp::tests
