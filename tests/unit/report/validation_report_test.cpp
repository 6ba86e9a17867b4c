// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/documents/validation_report.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

ScoredPoint point(const char* id, double measured, double predicted) {
  ScoredPoint point;
  point.id = id;
  point.gpu = "t4";
  point.kernel = "scale";
  point.measured_ms = measured;
  point.predicted_ms = predicted;
  return point;
}

Validation one_set() {
  ValidatedSet set;
  set.name = "made";
  set.title = "a < b";
  set.points = {point("made/1", 1, 1.1), point("made/2", 2, 1), point("made/<3>", 4, 4)};
  ScoreLine line;
  line.scores.points = 3;
  line.scores.mape = 0.2;
  line.scores.spearman = std::numeric_limits<double>::quiet_NaN();
  set.lines.push_back(line);
  set.baselines.push_back({"constant", "the same time", 0.5, 0});
  Validation validation;
  validation.sets.push_back(set);
  validation.options = "made.toml";
  return validation;
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    ++found;
  }
  return found;
}

TEST(ValidationPage, ShowsEveryPointInBothPlotsAndTheWorstFirst) {
  const std::string page = validation_page(one_set());
  EXPECT_EQ(count(page, "<circle"), 6U);
  const std::size_t worst = page.find("points most wrong");
  ASSERT_NE(worst, std::string::npos);
  EXPECT_LT(page.find("made/2", worst), page.find("made/1", worst));
  EXPECT_NE(page.find("-50.0 %"), std::string::npos);
  EXPECT_NE(page.find("20.0 %"), std::string::npos);
}

TEST(ValidationPage, EscapesWhatFilesBring) {
  const std::string page = validation_page(one_set());
  EXPECT_EQ(page.find("a < b"), std::string::npos);
  EXPECT_EQ(page.find("made/<3>"), std::string::npos);
  EXPECT_NE(page.find("a &lt; b"), std::string::npos);
}

TEST(ValidationPage, PointsApartAndRefusalsAreNotDrawn) {
  Validation validation = one_set();
  validation.sets[0].points[0].apart = "older";
  validation.sets[0].points[1].error = "no such GPU";
  EXPECT_EQ(count(validation_page(validation), "<circle"), 2U);
  validation.sets[0].points[2].error = "no such GPU";
  EXPECT_EQ(count(validation_page(validation), "<svg"), 0U);
}

TEST(ValidationPage, SeveralSetsBeginWithALineEach) {
  Validation validation = one_set();
  EXPECT_EQ(validation_page(validation).find("all sets"), std::string::npos);
  validation.sets.push_back(validation.sets[0]);
  EXPECT_NE(validation_page(validation).find("all sets"), std::string::npos);
}

TEST(ValidationPage, TheWorstCarryTheirReport) {
  Validation validation = one_set();
  Result result;
  result.id = "made/2";
  result.kernel.name = "scale";
  result.time_ms = 1;
  validation.sets[0].worst.push_back(result);
  const std::string page = validation_page(validation);
  EXPECT_EQ(count(page, "<details>"), 1U);
  EXPECT_NE(page.find("2 ms measured, 1 ms predicted, -50.0 %"), std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
