// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/access/address_changes.h"

#include <gtest/gtest.h>

#include "execution/access/seen_accesses.h"

namespace forewarp::tests {
namespace {

using Addresses = std::vector<std::uint64_t>;

Addresses after(const AccessChange& change, Addresses addresses,
                MemorySpace space = MemorySpace::global) {
  AccessShape shape;
  shape.space = space;
  change(shape, addresses);
  return addresses;
}

// Three rows of 16 bytes from 1000 on, elements of 4: (row, column) was at 16 row + 4 column, and
// is at 4 (3 column + row). What lies behind the third row stays.
TEST(Transposed, SwapsRowsAndColumns) {
  const AccessChange change = transposed({1000, 52}, 16, 4);
  EXPECT_EQ(after(change, {1000, 1016, 1032}), (Addresses{1000, 1004, 1008}));
  EXPECT_EQ(after(change, {1004, 1020, 1036}), (Addresses{1012, 1016, 1020}));
  EXPECT_EQ(after(change, {1044}), (Addresses{1044}));
  EXPECT_EQ(after(change, {1048, 996}), (Addresses{1048, 996}));
}

// Elements of 8 bytes keep their inside: byte 4 of element (1, 1) of rows of 16 bytes.
TEST(Transposed, KeepsElementsWhole) {
  EXPECT_EQ(after(transposed({0, 32}, 16, 8), {16 + 8 + 4, 16}), (Addresses{24 + 4, 8}));
}

TEST(Padded, AddsThePaddingOfTheRowsBefore) {
  const AccessChange change = padded(128, 4);
  EXPECT_EQ(after(change, {0, 128, 260, 124}, MemorySpace::shared), (Addresses{0, 132, 268, 124}));
  EXPECT_EQ(after(change, {128}), (Addresses{128}));  // global memory has no rows of banks
}

TEST(SeenAccesses, FindTheCommonestStepFromLaneToLane) {
  AccessStreams streams;
  AccessShape rows;  // 16 lanes of two rows 512 bytes apart: 14 of 15 steps are 4 bytes
  rows.instruction = 3;
  rows.affine = false;
  rows.lanes = 0xffff;
  for (int row = 0; row < 2; ++row) {
    for (int column = 0; column < 8; ++column) streams.offsets.push_back(512 * row + 4 * column);
  }
  streams.shapes = {rows};
  AccessShape tallied;
  tallied.instruction = 5;
  tallied.space = MemorySpace::shared;
  tallied.lanes = 0b11;
  tallied.stride = -128;
  streams.shapes.push_back(tallied);
  streams.paths = {{0, 0}};
  streams.bases = {4096, 8192};
  streams.warps = {{0, 0}};
  streams.tallies = {{{1, 256, 9}}};
  streams.blocks = {{0, 0, 0, 1, 1}};
  const auto seen = seen_accesses(streams);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen.at(3).step, 4);
  EXPECT_DOUBLE_EQ(seen.at(3).step_share, 14.0 / 15);
  EXPECT_EQ(seen.at(3).times, 2);
  EXPECT_EQ(seen.at(3).address, 4096U);
  EXPECT_EQ(seen.at(5).step, 128);
  EXPECT_EQ(seen.at(5).times, 9);
  EXPECT_EQ(seen.at(5).address, 256U);
}

/// One warp whose two lanes, 64 bytes apart, access each base in turn.
SeenAccess seen_at(const Addresses& bases, std::int64_t stride = 64) {
  AccessStreams streams;
  AccessShape pair;
  pair.lanes = 0b11;
  pair.stride = stride;
  streams.shapes = {pair};
  streams.paths = {std::vector<std::uint32_t>(bases.size(), 0)};
  streams.bases = bases;
  streams.warps = {{0, 0}};
  return seen_accesses(streams).at(0);
}

// 4096 alone is a multiple of 16, but 4100 of 4 only and 4104 of 8; so is a lane 72 bytes further.
TEST(SeenAccesses, AreAlignedIfEveryLaneOfEveryExecutionIs) {
  EXPECT_TRUE(seen_at({4096, 8192}).aligned(16));
  EXPECT_FALSE(seen_at({4096, 4100}).aligned(8));
  EXPECT_TRUE(seen_at({4096, 4100}).aligned(4));
  EXPECT_TRUE(seen_at({4096, 4104}).aligned(8));
  EXPECT_FALSE(seen_at({4096, 4104}).aligned(16));
  EXPECT_FALSE(seen_at({4096}, 72).aligned(16));
  EXPECT_FALSE(seen_at({4096}, -72).aligned(16));
  EXPECT_TRUE(seen_at({4096}, 72).aligned(8));
}

}  // namespace
}  // namespace forewarp::tests
