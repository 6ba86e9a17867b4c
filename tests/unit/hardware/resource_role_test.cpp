// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/resource_role.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

TEST(ResourceRole, NamesAndRolesBelongToEachOther) {
  for (const ResourceName& row : resource_names) {
    EXPECT_EQ(role_of_resource(row.name), row.role) << row.name;
    EXPECT_EQ(resource_name(row.role).name, row.name);
    EXPECT_FALSE(row.label.empty()) << row.name;
  }
}

TEST(ResourceRole, EachRoleButUnitHasAName) {
  for (int role = 1; role <= static_cast<int>(ResourceRole::device_memory); ++role) {
    EXPECT_FALSE(resource_name(static_cast<ResourceRole>(role)).name.empty()) << role;
  }
  EXPECT_EQ(resource_name(ResourceRole::unit).name, "");
}

TEST(ResourceRole, BanksAreRegistersAndOtherNamesUnits) {
  EXPECT_EQ(role_of_resource("registers3"), ResourceRole::registers);
  EXPECT_EQ(role_of_resource("dram"), ResourceRole::device_memory);
  EXPECT_EQ(role_of_resource("fma"), ResourceRole::unit);
  EXPECT_EQ(role_of_resource("link"), ResourceRole::unit);
  EXPECT_EQ(role_of_resource("l1_"), ResourceRole::unit);
  EXPECT_EQ(role_of_resource("dram2"), ResourceRole::unit) << "only banks have numbers";
  EXPECT_EQ(role_of_resource(""), ResourceRole::unit);
}

}  // namespace
}  // namespace forewarp::tests
