// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "forewarp/progress.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using cli::Progress;

/// A screen with a clock that the test sets.
struct Watched {
  double now = 100;
  std::vector<std::string> written;
  Progress::Screen screen(bool terminal) {
    return {terminal, [this] { return now; },
            [this](const std::string& text) { written.push_back(text); }};
  }
};

TEST(Progress, SaysNothingOfWhatIsDoneWithinTwoSeconds) {
  Watched watched;
  Progress progress(Progress::Wanted::always, watched.screen(true));
  for (std::size_t i = 1; i <= 20; ++i, watched.now += 0.1) progress("sweep", i, 20);
  EXPECT_TRUE(watched.written.empty());
}

TEST(Progress, DrawsABarWithRateAndTimeLeftOnATerminal) {
  Watched watched;
  {
    Progress progress(Progress::Wanted::usual, watched.screen(true));
    progress("sweep", 1, 100);
    watched.now += 5;
    progress("sweep", 50, 100);  // 50 in 5 s: 10/s, so 5 s for the other 50
    ASSERT_EQ(watched.written.size(), 1U);
    EXPECT_EQ(watched.written[0].substr(0, 84), "\rsweep                [####################" +
                                                    std::string(20, ' ') + "] 50 of 100  10/s, 0:");
    EXPECT_NE(watched.written[0].find("10/s, 0:05 left"), std::string::npos);
    progress("sweep", 51, 100);  // at the same moment: not drawn again
    EXPECT_EQ(watched.written.size(), 1U);
    watched.now += 5;
    progress("sweep", 100, 100);
    ASSERT_EQ(watched.written.size(), 3U);
    EXPECT_EQ(watched.written[2], "\n");
  }
  EXPECT_EQ(watched.written.size(), 3U);
}

TEST(Progress, EndsTheLineOfARunThatWasEnded) {
  Watched watched;
  {
    Progress progress(Progress::Wanted::usual, watched.screen(true));
    progress("cases", 1, 0);
    watched.now += 4;
    progress("cases", 8, 0);
    ASSERT_EQ(watched.written.size(), 1U);
    EXPECT_EQ(watched.written[0].substr(0, 30), "\rcases                8 done  ");
  }
  EXPECT_EQ(watched.written.back(), "\n");
}

TEST(Progress, SaysALineNowAndThenWhereItIsAskedForWithoutATerminal) {
  Watched watched;
  Progress progress(Progress::Wanted::always, watched.screen(false));
  for (std::size_t i = 1; i <= 95; ++i, watched.now += 0.125) progress("tune", i, 1200);
  // After 2 s, which are 16 steps, and 5 s later; the last one is at 11.75 s.
  ASSERT_EQ(watched.written.size(), 2U);
  EXPECT_EQ(watched.written[0].substr(0, 28), "forewarp: tune: 17 of 1200, ");
  EXPECT_EQ(watched.written[0].back(), '\n');
}

TEST(Progress, SaysALineEveryHalfMinuteInALogThatNobodyAskedFor) {
  Watched watched;
  Progress progress(Progress::Wanted::usual, watched.screen(false));
  for (std::size_t i = 1; i <= 80; ++i, ++watched.now) progress("tune", i, 1200);
  ASSERT_EQ(watched.written.size(), 2U);  // after 30 and 60 s
  EXPECT_EQ(watched.written[0].substr(0, 28), "forewarp: tune: 31 of 1200, ");
}

TEST(Progress, SaysNothingOfAShortRunInALog) {
  Watched watched;
  Progress progress(Progress::Wanted::usual, watched.screen(false));
  for (std::size_t i = 1; i <= 29; ++i, ++watched.now) progress("tune", i, 29);
  EXPECT_TRUE(watched.written.empty());
}

TEST(Progress, IsSilentWhereThatIsAskedFor) {
  Watched watched;
  Progress progress(Progress::Wanted::never, watched.screen(true));
  progress("sweep", 1, 100);
  watched.now += 50;
  progress("sweep", 50, 100);
  EXPECT_TRUE(watched.written.empty());
  EXPECT_EQ(cli::progress_wanted(true, true), Progress::Wanted::never);
  EXPECT_EQ(cli::progress_wanted(false, true), Progress::Wanted::always);
  EXPECT_EQ(cli::progress_wanted(false, false), Progress::Wanted::usual);
}

}  // namespace
}  // namespace forewarp::tests
