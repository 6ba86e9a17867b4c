// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/device_memory.h"

#include <cstring>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using program_run::DeviceMemory;
using program_run::MemoryKind;

constexpr std::uint64_t board = 64 << 20;

std::uint8_t* bytes(std::uint64_t address) {
  return reinterpret_cast<std::uint8_t*>(address);  // NOLINT
}

class Memory : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(memory_.add_device(board)); }
  std::uint64_t take(std::uint64_t size) { return memory_.allocate(size, MemoryKind::device, 0); }
  DeviceMemory memory_;
};

TEST_F(Memory, AddressesAreOfThisProcess) {
  const std::uint64_t at = take(1000);
  ASSERT_NE(at, 0U);
  EXPECT_EQ(at % 256, 0U);
  std::memset(bytes(at), 7, 1000);
  EXPECT_EQ(bytes(at)[999], 7);
}

TEST_F(Memory, AllocationsAreFoundByAnyOfTheirBytes) {
  const std::uint64_t at = take(1000), other = take(1);
  EXPECT_EQ(memory_.find(at + 999)->address, at);
  EXPECT_EQ(memory_.find(at + 1000), nullptr);
  EXPECT_EQ(memory_.find(other)->bytes, 1U);
  EXPECT_EQ(memory_.find(at - 1), nullptr);
}

TEST_F(Memory, TheBoardIsFull) {
  EXPECT_EQ(take(board + 1), 0U);
  const std::uint64_t at = take(board);
  ASSERT_NE(at, 0U);
  EXPECT_EQ(take(1), 0U);
  EXPECT_EQ(memory_.free_bytes(0), 0U);
  EXPECT_TRUE(memory_.release(at));
  EXPECT_EQ(memory_.free_bytes(0), board);
  EXPECT_EQ(memory_.peak_bytes(0), board);
}

TEST_F(Memory, FreedNeighboursBecomeOne) {
  const std::uint64_t a = take(board / 4), b = take(board / 4), c = take(board / 4);
  ASSERT_NE(c, 0U);
  EXPECT_TRUE(memory_.release(a));
  EXPECT_TRUE(memory_.release(c));
  EXPECT_EQ(take(board / 2 + 512), 0U);  // a quarter, and a half behind b
  EXPECT_TRUE(memory_.release(b));
  EXPECT_NE(take(board), 0U);
}

TEST_F(Memory, FreedMemoryReadsAsZero) {
  const std::uint64_t at = take(1 << 20);
  std::memset(bytes(at), 1, 1 << 20);
  memory_.release(at);
  EXPECT_EQ(take(1 << 20), at);
  EXPECT_EQ(bytes(at)[4096], 0);
}

TEST_F(Memory, OnlyBeginningsAreReleased) {
  const std::uint64_t at = take(1000);
  EXPECT_FALSE(memory_.release(at + 1));
  EXPECT_TRUE(memory_.release(at));
  EXPECT_FALSE(memory_.release(at));
}

TEST_F(Memory, PinnedMemoryTakesNothingOfTheBoard) {
  const std::uint64_t at = memory_.allocate(board, MemoryKind::pinned, 0);
  ASSERT_NE(at, 0U);
  EXPECT_EQ(memory_.free_bytes(0), board);
  EXPECT_EQ(memory_.find(at)->kind, MemoryKind::pinned);
}

TEST_F(Memory, OwnMemoryOfTheProgramIsAdoptedOnce) {
  std::vector<std::uint8_t> own(4096);
  const auto at = reinterpret_cast<std::uint64_t>(own.data());
  EXPECT_TRUE(memory_.adopt(at, own.size(), MemoryKind::registered));
  EXPECT_FALSE(memory_.adopt(at + 100, 10, MemoryKind::registered));
  EXPECT_TRUE(memory_.release(at));
}

TEST_F(Memory, OnlyOneDeviceIsReset) {
  ASSERT_TRUE(memory_.add_device(board));
  const std::uint64_t first = take(100);
  const std::uint64_t second = memory_.allocate(100, MemoryKind::device, 1);
  const std::uint64_t variable = memory_.allocate(100, MemoryKind::module, 1);
  std::vector<std::uint8_t> own(4096);
  const auto pinned = reinterpret_cast<std::uint64_t>(own.data());
  EXPECT_TRUE(memory_.adopt(pinned, own.size(), MemoryKind::registered, 1));
  memory_.release_all_but(MemoryKind::module, 1);
  EXPECT_NE(memory_.find(first), nullptr);
  EXPECT_NE(memory_.find(variable), nullptr);
  EXPECT_EQ(memory_.find(second), nullptr);
  EXPECT_EQ(memory_.find(pinned), nullptr);
}

TEST_F(Memory, NeighbourhoodIsMappedInLargePages) {
  const std::uint64_t at = take(100);
  EXPECT_TRUE(memory_.is_mapped(at + 100));
  EXPECT_FALSE(memory_.is_mapped(at + (std::uint64_t{1} << 36)));
  EXPECT_FALSE(memory_.is_mapped(0));
}

TEST_F(Memory, BuffersAreThoseOfNow) {
  const std::uint64_t at = take(100);
  ASSERT_EQ(memory_.buffers().size(), 1U);
  EXPECT_EQ(memory_.buffers()[0].place, bytes(at));
  const auto before = memory_.version();
  memory_.release(at);
  EXPECT_GT(memory_.version(), before);
  EXPECT_TRUE(memory_.buffers().empty());
}

}  // namespace
}  // namespace forewarp::tests
