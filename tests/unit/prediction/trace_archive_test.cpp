// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What is kept of an executed launch on disk.
#include "prediction/trace_archive.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

ArchivedLaunch archived_launch() {
  ArchivedLaunch made;
  PathProfile& paths = made.profile.executed.paths;
  paths.instructions = {{1.5, 2, 3}, {4, 5, 6}};
  paths.branches[1] = {1, 2, 3, 4};
  paths.loops.push_back({2, {{10, 1.5}}});
  paths.groups.push_back({7, 8, 9, 10, 11});
  paths.cut = Diagnostic{"k 0x10", "found", "expected", "way out"};
  paths.assumed = {1, 2};
  made.profile.executed.plan = plan_middles({9, 1, 1});
  made.profile.zeroed = {"a"};
  WarpTrace trace;
  trace.steps.emplace_back();
  trace.steps[0].body.emplace_back().jumps = true;
  made.profile.typical.push_back(trace);
  made.memory.instructions[5].sectors = 12;
  made.memory.dram_read_bytes = 1e9;
  made.memory.notes = {"note"};
  return made;
}

TEST(TraceArchive, WhatIsPackedIsUnpackedBitForBit) {
  const std::string packed = pack_launch(archived_launch());
  const auto found = unpack_launch(packed);
  ASSERT_TRUE(found);
  EXPECT_EQ(pack_launch(*found), packed);
  EXPECT_EQ(found->memory.instructions.at(5).sectors, 12);
  EXPECT_EQ(found->profile.executed.paths.cut->way_out, "way out");
  EXPECT_TRUE(found->profile.typical[0].steps[0].body[0].jumps);
}

TEST(TraceArchive, ATruncatedOneIsNone) {
  const std::string body = pack_launch(archived_launch());
  for (std::size_t size = 0; size < body.size(); ++size) {
    EXPECT_FALSE(unpack_launch(std::string_view(body).substr(0, size))) << size;
  }
  EXPECT_FALSE(unpack_launch(body + "x"));
}

}  // namespace
}  // namespace forewarp::tests
