// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/transfer/host_copy.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

/// 10 GB/s in theory, half of it reached; the measured host did 8 GB/s in pieces of 1000 bytes.
Link link_of_others() {
  Link link;
  link.theory_gbs = 10;
  for (auto& by_memory : link.paths) {
    for (CopyPath& path : by_memory) path = {2, 0.5, 0.25};
  }
  link.paths[1][0].share = 0.4;  // pageable, to the host
  link.host_gbs = 8;
  link.piece_bytes = 1000;
  return link;
}

Host nobody() {
  Host host;
  host.first_touch_gbs = 4;
  return host;
}

Host slow() {
  Host host = nobody();
  host.paths = {HostPath{2, 3}, HostPath{1, 0}};
  return host;
}

double us(const Host& host, CopyDirection direction, HostSide side, double bytes) {
  return copy_time(link_of_others(), host, {direction, side, bytes}).us;
}

TEST(HostCopy, OnAHostThatNobodyDescribedItIsTheLinksOwn) {
  // 2 + 5000 / 5e3 + 1000 / 8e3; the other way 2 + 5000 / 4e3 + 1000 / 8e3
  EXPECT_DOUBLE_EQ(us(nobody(), CopyDirection::to_device, HostSide::pageable, 5000), 3.125);
  EXPECT_DOUBLE_EQ(us(nobody(), CopyDirection::to_host, HostSide::pageable, 5000), 3.375);
  EXPECT_DOUBLE_EQ(us(nobody(), CopyDirection::to_host, HostSide::pageable, 0), 0.25);
}

TEST(HostCopy, ADescribedHostSetsThePaceWhereItIsSlower) {
  // the link reaches 10 * 0.5 = 5 GB/s: 3 + 5000 / 2e3 + 1000 / 5e3
  EXPECT_DOUBLE_EQ(us(slow(), CopyDirection::to_device, HostSide::pageable, 5000), 3 + 2.5 + 0.2);
  // its start-up is the link's: 2 + 5000 / 1e3 + 1000 / 5e3
  EXPECT_DOUBLE_EQ(us(slow(), CopyDirection::to_host, HostSide::pageable, 5000), 2 + 5 + 0.2);
  Host fast = slow();
  fast.paths[0].gbs = 20;  // 3 + 5000 / 5e3 + 1000 / 20e3
  EXPECT_DOUBLE_EQ(us(fast, CopyDirection::to_device, HostSide::pageable, 5000), 3 + 1 + 0.05);
  fast.piece_bytes = 100;  // of its own driver
  EXPECT_DOUBLE_EQ(us(fast, CopyDirection::to_device, HostSide::pageable, 5000), 3 + 1 + 0.005);
}

TEST(HostCopy, UntouchedMemoryCostsTheHostItsPages) {
  // 1 / (1 / 1 + 1 / 4) = 0.8 GB/s: 2 + 5000 / 800 + 1000 / 5e3
  EXPECT_DOUBLE_EQ(us(slow(), CopyDirection::to_host, HostSide::untouched, 5000), 2 + 6.25 + 0.2);
  // 1 / (1 / 8 + 1 / 4) = 8 / 3 GB/s, below the link's 4: 2 + 1.875 + 1000 / 4e3
  EXPECT_DOUBLE_EQ(us(nobody(), CopyDirection::to_host, HostSide::untouched, 5000),
                   2 + 1.875 + 0.25);
  Link single = link_of_others();
  single.piece_bytes = 0;  // one stage: 1 / (1 / 4 + 1 / 4) = 2 GB/s
  const HostCopy copy{CopyDirection::to_host, HostSide::untouched, 5000};
  EXPECT_DOUBLE_EQ(copy_time(single, nobody(), copy).us, 2 + 2.5);
}

TEST(HostCopy, PinnedMemoryIsTheLinksAlone) {
  EXPECT_DOUBLE_EQ(us(slow(), CopyDirection::to_device, HostSide::pinned, 5000), 3);
  EXPECT_DOUBLE_EQ(steady_gbs(link_of_others(), slow(), CopyDirection::to_device, HostSide::pinned),
                   5);
  EXPECT_DOUBLE_EQ(steady_gbs(link_of_others(), slow(), CopyDirection::to_host, HostSide::pageable),
                   1);
}

TEST(HostCopy, NamesOfMemoryReadBack) {
  EXPECT_EQ(host_side_named("untouched"), HostSide::untouched);
  EXPECT_EQ(host_side_named("pinned"), HostSide::pinned);
  EXPECT_FALSE(host_side_named("paged"));
}

}  // namespace
}  // namespace forewarp::tests
