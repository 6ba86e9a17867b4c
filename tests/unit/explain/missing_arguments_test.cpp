// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/missing_arguments.h"

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

}  // namespace
}  // namespace forewarp::tests
