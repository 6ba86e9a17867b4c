// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/documents/board_report.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

BoardTable table() {
  BoardTable all;
  BoardTable::Row row;
  row.result.kernel.name = "axpy";
  row.result.kernel.input = "axpy.sass";
  row.result.gpu = {"board-x", "Board X, 8 GB", "5.2", "", "", 13, 1000};
  row.result.time_ms = 2.125;
  row.result.interval_ms = {1, 4};
  row.result.model = "volkov";
  row.result.limited_by.resource = "dram";
  row.result.power = {100, 150, 0.2};
  row.result.assumptions = {{"clock", "at 1000 MHz", "--clock MHZ"}};
  row.watts = 100;
  row.joules = 0.2;
  row.joules_range = {0.05, 0.6};
  row.price_per_hour = 3.6;
  row.cost_per_1000 = 0.002;
  row.front = true;
  row.bandwidth_gbs = 180;
  row.bandwidth_from = "copies";
  all.rows.push_back(row);
  row.result.gpu.id = "board-y";
  row.result.time_ms = 3;
  row.result.assumptions = {{"clock", "at 900 MHz", "--clock MHZ"}};
  row.watts = row.joules = 0;
  row.joules_range = {};
  row.price_per_hour.reset();
  row.cost_per_1000.reset();
  row.front = false;
  row.bandwidth_from = "class";
  row.unsure_rank = true;
  all.rows.push_back(row);
  all.refused = {{"no code for sm_30", "compile it", {"old", "older"}}};
  all.prices = "p.csv";
  all.closer_look = false;
  return all;
}

std::string shown(std::string_view format) {
  const auto text = render_boards(table(), format, {});
  return text ? *text : text.error().line();
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(BoardReport, TextHasWhatIsKnownAndDashes) {
  const std::string text = shown("text");
  EXPECT_TRUE(has(text, "axpy on 2 boards")) << text;
  EXPECT_TRUE(has(text, "*  board-x  2.125 ms  1.000 .. 4.000 ms")) << text;
  EXPECT_TRUE(has(text, "100 W  200 mJ  50.0 mJ .. 600 mJ   180 GB/s  copies     0.00200")) << text;
  EXPECT_TRUE(has(text, "180 GB/s  class ~")) << text;
  EXPECT_TRUE(has(text, "~: memory limits this board and the one above it")) << text;
  EXPECT_TRUE(has(text, "2 boards: no code for sm_30; compile it")) << text;
  EXPECT_TRUE(has(text, "as good in time, cost and energy")) << text;
  EXPECT_TRUE(has(text, "at 1000 MHz; others")) << text;
}

TEST(BoardReport, NoIntervalIsADash) {
  BoardTable all = table();
  all.rows[0].result.interval_ms = {2.125, 2.125};
  const auto text = render_boards(all, "text", {});
  ASSERT_TRUE(text);
  EXPECT_TRUE(has(*text, "2.125 ms  -  ")) << *text;
}

// A board with two assumptions of one id is one board in each of their rows.
TEST(BoardReport, AssumptionsCountBoards) {
  BoardTable all = table();
  for (BoardTable::Row& row : all.rows) {
    row.result.assumptions = {{"memory", "first", ""}, {"memory", "second", ""}};
  }
  const auto text = render_boards(all, "text", {});
  ASSERT_TRUE(text);
  EXPECT_TRUE(has(*text, "memory       2  first")) << *text;
  EXPECT_TRUE(has(*text, "memory       2  second")) << *text;
}

TEST(BoardReport, CsvLeavesEmptyWhatIsNotThere) {
  EXPECT_EQ(shown("csv"),
            "gpu,name,cc,time_ms,interval_low_ms,interval_high_ms,limited_by,model,watts,limit_w,"
            "joules,joules_low,joules_high,price_per_hour,cost_per_1000,front,bandwidth_gbs,"
            "bandwidth_from,unsure_rank\n"
            "board-x,\"Board X, 8 GB\",5.2,2.125,1,4,dram,volkov,100,150,0.2,0.05,0.6,3.6,0.002,1,"
            "180,copies,0\n"
            "board-y,\"Board X, 8 GB\",5.2,3,1,4,dram,volkov,0,150,0,0,0,,,0,180,class,1\n");
}

TEST(BoardReport, JsonHasTheReasonsAndTheBoards) {
  const std::string json = shown("json");
  EXPECT_TRUE(has(json, "\"schema\": \"forewarp.gpus/1\"")) << json;
  EXPECT_TRUE(has(json, "\"cost_per_1000\": null")) << json;
  EXPECT_TRUE(has(json, "\"reason\": \"no code for sm_30\"")) << json;
  EXPECT_TRUE(has(json, "\"text\": \"at 900 MHz\"")) << json;
  EXPECT_TRUE(has(json, "\"energy_method\": \"watts x time")) << json;
  EXPECT_EQ(table().asked(), 4U);
}

TEST(BoardReport, OtherFormats) {
  EXPECT_TRUE(has(shown("markdown"), "| board-x |")) << shown("markdown");
  EXPECT_EQ(shown("html"),
            "--format: no format of a table of boards is named 'html'; expected text, markdown, "
            "json, csv");
}

}  // namespace
}  // namespace forewarp::tests
