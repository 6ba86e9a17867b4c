// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/repeated_launches.h"

#include <cstring>

#include <gtest/gtest.h>

#include "execution/storage/program_services.h"

namespace forewarp::tests {
namespace {

using execution::GridRun;
using program_run::DeviceMemory;
using program_run::MemoryKind;
using program_run::RepeatedLaunches;
namespace use = execution::buffer_use;

constexpr std::uint64_t board = 64 << 20, size = 1024;

std::uint8_t* bytes(std::uint64_t address) {
  return reinterpret_cast<std::uint8_t*>(address);  // NOLINT
}

/// Kernels that write 1 + the first byte of `in` to all of `out`.
class Launches : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(memory_.add_device(board));
    in_ = memory_.allocate(size, MemoryKind::device, 0);
    out_ = memory_.allocate(size, MemoryKind::device, 0);
  }
  void copy_in(std::uint8_t value) {
    std::memset(bytes(in_), value, size);
    memory_.replaced(in_, size);
  }
  void clear_out() {
    std::memset(bytes(out_), 0, size);
    memory_.replaced(out_, size);
  }
  /// Returns whether it was executed.
  bool launch(std::uint8_t out_use = use::written, std::uint64_t argument = 1) {
    const RepeatedLaunches::Key key{argument};
    if (launches_.repeat(key)) return false;
    GridRun run;
    run.instructions = 1000;
    run.uses = {{in_, use::read}, {out_, out_use}};
    std::memset(bytes(out_), bytes(in_)[0] + 1, size);
    launches_.executed(key, run, {});
    return true;
  }

  DeviceMemory memory_;
  RepeatedLaunches launches_{memory_};
  std::uint64_t in_ = 0, out_ = 0;
};

TEST_F(Launches, OneThatReadsTheSameIsNotExecutedAgain) {
  copy_in(4);
  EXPECT_TRUE(launch());
  EXPECT_FALSE(launch());
  EXPECT_EQ(bytes(out_)[size - 1], 5);
}

TEST_F(Launches, OtherArgumentsAreAnotherLaunch) {
  copy_in(4);
  EXPECT_TRUE(launch(use::written, 1));
  EXPECT_TRUE(launch(use::written, 2));
}

TEST_F(Launches, OtherInputsAreExecuted) {
  copy_in(4);
  EXPECT_TRUE(launch());
  copy_in(6);
  EXPECT_TRUE(launch());
  EXPECT_EQ(bytes(out_)[0], 7);
}

TEST_F(Launches, EqualBytesCopiedAgainAreTheSameInput) {
  copy_in(4);
  EXPECT_TRUE(launch());
  copy_in(4);
  EXPECT_FALSE(launch());
}

TEST_F(Launches, OneByteCopiedIsAnotherInput) {
  copy_in(4);
  EXPECT_TRUE(launch());
  bytes(in_)[7] = 9;
  memory_.replaced(in_ + 7, 1);
  EXPECT_TRUE(launch());
}

TEST_F(Launches, ResultsThatWereOverwrittenComeFromACopyOnceOneIsKept) {
  copy_in(4);
  clear_out();
  EXPECT_TRUE(launch());
  clear_out();
  EXPECT_TRUE(launch());  // nothing was kept yet
  clear_out();
  EXPECT_FALSE(launch());
  EXPECT_EQ(bytes(out_)[size - 1], 5);
}

TEST_F(Launches, WhatReadsItsOwnResultIsExecutedAgain) {
  copy_in(4);
  EXPECT_TRUE(launch(use::read | use::written));
  EXPECT_TRUE(launch(use::read | use::written));
}

TEST_F(Launches, AnotherAllocationAtTheAddressIsAnotherInput) {
  copy_in(4);
  EXPECT_TRUE(launch());
  memory_.release(in_);
  ASSERT_EQ(memory_.allocate(size, MemoryKind::device, 0), in_);
  EXPECT_TRUE(launch());
}

TEST_F(Launches, WhatTheHostWritesIsLookedAt) {
  memory_.release(in_);
  in_ = memory_.allocate(size, MemoryKind::managed, 0);
  bytes(in_)[0] = 1;
  EXPECT_TRUE(launch());
  EXPECT_FALSE(launch());
  bytes(in_)[0] = 2;  // no call tells of it
  EXPECT_TRUE(launch());
  EXPECT_EQ(bytes(out_)[0], 3);
}

TEST_F(Launches, RunsThatWereCutOrUnsureAreNotRepeated) {
  copy_in(4);
  GridRun run;
  run.uses = {{in_, use::read}, {out_, use::written}};
  run.lost = true;
  launches_.executed({9}, run, {});
  EXPECT_FALSE(launches_.repeat({9}).has_value());
}

TEST(DeviceHeap, GivesAlignedPiecesUntilNoneIsLeft) {
  execution::DeviceHeap heap;
  EXPECT_EQ(heap.allocate(16), 0U);  // none was given
  heap.give(0x1000, 64);
  EXPECT_EQ(heap.allocate(1), 0x1000U);
  EXPECT_EQ(heap.allocate(17), 0x1010U);  // 32 bytes
  EXPECT_EQ(heap.allocate(17), 0U);
  EXPECT_EQ(heap.allocate(0), 0U);
  heap.release(0x1010);
  heap.release(0x1010);  // once only
  EXPECT_EQ(heap.allocate(20), 0x1010U);
  EXPECT_EQ(heap.allocate(20), 0U);
}

}  // namespace
}  // namespace forewarp::tests
