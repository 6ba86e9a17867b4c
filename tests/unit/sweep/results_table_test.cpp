// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/results_table.h"

#include <cmath>
#include <string>
#include <variant>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

TEST(ResultsTable, CsvQuotesWhatItMust) {
  EXPECT_EQ(csv_header({"block", "a,b"}), "block,\"a,b\"");
  EXPECT_EQ(csv_line({32.0, std::string("say \"x\""), std::monostate{}, 0.1, std::string("plain")}),
            "32,\"say \"\"x\"\"\",,0.1,plain");
  EXPECT_EQ(csv_line({}), "");
}

TEST(ResultsTable, JsonKeepsOrderAndNulls) {
  EXPECT_EQ(json_line({"z", "a", "n", "bad", "missing"},
                      {100000.0, std::string("q\"\n"), std::monostate{}, NAN}),
            R"({"z":100000,"a":"q\"\n","n":null,"bad":null,"missing":null})");
  EXPECT_EQ(json_line({"t"}, {0.1}), R"({"t":0.1})");
}

TEST(ResultsTable, TextIsAligned) {
  const ResultsTable table{{"block", "time_ms", "limited_by"},
                           {{32.0, 146.7312, std::string("dram")},
                            {1024.0, 0.00512345, std::string("issue")},
                            {64.0, std::monostate{}, std::string()}}};
  EXPECT_EQ(aligned_text(table),
            "block   time_ms  limited_by\n"
            "   32     146.7  dram\n"
            " 1024  0.005123  issue\n"
            "   64         -  -\n");
}

}  // namespace
}  // namespace forewarp::tests
