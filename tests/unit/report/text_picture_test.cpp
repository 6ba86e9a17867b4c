// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/sinks/text_picture.h"

#include <gtest/gtest.h>

namespace forewarp::report {
namespace {

using Lines = std::vector<std::string>;

constexpr int twenty_columns = 0;  // the fewest that a picture has

Lanes two_lanes() {
  Lanes lanes;
  lanes.x_title = "cycles";
  lanes.end = 40;
  lanes.kinds = {{"busy", '#', 0}, {"late", 'l', 1}};
  lanes.lanes = {{"a", {{0, 20, 0}, {20, 21.5, 1}, {30, 40, 0}}}, {"bb", {{0, 1, 1}, {1, 2, 0}}}};
  return lanes;
}

TEST(TextPicture, AColumnShowsWhatTakesMostOfIt) {
  // 40 cycles in 20 columns of 2: the piece of 20 to 21.5 fills column 10, nothing 11 to 14.
  EXPECT_EQ(lane_lines(two_lanes(), twenty_columns),
            (Lines{"a   ##########l    #####", "bb  #", "    0          40 cycles",
                   "    # busy, l late"}));
}

TEST(TextPicture, OfEqualTimesTheFirstKindIsShown) {
  Lanes lanes = two_lanes();
  std::swap(lanes.kinds[0], lanes.kinds[1]);
  EXPECT_EQ(lane_lines(lanes, twenty_columns)[1], "bb  l");
}

TEST(TextPicture, LanesWithoutAnEndAreNotDrawn) {
  Lanes lanes = two_lanes();
  lanes.end = 0;
  EXPECT_TRUE(lane_lines(lanes, 100).empty());
  lanes.end = 40;
  lanes.lanes.clear();
  EXPECT_TRUE(lane_lines(lanes, 100).empty());
}

TEST(TextPicture, ACourseIsInTenthsOfItsScale) {
  Curve curve;
  curve.x_title = "cycles";
  curve.y_title = "w";
  curve.points = {{0, 64}, {10, 32}, {15, 6.3}};
  curve.y_top = 64;
  curve.x_end = 20;
  // A column per cycle: all is 10 tenths, shown as 9; 32 is 5; 6.3 is 0.98 of a tenth.
  EXPECT_EQ(
      course_lines(curve, twenty_columns),
      (Lines{"w  99999999995555500000", "   0          20 cycles", "   digits are tenths of 64"}));
  curve.points.clear();
  EXPECT_TRUE(course_lines(curve, twenty_columns).empty());
}

}  // namespace
}  // namespace forewarp::report
