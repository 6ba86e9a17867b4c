// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/reached_bandwidth.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

Fact fact(const char* source, const char* file) {
  Fact made;
  made.source = source;
  made.file = file;
  return made;
}

/// A board of 1000 GB/s that reaches 0.9 of them, as its kind of memory does.
Gpu board() {
  Gpu gpu;
  gpu.file = "gpus/mine.toml";
  gpu.memory.theory_gbs = 1000;
  gpu.memory.mixed_share = 0.9;
  gpu.facts["memory.mixed_share"] = fact("others", "memory/kind.toml");
  return gpu;
}

Fact own(const char* source) {
  return fact(source, "gpus/mine.toml");
}

std::string told(const Gpu& gpu) {
  const ReachedBandwidth reached = reached_bandwidth(gpu);
  EXPECT_DOUBLE_EQ(reached.gbs, 900);
  return std::string(basis_name(reached.basis)) + ": " + reached.source +
         (reached.own() ? "" : " (not its own)");
}

TEST(ReachedBandwidth, WhatWasMeasuredOnTheBoardStandsBeforeItsKind) {
  Gpu gpu = board();
  EXPECT_EQ(told(gpu), "class: others (not its own)");
  gpu.facts["memory.read_share"] = own("reads here");
  EXPECT_EQ(told(gpu), "reads: reads here");
  gpu.facts["memory.lattice_share"] = own("a lattice code here");
  EXPECT_EQ(told(gpu), "lattice: a lattice code here");
  gpu.facts["memory.mixed_share"] = own("copies here");
  EXPECT_EQ(told(gpu), "copies: copies here");
}

TEST(ReachedBandwidth, WhatTheUserSetsIsSaidAsSuch) {
  Gpu gpu = board();
  gpu.facts["memory.lattice_share"] = own("a lattice code here");
  gpu.facts["memory.mixed_share"] = fact("--set", "--set");
  EXPECT_EQ(told(gpu), "--set: --set");
}

}  // namespace
}  // namespace forewarp::tests
