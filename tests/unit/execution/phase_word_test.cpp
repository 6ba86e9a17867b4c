// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Barriers that count arrivals and bytes, boxes of arrays, swizzles: by hand.
#include "execution/warp/phase_word.h"

#include <vector>

#include <gtest/gtest.h>

#include "execution/storage/tensor_map_bytes.h"
#include "execution/warp/box.h"

namespace forewarp::tests {
namespace {

// What the compiler writes for mbarrier.init with one and with two arrivals.
constexpr std::uint64_t of_one = 0x7ffff800001ffffe, of_two = 0x7ffff000001ffffc;

TEST(PhaseWord, ReadsWhatTheCompilerWrites) {
  EXPECT_EQ(PhaseWord(of_one, true).expected(), 1U);
  EXPECT_EQ(PhaseWord(of_one, true).missing(), 1U);
  EXPECT_EQ(PhaseWord(of_two, true).expected(), 2U);
  EXPECT_EQ(PhaseWord(of_two, true).missing(), 2U);
  EXPECT_EQ(PhaseWord(of_two, true).bytes(), 0);
  EXPECT_EQ(PhaseWord(of_two, true).phase(), 0U);
}

TEST(PhaseWord, ArrivalsTurnThePhase) {
  PhaseWord word(of_two, true);
  EXPECT_FALSE(word.apply(1, 0));
  EXPECT_EQ(word.missing(), 1U);
  EXPECT_TRUE(word.apply(1, 0));
  EXPECT_EQ(word.phase(), 1U);
  EXPECT_EQ(word.missing(), 2U);
  EXPECT_TRUE(word.apply(2, 0));
  EXPECT_EQ(word.word(), of_two);
}

// One arrival announces 96 bytes: 64 and 32 come; the phase turns with the last of them, once.
TEST(PhaseWord, BytesHoldThePhase) {
  PhaseWord word(of_one, true);
  EXPECT_FALSE(word.apply(1, 96));
  EXPECT_EQ(word.missing(), 0U);
  EXPECT_EQ(word.bytes(), 96);
  EXPECT_EQ(word.phase(), 0U);
  EXPECT_FALSE(word.apply(0, -64));
  EXPECT_TRUE(word.apply(0, -32));
  EXPECT_EQ(word.phase(), 1U);
  EXPECT_EQ(word.missing(), 1U);
}

// Bytes may come before they are announced.
TEST(PhaseWord, BytesMayComeFirst) {
  PhaseWord word(of_one, true);
  EXPECT_FALSE(word.apply(0, -64));
  EXPECT_EQ(word.bytes(), -64);
  EXPECT_TRUE(word.apply(1, 64));
}

// Who drops out is not awaited from the next phase on.
TEST(PhaseWord, DroppingOutLowersTheCount) {
  PhaseWord word(of_two, true);
  EXPECT_FALSE(word.apply(1, 0, 1));
  EXPECT_TRUE(word.apply(1, 0));
  EXPECT_EQ(word.expected(), 1U);
  EXPECT_TRUE(word.apply(1, 0));
}

// Before sm_90: the high word counts up from the low word plus 0x40000000.
TEST(PhaseWord, PlainLayout) {
  PhaseWord word(0x7ffffffe3ffffffe, false);
  EXPECT_EQ(word.missing(), 2U);
  EXPECT_EQ(word.expected(), 2U);
  EXPECT_FALSE(word.apply(1, 0));
  EXPECT_TRUE(word.apply(1, 0));
  EXPECT_EQ(word.word(), 0xfffffffe3ffffffeU);
}

TensorMap map_of(std::uint64_t columns, std::uint64_t rows, std::uint32_t wide,
                 std::uint32_t high) {
  TensorMap map;
  map.address = 0x10000;
  map.rank = 2;
  map.element_bytes = 2;
  map.size = {columns, rows};
  map.stride = {2, 2 * columns};
  map.box = {wide, high};
  return map;
}

std::vector<BoxPiece> pieces_of(const TensorMap& map, std::int32_t x, std::int32_t y) {
  std::vector<BoxPiece> pieces;
  for_each_piece(map, {{x, y}, {}}, [&](const BoxPiece& piece) { pieces.push_back(piece); });
  return pieces;
}

// 16 x 2 elements of 2 bytes at (8, 3) of rows of 64: two pieces of a row at 3 * 128 + 16.
TEST(Boxes, PiecesFollowTheRows) {
  const auto pieces = pieces_of(map_of(64, 8, 16, 2), 8, 3);
  ASSERT_EQ(pieces.size(), 4U);
  EXPECT_EQ(pieces[0].global, 0x10000U + 3 * 128 + 16);
  EXPECT_EQ(pieces[1].global, 0x10000U + 3 * 128 + 32);
  EXPECT_EQ(pieces[2].global, 0x10000U + 4 * 128 + 16);
  EXPECT_EQ(pieces[3].shared, 48U);
  for (const BoxPiece& piece : pieces) EXPECT_EQ(piece.inside, 16U);
}

// Rows of 20 elements (40 bytes): of a box at 16 only 4 elements of its first piece are inside, and
// of rows 7 and 8 the second is outside.
TEST(Boxes, WhatLiesOutsideIsFilled) {
  TensorMap map = map_of(20, 8, 16, 2);
  map.stride[1] = 48;
  const auto pieces = pieces_of(map, 16, 7);
  ASSERT_EQ(pieces.size(), 4U);
  EXPECT_EQ(pieces[0].inside, 8U);
  EXPECT_EQ(pieces[1].inside, 0U);
  EXPECT_EQ(pieces[2].inside, 0U);
  EXPECT_EQ(pieces[3].inside, 0U);
}

TEST(Boxes, CoordinatesMayBeNegative) {
  const auto pieces = pieces_of(map_of(64, 8, 16, 1), -8, 0);
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0].inside, 0U);
  EXPECT_EQ(pieces[1].inside, 16U);
  EXPECT_EQ(pieces[1].global, 0x10000U);
}

// Two images of 5 x 3 pixels of 16 bytes, by a filter of 2 x 2 with a border of one pixel before
// them: pixels begin at -1 and end at 5 - 1 - 1 = 3 and 3 - 1 - 1 = 1. From (3, 0) on follow
// (-1, 1), (0, 1) .., after (3, 1) the next image's (-1, -1). Offset (1, 0) moves all one to the
// right.
TEST(Boxes, ColumnsFollowPixels) {
  TensorMap map = map_of(8, 5, 8, 1);
  map.rank = 4;
  map.size = {8, 5, 3, 2};
  map.stride = {2, 16, 80, 240};
  map.pixels = 8;
  map.box = {8, 8, 1, 1};
  map.lower = {0, -1, -1};
  map.upper = {0, -1, -1};
  std::vector<BoxPiece> pieces;
  for_each_piece(map, {{0, 3, 0, 0}, {0, 1, 0}}, [&](const BoxPiece& p) { pieces.push_back(p); });
  ASSERT_EQ(pieces.size(), 8U);
  const auto at = [](std::uint64_t w, std::uint64_t h) { return 0x10000 + 80 * h + 16 * w; };
  for (std::uint64_t i = 0; i < 6; ++i) {
    EXPECT_EQ(pieces[i].global, i == 0 ? at(4, 0) : at(i - 1, 1)) << i;
    EXPECT_EQ(pieces[i].inside, 16U) << i;
    EXPECT_EQ(pieces[i].shared, 16 * i);
  }
  EXPECT_EQ(pieces[6].inside, 0U) << "row -1 of the second image";
  EXPECT_EQ(pieces[7].inside, 0U);
}

// Every second pixel from 0 to 6 of rows of 8, no border: 4, 6, then the next image's 0, 2.
TEST(Boxes, ColumnsStep) {
  TensorMap map = map_of(8, 8, 8, 1);
  map.rank = 3;
  map.size = {8, 8, 2};
  map.stride = {2, 16, 128};
  map.pixels = 4;
  map.box = {8, 4, 1};
  map.upper = {0, -1};
  map.step = {1, 2, 1};
  std::vector<std::uint64_t> places;
  for_each_piece(map, {{0, 4, 0}, {}},
                 [&](const BoxPiece& p) { places.push_back(p.global - 0x10000); });
  EXPECT_EQ(places, (std::vector<std::uint64_t>{64, 96, 128, 160}));
}

// Row r of 128 bytes: piece p lies at p xor r mod 8 (128 bytes), (r / 2) mod 4 (64), (r / 4) mod 2
// (32) of rows as wide as the swizzle, which is r = offset / 128 in all three.
TEST(Boxes, SwizzlesChangePieces) {
  EXPECT_EQ(swizzled(0x90, 0), 0x90U);
  EXPECT_EQ(swizzled(128 * 3 + 16 * 5, 128), 128U * 3 + 16 * (5 ^ 3));
  EXPECT_EQ(swizzled(128 * 8 + 16, 128), 128U * 8 + 16);
  EXPECT_EQ(swizzled(128 * 3 + 16 * 1, 64), 128U * 3 + 16 * (1 ^ 3));
  EXPECT_EQ(swizzled(128 * 1 + 16 * 2, 32), 128U * 1 + 16 * (2 ^ 1));
}

TEST(TensorMaps, HoldTheirNumber) {
  const auto bytes = tensor_map_bytes(7);
  EXPECT_EQ(tensor_map_number(std::span<const std::uint8_t, 16>(bytes.data(), 16)), 7U);
  const std::array<std::uint8_t, 16> other{};
  EXPECT_FALSE(tensor_map_number(other));
}

}  // namespace
}  // namespace forewarp::tests
