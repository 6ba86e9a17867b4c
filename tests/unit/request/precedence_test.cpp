// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Who wins where more than one place gives a value, row by row of the table.
#include "request/options/precedence.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

/// A value of each row from each place that may give it.
struct Places {
  Case request;
  PredictOptions options;

  void give(std::string_view value, Origin origin) {
    const bool asked = origin == Origin::command_line;
    if (value == "gpu") asked ? void(options.gpus = {"asked"}) : void(request.gpu = "filed");
    if (value == "link") (asked ? options.link : request.link) = asked ? "asked" : "filed";
    if (value == "clock") {
      (asked ? options.clock : request.clock) =
          ClockChoice{ClockChoice::Kind::stated, asked ? 1000.0 : 500.0};
    }
    if (value == "timing") (asked ? options.timing : request.timing) = Timing::event;
    if (value == "repeat") (asked ? options.repeat : request.repeat) = Repeat::warm;
    if (value == "overhead_us") {
      if (asked) options.timing = Timing::stream;
      if (!asked) request.overhead_us = 2.5;
    }
    if (value == "budget") options.budget_seconds = 3;
  }

  [[nodiscard]] Origin origin(std::string_view value) const {
    if (value == "gpu") return gpu_of(request, options).origin;
    if (value == "link") return link_of(request, options).origin;
    if (value == "clock") return clock_of(request, options).origin;
    if (value == "timing") return timing_of(request, options).origin;
    if (value == "repeat") return repeat_of(request, options).origin;
    if (value == "overhead_us") return overhead_of(request, options).origin;
    return budget_of(options).origin;
  }
};

TEST(Precedence, NobodyGivesTheDefault) {
  for (const Precedence& row : precedence()) {
    EXPECT_EQ(Places{}.origin(row.value), Origin::fallback) << row.value;
    EXPECT_FALSE(row.fallback_text.empty()) << row.value;
  }
}

TEST(Precedence, EachPlaceAloneAndTheStrongestOfAll) {
  for (const Precedence& row : precedence()) {
    Places all;
    for (const Origin origin : row.wins) {
      if (origin == Origin::fallback) break;
      Places one;
      one.give(row.value, origin);
      EXPECT_EQ(one.origin(row.value), origin) << row.value << " " << origin_name(origin);
      all.give(row.value, origin);
    }
    EXPECT_EQ(all.origin(row.value), row.wins.front()) << row.value;
  }
}

TEST(Precedence, TheValueIsThatOfTheWinner) {
  Places both;
  for (const char* value : {"gpu", "link", "clock"}) {
    both.give(value, Origin::file);
    both.give(value, Origin::command_line);
  }
  EXPECT_EQ(gpu_of(both.request, both.options).value, "asked");
  EXPECT_EQ(link_of(both.request, both.options).value, "asked");
  EXPECT_EQ(clock_of(both.request, both.options).value.megahertz, 1000);
  both.options = {};
  EXPECT_EQ(gpu_of(both.request, both.options).value, "filed");
  EXPECT_EQ(clock_of(both.request, both.options).value.megahertz, 500);
}

// The figure of a harness holds for its own way of timing: another way takes the board's.
TEST(Precedence, AskingForATimingLeavesOutTheHarnesssOverhead) {
  Places places;
  places.request.overhead_us = 2.5;
  EXPECT_EQ(overhead_of(places.request, places.options).value, 2.5);
  places.options.timing = Timing::device;
  EXPECT_FALSE(overhead_of(places.request, places.options).value);
}

}  // namespace
}  // namespace forewarp::tests
