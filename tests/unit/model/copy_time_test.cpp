// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/transfer/copy_time.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

/// 10 GB/s in theory, half of it reached; a host of 8 GB/s that stages 1000 bytes first.
Link toy() {
  Link link;
  link.theory_gbs = 10;
  for (auto& by_memory : link.paths) {
    for (CopyPath& path : by_memory) path = {2, 0.5, 0.25};
  }
  link.host_gbs = 8;
  link.piece_bytes = 1000;
  return link;
}

CopyTime time(const Link& link, double bytes, CopyModel model = CopyModel::automatic,
              HostMemory memory = HostMemory::pageable) {
  return copy_time(link, CopyDirection::to_device, memory, bytes, model);
}

TEST(CopyTime, LinearIsStartupAndBytesOverReachedBandwidth) {
  // 2 us + 5000 B / (10 GB/s * 0.5) = 2 + 1
  const CopyTime linear = time(toy(), 5000, CopyModel::linear);
  EXPECT_DOUBLE_EQ(linear.us, 3);
  EXPECT_DOUBLE_EQ(linear.staging_us, 0);
  EXPECT_EQ(linear.model, CopyModel::linear);
}

// Gajger 2017: nothing takes a time of its own, 0.25 us here; eq. 5.5 has no case for it.
TEST(CopyTime, ZeroBytes) {
  EXPECT_DOUBLE_EQ(time(toy(), 0).us, 0.25);
  EXPECT_DOUBLE_EQ(time(toy(), 0, CopyModel::linear).us, 2);
}

TEST(CopyTime, TheFirstPieceOfPageableDataIsNotHidden) {
  // 2 + 5000 / 5e3 + min(5000, 1000) / 8e3
  const CopyTime staged = time(toy(), 5000);
  EXPECT_DOUBLE_EQ(staged.us, 2 + 1 + 0.125);
  EXPECT_EQ(staged.model, CopyModel::staging);
  // 2 + 400 / 5e3 + 400 / 8e3: all of it is the first piece
  EXPECT_DOUBLE_EQ(time(toy(), 400).us, 2 + 0.08 + 0.05);
}

TEST(CopyTime, TheSlowerOfHostAndLinkSetsThePace) {
  Link link = toy();
  link.theory_gbs = 100;  // 50 GB/s reached, the host copies 8
  // the last piece goes over the link alone: 1000 / 50e3
  EXPECT_DOUBLE_EQ(time(link, 80000).us, 2 + 10 + 0.02);
  EXPECT_DOUBLE_EQ(steady_gbs(link, CopyDirection::to_host, HostMemory::pageable), 8);
  EXPECT_DOUBLE_EQ(steady_gbs(link, CopyDirection::to_host, HostMemory::pinned), 50);
}

TEST(CopyTime, PinnedMemoryIsNotStaged) {
  const CopyTime pinned = time(toy(), 5000, CopyModel::automatic, HostMemory::pinned);
  EXPECT_DOUBLE_EQ(pinned.us, 3);
  EXPECT_EQ(time(toy(), 5000, CopyModel::staging, HostMemory::pinned).model, CopyModel::linear);
}

TEST(CopyTime, WithoutNumbersOfStagingItIsLinear) {
  Link link = toy();
  link.piece_bytes = 0;
  EXPECT_EQ(time(link, 5000, CopyModel::staging).model, CopyModel::linear);
  EXPECT_DOUBLE_EQ(time(link, 5000).us, 3);
}

TEST(CopyTime, NamesOfModelsReadBack) {
  for (const CopyModel model : {CopyModel::automatic, CopyModel::linear, CopyModel::staging}) {
    EXPECT_EQ(copy_model_named(copy_model_name(model)), model);
  }
  EXPECT_FALSE(copy_model_named("square"));
}

}  // namespace
}  // namespace forewarp::tests
