// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/peer_link.h"

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

TEST(PeerLink, BoardsWithALinkOfTheirOwnHaveItsWidest) {
  const HardwareDatabase database(FOREWARP_DATA_DIR);
  const LinkDatabase links(FOREWARP_DATA_DIR);
  const auto board = database.load("a100-sxm-40");
  ASSERT_TRUE(board);
  const auto link = hardware::peer_link(links, *board);
  ASSERT_TRUE(link.has_value());
  EXPECT_EQ(link->id, "nvlink-3-x12");
  EXPECT_DOUBLE_EQ(link->theory_gbs, 12 * 25);  // one direction of 600 GB/s
  const auto other = database.load("rtx4090");
  ASSERT_TRUE(other);
  EXPECT_FALSE(hardware::peer_link(links, *other).has_value());
}

}  // namespace
}  // namespace forewarp::tests
