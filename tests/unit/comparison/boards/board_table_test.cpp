// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "comparison/boards/board_table.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "request/tables/work_budget.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

BoardTable::Row row(double time_ms, double joules, std::optional<double> cost = {}) {
  BoardTable::Row made;
  made.result.time_ms = time_ms;
  made.joules = joules;
  made.cost_per_1000 = cost;
  return made;
}

std::string front(std::vector<BoardTable::Row> rows, bool with_costs) {
  mark_front(with_costs, rows);
  std::string marks;
  for (const BoardTable::Row& made : rows) marks += made.front ? '*' : '-';
  return marks;
}

TEST(BoardFront, WhatNoOtherBeats) {
  // The third is slower than the second and takes more; the fourth takes least.
  EXPECT_EQ(front({row(1, 9), row(2, 5), row(3, 6), row(4, 1)}, false), "**-*");
  // Alike in everything: neither is better.
  EXPECT_EQ(front({row(1, 9), row(1, 9)}, false), "**");
  // As good in time, better in energy.
  EXPECT_EQ(front({row(1, 9), row(1, 8)}, false), "-*");
}

TEST(BoardFront, CostsAreAThirdFigure) {
  EXPECT_EQ(front({row(1, 1, 5), row(2, 2, 4), row(3, 3, 4)}, true), "**-");
  // A board without a price is not compared.
  EXPECT_EQ(front({row(1, 1), row(2, 2, 4)}, true), "-*");
  // Nor one without a power limit.
  EXPECT_EQ(front({row(1, 0), row(2, 2)}, false), "-*");
}

BoardTable::Row limited(double time_ms, const char* by, const char* bandwidth_from) {
  BoardTable::Row made = row(time_ms, 1);
  made.result.limited_by.resource = by;
  made.result.interval_ms = {0.9 * time_ms, 1.1 * time_ms};
  made.bandwidth_from = bandwidth_from;
  return made;
}

std::string unsure(std::vector<BoardTable::Row> rows) {
  mark_unsure_ranks(rows);
  std::string marks;
  for (const BoardTable::Row& made : rows) marks += made.unsure_rank ? '~' : '-';
  return marks;
}

TEST(BoardRanks, UnsureWhereMemoryIsKnownByDifferentMeans) {
  // 0.9 x 1.2 < 1.1 x 1: the intervals overlap.
  EXPECT_EQ(unsure({limited(1, "dram", "copies"), limited(1.2, "dram", "class")}), "-~");
  // 0.9 x 1.3 > 1.1: they do not.
  EXPECT_EQ(unsure({limited(1, "dram", "copies"), limited(1.3, "dram", "class")}), "--");
  EXPECT_EQ(unsure({limited(1, "dram", "copies"), limited(1.2, "dram", "copies")}), "--");
  // Where memory does not decide, it is no matter how it is known.
  EXPECT_EQ(unsure({limited(1, "fma", "copies"), limited(1.2, "dram", "class")}), "--");
  EXPECT_EQ(unsure({limited(1, "dram", "copies"), limited(1.2, "fma", "class")}), "--");
  // Each is compared with the one before it.
  EXPECT_EQ(unsure({limited(1, "dram", "copies"), limited(1.1, "dram", "class"),
                    limited(1.2, "dram", "lattice")}),
            "-~~");
}

class BoardRuns : public testing::Test {
 protected:
  BoardRuns() : predictor_(HardwareDatabase{FOREWARP_DATA_DIR}) {
    request_.input = FOREWARP_SOURCE_DIR "/examples/saxpy2.sass";
    request_.launch.grid = {62500, 1, 1};
    request_.launch.block = {256, 1, 1};
    request_.launch.arguments = {{"n", {}, {}}, {"a", {}, {}}};
    request_.launch.arguments[0].value.integer = 16000000;
    request_.launch.arguments[1].value.integer = 16;
    options_.cache = false;
  }

  Expected<BoardTable> run(const std::vector<std::string>& boards, unsigned jobs = 1) {
    BoardOptions asked = asked_;
    asked.boards = boards;
    asked.jobs = jobs;
    return predict_boards(predictor_, request_, options_, asked);
  }

  Predictor predictor_;
  Case request_;
  PredictOptions options_;
  BoardOptions asked_;
};

TEST_F(BoardRuns, SortedByTimeWithWhatCannotRunItByReason) {
  const auto table = run({"gtx980", "rtx3090", "gtx970", "rtx2080ti", "rtx3080", "titanx"}, 2);
  ASSERT_TRUE(table) << table.error().line();
  ASSERT_EQ(table->rows.size(), 3U);
  EXPECT_LE(table->rows[0].result.time_ms, table->rows[1].result.time_ms);
  EXPECT_LE(table->rows[1].result.time_ms, table->rows[2].result.time_ms);
  EXPECT_EQ(table->asked(), 6U);
  ASSERT_EQ(table->refused.size(), 1U);  // one reason, whatever the architecture
  EXPECT_EQ(table->refused[0].ids, (std::vector<std::string>{"rtx3090", "rtx2080ti", "rtx3080"}));
  EXPECT_NE(table->refused[0].reason.find("sm_75, sm_86"), std::string::npos)
      << table->refused[0].reason;
}

/// What energy and cost are made of, from the figures of one prediction.
TEST_F(BoardRuns, EnergyAndCostFollowFromTheTime) {
  asked_.prices = {{"gtx970", 0.5, "p.csv row 1"}};
  const auto table = run({"gtx970"});
  ASSERT_TRUE(table) << table.error().line();
  const BoardTable::Row& made = table->rows.front();
  const double seconds = made.result.time_ms * 1e-3;
  EXPECT_NEAR(made.joules, made.watts * seconds, 1e-12);
  EXPECT_LE(made.watts, made.result.power.limit_w);
  EXPECT_NEAR(*made.cost_per_1000, 0.5 / 3600 * seconds * 1000, 1e-15);
  const auto gpu = predictor_.gpu("gtx970", options_);
  ASSERT_TRUE(gpu);
  const double x = made.result.gpu.clock_mhz / (*gpu)->clock_boost_mhz;
  const double standing = (*gpu)->number("power.base_w") + (*gpu)->number("power.clock_w") * x * x;
  EXPECT_GT(made.watts, standing);
  EXPECT_NEAR(made.joules_range[0], standing * made.result.interval_ms[0] * 1e-3, 1e-12);
  EXPECT_NEAR(made.joules_range[1], made.result.power.limit_w * made.result.interval_ms[1] * 1e-3,
              1e-12);
}

/// Power follows what moves and issues: with a lone block most of the board waits.
TEST_F(BoardRuns, AWaitingBoardDrawsLittle) {
  const auto drawn = [&](std::uint32_t blocks) {
    request_.launch.grid = {blocks, 1, 1};
    request_.launch.arguments[0].value.integer = std::int64_t{256} * blocks;
    return run({"gtx970", "gtx980", "titanx"});
  };
  const auto alone = drawn(1), all = drawn(62500);
  ASSERT_TRUE(alone && all);
  for (const BoardTable::Row& busy : all->rows) {
    const auto same = [&](const auto& row) { return row.result.gpu.id == busy.result.gpu.id; };
    const auto idle = std::ranges::find_if(alone->rows, same);
    ASSERT_NE(idle, alone->rows.end());
    ASSERT_EQ(busy.result.limited_by.resource, "dram");
    ASSERT_EQ(idle->result.limited_by.resource, "latency");
    const auto gpu = predictor_.gpu(busy.result.gpu.id, options_);
    ASSERT_TRUE(gpu);
    const double x = idle->result.gpu.clock_mhz / (*gpu)->clock_boost_mhz;
    const double standing =
        (*gpu)->number("power.base_w") + (*gpu)->number("power.clock_w") * x * x;
    EXPECT_GE(idle->watts, standing);
    EXPECT_LT(idle->watts, 1.05 * standing);
    EXPECT_GT(busy.watts, idle->watts + 0.1 * busy.result.power.limit_w);
    EXPECT_LE(busy.watts, busy.result.power.limit_w);
  }
}

/// Executed, replayed and bound as predict() does, to the last digit; rows of a stencil are used
/// again, so that the look at the caches matters.
TEST_F(BoardRuns, ACloserLookIsPredictsOwn) {
  request_.input = FOREWARP_SOURCE_DIR "/tests/fixtures/listings/stencil.sm_80.sass";
  request_.launch.grid = {128, 512, 1};
  request_.launch.block = {32, 8, 1};
  request_.launch.arguments = {{"width", {}, {}}, {"height", {}, {}}};
  for (NamedArgument& size : request_.launch.arguments) size.value.integer = 4096;
  asked_.closer_look = true;
  const auto plain = predictor_.predict(request_, "a100-sxm-80", options_, {});
  options_.budget_seconds = usual_budget_seconds;
  const auto stated = predictor_.predict(request_, "a100-sxm-80", options_, {});
  const auto table = run({"a30", "a100-sxm-80", "rtx3090"}, 2);
  ASSERT_TRUE(plain && stated && table)
      << (plain ? "" : plain.error().line()) << (table ? "" : table.error().line());
  const auto own = std::ranges::find_if(
      table->rows, [](const auto& row) { return row.result.gpu.id == "a100-sxm-80"; });
  ASSERT_NE(own, table->rows.end());
  EXPECT_EQ(own->result.time_ms, plain->time_ms);
  EXPECT_EQ(stated->time_ms, plain->time_ms);
  EXPECT_EQ(own->result.interval_ms, plain->interval_ms);
}

TEST_F(BoardRuns, ThreadsChangeNothing) {
  options_.assume_isa = true;
  const std::vector<std::string> boards{"gtx970", "rtx3090", "v100-pcie-16", "a30"};
  const auto one = run(boards, 1), three = run(boards, 3);
  ASSERT_TRUE(one && three);
  EXPECT_EQ(to_json(*one), to_json(*three));
}

TEST_F(BoardRuns, Refusals) {
  EXPECT_NE(run({"rtx3090"}).error().line().find("no board can run it: "), std::string::npos);
  EXPECT_NE(run({"rtx309"}).error().line().find("no GPU has this id"), std::string::npos);
  // Of boards that the code is not for and one that lacks a block, the latter is to be mended.
  Case whole = request_;
  request_.launch.block = {0, 1, 1};
  EXPECT_EQ(run({"rtx3090", "rtx3080", "gtx970"}).error().line().find("--block: the block size"),
            0U);
  request_ = whole;
  asked_.prices = {{"gtx970", 1, "p.csv row 1"}, {"GTX 970", 2, "p.csv row 2"}};
  EXPECT_EQ(run({"gtx970"}).error().line(),
            "p.csv row 2: a second price of gtx970; expected one for each GPU");
  asked_.prices = {{"gtx97", 1, "p.csv row 1"}};
  EXPECT_EQ(run({"gtx970"}).error().line().find("p.csv row 1: GPU 'gtx97': no GPU"), 0U);
}

}  // namespace
}  // namespace forewarp::tests
