// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/sinks/csv_sink.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "../../golden/stored_result.h"

namespace forewarp::tests {
namespace {

/// A reader of its own: rows of fields by RFC 4180.
std::vector<std::vector<std::string>> parsed(const std::string& text) {
  std::vector<std::vector<std::string>> rows{{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string& field = rows.back().back();
    if (quoted) {
      if (text[i] != '"') {
        field += text[i];
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field += text[++i];
      } else {
        quoted = false;
      }
    } else if (text[i] == '"') {
      quoted = true;
    } else if (text[i] == ',') {
      rows.back().emplace_back();
    } else if (text[i] == '\n') {
      rows.push_back({""});
    } else {
      field += text[i];
    }
  }
  rows.pop_back();
  return rows;
}

std::map<std::string, std::string> row_of(const std::string& text, std::size_t row) {
  const auto rows = parsed(text);
  std::map<std::string, std::string> fields;
  for (std::size_t i = 0; i < rows[0].size(); ++i) fields[rows[0][i]] = rows[row].at(i);
  return fields;
}

TEST(Csv, QuotesWhatNeedsIt) {
  EXPECT_EQ(csv_field("plain text"), "plain text");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"so\""), "\"say \"\"so\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_field(""), "");
}

TEST(Csv, AnOddNameComesBack) {
  Result result = stored_result("transpose_findings.json");
  result.kernel.name += "\nline, two";
  EXPECT_EQ(row_of(csv({result}, true), 1)["kernel"], result.kernel.name);
}

TEST(Csv, HasTheFiguresOfTheResult) {
  auto row = row_of(csv({stored_result("saxpy2_gtx970.json")}, true), 1);
  EXPECT_EQ(row["time_ms"], "146.6549");
  EXPECT_EQ(row["interval_low_ms"], "138.2");
  EXPECT_EQ(row["grid"], "1562500x1x1");
  EXPECT_EQ(row["arg.a"], "128");
  EXPECT_EQ(row["limited_by"], "cores");
  EXPECT_EQ(row["warps_per_sm"], "64");
  EXPECT_EQ(row["error"], "");
}

TEST(Csv, EveryRowHasEveryColumn) {
  std::vector<Result> results = stored_results("sweep.jsonl");
  results.push_back(stored_result("transpose_findings.json"));
  const auto rows = parsed(csv(results, true));
  ASSERT_EQ(rows.size(), results.size() + 1);
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
  // Only the option that differs is a column.
  EXPECT_EQ(std::ranges::count(rows[0], "opt.a"), 1);
  EXPECT_EQ(std::ranges::count(rows[0], "opt.timing"), 0);
}

TEST(Csv, AnErrorHasNoFigures) {
  auto row = row_of(csv({stored_result("error_block.json")}, true), 1);
  EXPECT_EQ(row["time_ms"], "");
  EXPECT_EQ(row["model"], "");
  EXPECT_EQ(row["block"], "2048x1x1");
  EXPECT_TRUE(row["error"].starts_with("--block: 2048 threads"));
}

TEST(Csv, TheHeaderCanBeLeftOut) {
  const std::vector<Result> one{stored_result("saxpy2_gtx970.json")};
  const std::string both = csv(one, true);
  EXPECT_EQ(both.substr(both.find('\n') + 1), csv(one, false));
}

}  // namespace
}  // namespace forewarp::tests
