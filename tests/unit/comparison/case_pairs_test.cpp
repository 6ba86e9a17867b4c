// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "comparison/case_pairs.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

class CasePairsTest : public testing::Test {
 protected:
  CasePairsTest() : folder_(std::filesystem::path(testing::TempDir()) / "case_pairs") {
    std::filesystem::create_directories(folder_);
  }
  [[nodiscard]] std::filesystem::path file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(CasePairsTest, MatchesByIdAndNamesTheRest) {
  const auto pairs = pair_cases(file("a", "{\"id\": 1, \"gpu\": \"x\"}\n\n{\"id\": \"old\"}\n"),
                                file("b", "{\"id\": \"new\"}\n{\"id\": 1, \"gpu\": \"y\"}\n"));
  ASSERT_TRUE(pairs) << pairs.error().line();
  ASSERT_EQ(pairs->pairs.size(), 1U);
  EXPECT_EQ(pairs->pairs[0].a.gpu, "x");
  EXPECT_EQ(pairs->pairs[0].b.gpu, "y");
  EXPECT_EQ(pairs->vanished, std::vector<std::string>{"old"});
  EXPECT_EQ(pairs->added, std::vector<std::string>{"new"});
}

TEST_F(CasePairsTest, RefusesWhatCannotBeMatched) {
  const auto good = file("good", "{\"id\": 1}\n");
  const auto line = [&](const std::string& text) {
    const auto pairs = pair_cases(good, file("bad", text));
    return pairs ? "matched" : pairs.error().line();
  };
  EXPECT_NE(line("{\"gpu\": \"x\"}\n").find("bad:1: the case has no id; expected an \"id\""),
            std::string::npos);
  EXPECT_NE(line("{\"id\": 1}\n{\"id\": 1}\n").find("bad:2: the id '1' stands on line 1 too"),
            std::string::npos);
  EXPECT_NE(line("{\"id\": \n").find("bad:1"), std::string::npos);
  const auto missing = pair_cases(good, good.parent_path() / "none");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().line().find("cannot be opened"), std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
