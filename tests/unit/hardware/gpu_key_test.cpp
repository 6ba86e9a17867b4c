// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What tells two boards apart as a key.
#include "hardware/gpu_key.h"

#include <set>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "hardware/schema.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

std::string key_of_board(const Gpu& gpu) {
  KeyBytes key;
  add_board(gpu, key);
  return key.take();
}

TEST(GpuKey, EveryFactAndTheFieldsOfAWhatIfChangeIt) {
  const auto board = HardwareDatabase(FOREWARP_DATA_DIR).load("gtx970", {});
  ASSERT_TRUE(board);
  const std::string key = key_of_board(*board);
  EXPECT_EQ(key_of_board(Gpu(*board)), key);
  std::set<std::string> keys{key};
  for (const auto& [path, fact] : board->facts) {
    Gpu other = *board;
    other.facts.find(path)->second.value += 1;
    EXPECT_TRUE(keys.insert(key_of_board(other)).second) << path;
  }
  for (double Gpu::*const field : {&Gpu::block_launch_interval, &Gpu::block_turnaround,
                                   &Gpu::warp_launch_cycles, &Gpu::shared_latency}) {
    Gpu other = *board;
    other.*field += 1;
    EXPECT_NE(key_of_board(other), key);
  }
  for (double MemoryFacts::*const field : {&MemoryFacts::theory_gbs, &MemoryFacts::read_share,
                                           &MemoryFacts::mixed_share, &MemoryFacts::write_share}) {
    Gpu other = *board;
    other.memory.*field += 1;
    EXPECT_NE(key_of_board(other), key);
  }
  Gpu asked = *board;
  asked.asked_as = "970";
  asked.file = "elsewhere.toml";
  EXPECT_EQ(key_of_board(asked), key);
}

// The weight of a line beside another, and what is under way at a time, are in the places that a
// replay counts; what a place takes is not.
TEST(GpuKey, OfAReplayHasTheWeightOfPlaces) {
  const auto board = HardwareDatabase(FOREWARP_DATA_DIR).load("h200-sxm", {});
  ASSERT_TRUE(board);
  const auto key_of = [](const Gpu& gpu) {
    KeyBytes key;
    add_replayed(gpu, key);
    return key.take();
  };
  Gpu beside = *board, place = *board;
  beside.memory.beside_share += 0.1;
  place.memory.place_ns += 1;
  EXPECT_NE(key_of(beside), key_of(*board));
  EXPECT_EQ(key_of(place), key_of(*board));
  const auto fewer =
      HardwareDatabase(FOREWARP_DATA_DIR).load("h200-sxm", {{"memory.places_under_way", "1000"}});
  ASSERT_TRUE(fewer);
  EXPECT_NE(key_of(*fewer), key_of(*board));
}

}  // namespace
}  // namespace forewarp::tests
