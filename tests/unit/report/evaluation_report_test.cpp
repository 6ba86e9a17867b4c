// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/documents/evaluation_report.h"

#include <limits>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

ModelEvaluation with_needed(std::vector<NeededWarps> needed) {
  EvaluatedSeries series;
  series.gpu = "board";
  series.model = "volkov";
  series.most_warps = 64;
  series.needed = std::move(needed);
  ModelEvaluation evaluation;
  evaluation.title = "t";
  evaluation.series = {series};
  return evaluation;
}

// The axis of intensities is logarithmic: 0 and infinity have no place on it.
TEST(EvaluationPage, OnlyPlacesOfTheAxisAreDrawn) {
  const std::string page = evaluation_page(with_needed({{1, 10, 12}, {4, 20, 24}}));
  const double endless = std::numeric_limits<double>::infinity();
  // Compared as a truth: nobody wants two pages in a message.
  EXPECT_TRUE(page == evaluation_page(
                          with_needed({{0, 8, 9}, {1, 10, 12}, {4, 20, 24}, {endless, 30, 32}})));
  EXPECT_FALSE(page == evaluation_page(with_needed({{1, 10, 12}, {4, 21, 24}})));
}

}  // namespace
}  // namespace forewarp::tests
