// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/occupancy.h"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/text.h"
#include "sm_limits.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

using test::limits_of;

std::string names(Limiter set) {
  return join(limiter_names(set), "+");
}

/// One row of validation/occupancy_vectors.csv.
struct Vector {
  std::string capability, limiters, note;
  BlockNeeds needs;
  std::uint32_t blocks = 0, warps = 0;
};

std::uint32_t whole(std::string_view text) {
  return static_cast<std::uint32_t>(parse_integer(text).value());
}

std::vector<Vector> read_vectors() {
  std::ifstream file(FOREWARP_SOURCE_DIR "/validation/occupancy_vectors.csv");
  std::vector<Vector> rows;
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("#") || line.starts_with("cc,")) continue;
    const auto field = split(line, ',');
    Vector row{
        .capability = std::string(field[0]),
        .limiters = std::string(field[9]),
        .note = std::string(field[12]),
        .needs = {.threads = whole(field[1]),
                  .registers = whole(field[2]),
                  .static_shared = whole(field[3]),
                  .dynamic_shared = whole(field[4]),
                  .carveout_percent = static_cast<std::int32_t>(parse_integer(field[5]).value()),
                  .barriers = whole(field[6])},
        .blocks = whole(field[7]),
        .warps = whole(field[8])};
    constexpr std::string_view recomputed = "true minimum: ";
    if (const auto at = row.note.find(recomputed); at != std::string::npos) {
      row.limiters = row.note.substr(at + recomputed.size());
    }
    if (row.note.starts_with("per-thread register limit")) {
      // The row's figures are those of a device that takes more than 63 registers.
      row.blocks = row.warps = 0;
      row.limiters = "regs";
    }
    rows.push_back(row);
  }
  return rows;
}

TEST(Occupancy, EveryPublishedVector) {
  const auto rows = read_vectors();
  ASSERT_EQ(rows.size(), 1785U);
  for (const auto& row : rows) {
    const auto found = occupancy(limits_of(row.capability), row.needs);
    const std::string where = row.capability + "," + std::to_string(row.needs.threads) + "," +
                              std::to_string(row.needs.registers) + "," +
                              std::to_string(row.needs.static_shared) + "," +
                              std::to_string(row.needs.dynamic_shared) + " " + row.note;
    EXPECT_EQ(found.blocks, row.blocks) << where;
    EXPECT_EQ(found.warps, row.warps) << where;
    EXPECT_EQ(names(found.limiters), row.limiters) << where;
  }
}

/// capability, block, registers, dynamic shared, barriers -> blocks, warps, limiters.
struct HandPicked {
  const char* capability;
  BlockNeeds needs;
  std::uint32_t blocks, warps;
  const char* limiters;
};

class OccupancyByHand : public testing::TestWithParam<HandPicked> {};

TEST_P(OccupancyByHand, Matches) {
  const auto& row = GetParam();
  const auto found = occupancy(limits_of(row.capability), row.needs);
  EXPECT_EQ(found.blocks, row.blocks);
  EXPECT_EQ(found.warps, row.warps);
  EXPECT_EQ(names(found.limiters), row.limiters);
}

constexpr BlockNeeds need(std::uint32_t threads, std::uint32_t registers, std::uint32_t dynamic = 0,
                          std::uint32_t barriers = 0) {
  return {
      .threads = threads, .registers = registers, .dynamic_shared = dynamic, .barriers = barriers};
}

constexpr BlockNeeds carved(BlockNeeds needs, std::int32_t percent, std::uint32_t fixed = 0) {
  needs.carveout_percent = percent;
  needs.static_shared = fixed;
  return needs;
}

INSTANTIATE_TEST_SUITE_P(
    Corners, OccupancyByHand,
    testing::Values(HandPicked{"1.1", need(128, 12), 5, 20, "regs"},
                    HandPicked{"1.1", need(256, 12), 2, 16, "regs"},
                    HandPicked{"1.3", need(256, 16), 4, 32, "warps+regs"},
                    HandPicked{"1.3", need(256, 17), 3, 24, "regs"},
                    HandPicked{"2.0", need(192, 21), 7, 42, "regs"},
                    HandPicked{"2.0", need(192, 63), 2, 12, "regs"},
                    HandPicked{"3.5", need(256, 255), 1, 8, "regs"},
                    HandPicked{"3.7", need(256, 255), 2, 16, "regs"},
                    HandPicked{"3.7", need(288, 255), 0, 0, "regs"},
                    HandPicked{"5.2", need(256, 8), 8, 64, "warps"},
                    HandPicked{"5.3", need(256, 128), 2, 16, "regs"},
                    HandPicked{"5.3", need(256, 129), 0, 0, "regs"},
                    HandPicked{"6.0", need(96, 88), 7, 21, "regs"},
                    HandPicked{"6.1", need(96, 88), 6, 18, "regs"},
                    HandPicked{"6.0", need(672, 88), 0, 0, "regs"},
                    HandPicked{"7.0", need(128, 37), 12, 48, "regs"},
                    HandPicked{"7.0", need(320, 37), 4, 40, "regs"},
                    HandPicked{"7.0", need(1024, 32, 98304), 1, 32, "smem"},
                    HandPicked{"7.5", need(32, 16), 16, 16, "blocks"},
                    HandPicked{"8.0", need(256, 32, 82944), 2, 16, "smem"},
                    HandPicked{"8.0", need(256, 32, 82945), 1, 8, "smem"},
                    HandPicked{"8.0", need(1024, 64, 166912), 1, 32, "regs+smem"},
                    HandPicked{"8.6", need(864, 72), 1, 27, "warps+regs"},
                    HandPicked{"8.6", need(864, 73), 0, 0, "regs"},
                    HandPicked{"9.0", need(384, 168, 232448), 1, 12, "regs+smem"},
                    HandPicked{"9.0", need(128, 32, 0, 16), 4, 16, "barriers"},
                    HandPicked{"12.0", need(64, 32), 24, 48, "warps+blocks"},
                    HandPicked{"12.0", need(128, 32, 0, 16), 1, 4, "barriers"},
                    HandPicked{"8.0", carved(need(64, 32), 0), 8, 16, "smem"},
                    HandPicked{"7.0", carved(need(256, 32), 0, 8192), 1, 8, "smem"},
                    HandPicked{"7.0", carved(need(256, 32), 50, 8192), 8, 64, "warps+regs+smem"}));

// Dispatch traces of spinning kernels: without the system's reserve the answers would be 5 and 7.
TEST(Occupancy, ReserveOfOneKibibyteIsCharged) {
  EXPECT_EQ(occupancy(limits_of("8.0"), need(256, 16, 32768)).blocks, 4U);
  EXPECT_EQ(occupancy(limits_of("9.0"), need(256, 16, 32768)).blocks, 6U);
}

// Volkov 2016, section 5.7: allocation is rounded up to 256 bytes on 3.x, 512 on 1.x.
TEST(Occupancy, SharedMemoryIsRoundedToItsUnit) {
  const auto at_edge = occupancy(limits_of("3.0"), need(32, 8, 3072));
  EXPECT_EQ(at_edge.by_shared, 49152U / 3072U);
  const auto past_edge = occupancy(limits_of("3.0"), need(32, 8, 3073));
  EXPECT_EQ(past_edge.shared_charged, 3328U);
  EXPECT_EQ(past_edge.blocks, 14U);
  // 16384 / 2048 = 8 and 16384 / 2560 = 6: no allocation leaves 7 blocks.
  EXPECT_EQ(occupancy(limits_of("1.3"), need(32, 8, 2048)).blocks, 8U);
  EXPECT_EQ(occupancy(limits_of("1.3"), need(32, 8, 2049)).blocks, 6U);
  // 96 KB of an SM and 48 KB of a block: at least two blocks fit.
  EXPECT_EQ(occupancy(limits_of("5.2"), need(32, 8, 49152)).blocks, 2U);
}

// Volkov 2016, table 2.9, in the order G80, GT200, Fermi, Kepler, Maxwell.
TEST(Occupancy, RelativeAndAbsolute) {
  const std::vector<std::string> capabilities{"1.0", "1.3", "2.0", "3.0", "5.2"};
  const std::vector<double> full{24, 32, 48, 64, 64}, half{12, 16, 24, 32, 32};
  const std::vector<double> eighth{3, 4, 6, 8, 8};
  for (std::size_t i = 0; i < capabilities.size(); ++i) {
    const auto limits = limits_of(capabilities[i]);
    EXPECT_DOUBLE_EQ(absolute_occupancy(limits, 1), full[i]);
    EXPECT_DOUBLE_EQ(absolute_occupancy(limits, 0.5), half[i]);
    EXPECT_DOUBLE_EQ(absolute_occupancy(limits, 0.125), eighth[i]);
    EXPECT_DOUBLE_EQ(relative_occupancy(limits, half[i]), 0.5);
  }
}

TEST(Occupancy, SingleLimitsAreKept) {
  // 7.0: 256 threads are 8 warps; 64 / 8 = 8. 40 registers are 1280 per warp:
  // 4 * floor(16384 / 1280) = 48 warps, 6 blocks. 98304 / 12288 = 8 blocks.
  const auto found = occupancy(limits_of("7.0"), need(256, 40, 12288));
  EXPECT_EQ(found.by_warps, 8U);
  EXPECT_EQ(found.by_registers, 6U);
  EXPECT_EQ(found.by_shared, 8U);
  EXPECT_EQ(found.by_blocks, 32U);
  EXPECT_EQ(found.by_barriers, unlimited);
  EXPECT_EQ(found.shared_carveout, 98304U);
}

TEST(Occupancy, NothingFitsWithoutThreads) {
  EXPECT_EQ(occupancy(limits_of("8.0"), need(0, 32)).blocks, 0U);
  EXPECT_EQ(occupancy(limits_of("8.0"), need(1025, 32)).blocks, 0U);
  EXPECT_EQ(occupancy(limits_of("8.0"), need(4294967295U, 255, 4294967295U)).blocks, 0U);
}

TEST(Occupancy, SharedMemoryAboveTheDefaultNeedsTheOptIn) {
  auto needs = need(256, 32, 49153);
  EXPECT_EQ(occupancy(limits_of("7.0"), needs).blocks, 1U);
  needs.shared_opt_in = false;
  EXPECT_EQ(occupancy(limits_of("7.0"), needs).blocks, 0U);
}

}  // namespace
}  // namespace forewarp::tests
