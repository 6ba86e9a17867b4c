// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/access/edited_streams.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

constexpr std::uint32_t gone = StreamEdit::gone;

AccessShape shape(std::uint32_t instruction, MemorySpace space, std::int64_t stride) {
  AccessShape made;
  made.instruction = instruction;
  made.space = space;
  made.lanes = 0b111;
  made.stride = stride;
  return made;
}

/// Two warps of one block: each loads (0) and stores (2) three words; shared memory (1) is tallied.
AccessStreams streams() {
  AccessStreams made;
  made.grid = {1, 1, 1};
  made.hints = {CacheHint::read_only, CacheHint::usual, CacheHint::shared};
  made.shapes = {shape(0, MemorySpace::global, 8), shape(2, MemorySpace::global, 4),
                 shape(1, MemorySpace::shared, 128)};
  made.paths = {{0, 1}};
  made.tallies = {{{2, 0, 5}, {2, 512, 7}}};
  made.bases = {1000, 2000, 1024, 2012};
  made.warps = {{0, 0}, {0, 2}};
  made.blocks = {{0, 0, 0, 2, 1}};
  made.buffers = {{1000, 64}};
  return made;
}

std::vector<std::int64_t> offsets(const AccessStreams& all, std::uint32_t shape) {
  std::array<std::int64_t, lane_count> out{};
  const std::size_t count = all.lane_offsets(all.shapes[shape], out);
  return {out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count)};
}

using Offsets = std::vector<std::int64_t>;

TEST(EditedStreams, WithoutAChangeAreTheSame) {
  const AccessStreams after = edited_streams(streams(), {{0, 1, 2}, {false, false, false}, {}});
  EXPECT_EQ(after.bases, streams().bases);
  ASSERT_EQ(after.paths.size(), 1U);
  ASSERT_EQ(after.paths[0].size(), 2U);
  EXPECT_EQ(offsets(after, after.paths[0][0]), (Offsets{0, 8, 16}));
  EXPECT_EQ(offsets(after, after.paths[0][1]), (Offsets{0, 4, 8}));
  EXPECT_EQ(after.tallies[0].size(), 2U);
  EXPECT_EQ(after.buffers.size(), 1U);
  EXPECT_EQ(after.blocks[0].warp_count, 2U);
}

TEST(EditedStreams, LeaveOutWhatIsGoneAndNumberTheRestAnew) {
  const AccessStreams after = edited_streams(streams(), {{gone, 0, 1}, {false, false, false}, {}});
  EXPECT_EQ(after.hints, (std::vector{CacheHint::usual, CacheHint::shared}));
  EXPECT_EQ(after.bases, (std::vector<std::uint64_t>{2000, 2012}));
  ASSERT_EQ(after.paths[0].size(), 1U);
  EXPECT_EQ(after.shapes[after.paths[0][0]].instruction, 1U);
  EXPECT_EQ(after.shapes[after.tallies[0][0].shape].instruction, 0U);
}

// Lanes 8 bytes apart from 1000 and 1024 on become lanes 4 bytes apart, from 500 and 512 on.
TEST(EditedStreams, ChangeAddressesOfTheInstructionsThatAreNamed) {
  const auto halve = [](AccessShape& access, std::span<std::uint64_t> addresses) {
    access.bytes = 8;
    for (std::uint64_t& address : addresses) address /= 2;
  };
  const AccessStreams after = edited_streams(streams(), {{0, 1, 2}, {true, false, false}, halve});
  EXPECT_EQ(after.bases, (std::vector<std::uint64_t>{500, 2000, 512, 2012}));
  EXPECT_EQ(offsets(after, after.paths[0][0]), (Offsets{0, 4, 8}));
  EXPECT_EQ(after.shapes[after.paths[0][0]].bytes, 8);
  EXPECT_EQ(after.shapes[after.paths[0][1]].bytes, 4);
  EXPECT_EQ(after.paths.size(), 1U);  // both warps still go alike
}

// Addresses 0, 128, 256 and 512, 640, 768 with 4 bytes more for each 128: 0, 132, 264 and, modulo
// 1024, 528, 660, 792: one shape at two places.
TEST(EditedStreams, ChangeTalliesByTheirPhase) {
  const auto pad = [](AccessShape&, std::span<std::uint64_t> addresses) {
    for (std::uint64_t& address : addresses) address += address / 128 * 4;
  };
  const AccessStreams after = edited_streams(streams(), {{0, 1, 2}, {false, true, false}, pad});
  ASSERT_EQ(after.tallies[0].size(), 2U);
  EXPECT_EQ(offsets(after, after.tallies[0][0].shape), (Offsets{0, 132, 264}));
  EXPECT_EQ(after.tallies[0][0].phase, 0U);
  EXPECT_EQ(after.tallies[0][0].times, 5U);
  EXPECT_EQ(after.tallies[0][1].shape, after.tallies[0][0].shape);
  EXPECT_EQ(after.tallies[0][1].phase, 528U);
  EXPECT_EQ(after.tallies[0][1].times, 7U);
}

TEST(EditedStreams, KeepOffsetsBeyond32Bits) {
  const auto spread = [](AccessShape&, std::span<std::uint64_t> addresses) {
    addresses[2] += std::uint64_t{1} << 40;
  };
  const AccessStreams after = edited_streams(streams(), {{0, 1, 2}, {true, false, false}, spread});
  EXPECT_EQ(offsets(after, after.paths[0][0]), (Offsets{0, 8, 16 + (std::int64_t{1} << 40)}));
}

}  // namespace
}  // namespace forewarp::tests
