// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/missing_arguments.h"

#include <gtest/gtest.h>

#include "request/argument_text.h"

namespace forewarp::tests {
namespace {

Kernel with_parameters() {
  Kernel kernel;
  kernel.name = "k";
  kernel.parameters_source = FactSource::section_info;
  kernel.parameters = {{"n", "int", 0, 4, false},
                       {"x", "float*", 8, 8, true},
                       {"box", "Box", 16, 24, false},
                       {"", "", 40, 4, false}};
  return kernel;
}

TEST(MissingArguments, AreNamedWithTheWordsThatGiveThem) {
  const Kernel kernel = with_parameters();
  const auto bound = bind_arguments(kernel, {*parse_argument("n=7")});
  ASSERT_TRUE(bound);
  EXPECT_EQ(missing_arguments(kernel, *bound), "x (float*), box (Box), #3 (4 bytes)");
  EXPECT_EQ(options_of_missing(kernel, *bound),
            "--arg x=buffer:BYTES --arg box=hex:BYTES --arg 3=NUMBER");
}

TEST(MissingArguments, NothingIsMissingWhereAllIsGiven) {
  Kernel kernel = with_parameters();
  kernel.parameters.resize(1);
  const auto bound = bind_arguments(kernel, {*parse_argument("n=7")});
  ASSERT_TRUE(bound);
  EXPECT_EQ(missing_arguments(kernel, *bound), "");
  EXPECT_EQ(options_of_missing(kernel, *bound), "");
}

TEST(MissingArguments, AreAskedForOnce) {
  Kernel kernel = with_parameters();
  kernel.parameters.resize(2);
  const auto bound = bind_arguments(kernel, {});
  ASSERT_TRUE(bound);
  const Diagnostic analysis{"k", "the passes of the loop depend on an argument", "",
                            "give --arg, or --trip 0x10=N"};
  const Diagnostic execution{"k 0x08", "it comes from parameter n, which no argument gives", "",
                             "give it by --arg n=VALUE, or --assume-branch 0x08=P"};
  EXPECT_EQ(
      without_counts(analysis, execution, kernel, *bound).line(),
      "k: not given: n (int), x (float*); the passes of the loop depend on an argument; executing "
      "it stops: k 0x08: it comes from parameter n, which no argument gives; add --arg n=NUMBER "
      "--arg x=buffer:BYTES; or --trip 0x10=N, "
      "or --assume-branch 0x08=P");
  EXPECT_EQ(without_counts(analysis, {}, kernel, *bound).line(),
            "k: not given: n (int), x (float*); the passes of the loop depend on an argument; add "
            "--arg n=NUMBER --arg x=buffer:BYTES; or --trip 0x10=N");
  // What a buffer contains is more than that it is given.
  Diagnostic content = execution;
  content.way_out = "give it by --arg x=buffer:BYTES:random:1";
  EXPECT_EQ(without_counts(analysis, content, kernel, *bound).way_out,
            "add --arg n=NUMBER --arg x=buffer:BYTES; or --trip 0x10=N, or give it by --arg "
            "x=buffer:BYTES:random:1");
}

TEST(MissingArguments, OtherReasonsStandAsTheyAre) {
  Kernel kernel = with_parameters();
  kernel.parameters.resize(1);
  const auto bound = bind_arguments(kernel, {*parse_argument("n=7")});
  ASSERT_TRUE(bound);
  const Diagnostic analysis{"k", "no trip count", "", "give --arg, or --trip 0x10=N"};
  const Diagnostic execution{"k 0x08", "unknown", "", "give it by --arg n=VALUE"};
  EXPECT_EQ(
      without_counts(analysis, execution, kernel, *bound).line(),
      "k: no trip count; executing it stops: k 0x08: unknown; give --arg, or --trip 0x10=N, or "
      "give it by --arg n=VALUE");
  const Diagnostic endless{"k", "the loop runs until a word changes", "", ""};
  EXPECT_EQ(without_counts(endless, execution, kernel, *bound).way_out, "give it by --arg n=VALUE");
  const Diagnostic nothing{"k 0x08", "unknown", "", ""};
  EXPECT_EQ(without_counts(analysis, nothing, kernel, *bound).way_out,
            "give --arg, or --trip 0x10=N");
}

}  // namespace
}  // namespace forewarp::tests
