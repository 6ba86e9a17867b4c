// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/option_range.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "model/model.h"

namespace forewarp::tests {
namespace {

std::string refusal(const char* model, const std::string& name, const std::string& value,
                    const Gpu* gpu = nullptr) {
  const auto values = (*models().find(model))->parse_options({{name, value}}, gpu);
  return values ? "read" : values.error().line();
}

TEST(OptionRange, EveryNumberOfEveryModelDeclaresOne) {
  for (const auto& model : models().entries()) {
    for (const ModelOption& option : model->options()) {
      if (option.kind != "number") continue;
      EXPECT_TRUE(option.range.is_declared()) << model->name() << "." << option.name;
      EXPECT_TRUE(option.range.has(*parse_number(option.default_value))) << option.name;
      EXPECT_FALSE(option.range.has(-1)) << model->name() << "." << option.name;
      EXPECT_FALSE(option.range.has(1e300)) << model->name() << "." << option.name;
    }
  }
}

TEST(OptionRange, NumbersOutOfItAreRefused) {
  EXPECT_EQ(refusal("gajger", "gajger.launch", "-5"),
            "option gajger.launch: '-5' is not a value of it; expected a number from 0 to 1000000; "
            "'forewarp model show gajger' tells what it does");
  for (const char* value : {"0.01", "-1", "1001", "nan", "much"}) {
    EXPECT_NE(refusal("gajger", "saturation", value).find("0, or a number from 1 to 1000"),
              std::string::npos)
        << value;
  }
  EXPECT_NE(refusal("gajger", "lambda", "-1").find("0, or a number from 0.001 to 1000"),
            std::string::npos);
  EXPECT_NE(refusal("sim", "group", "2.5").find("a whole number from 1 to 64"), std::string::npos);
  EXPECT_NE(refusal("bsp", "lambda", "0").find("a number from 0.001"), std::string::npos);
  for (const char* value : {"0", "1", "1000", "7.5"}) {
    EXPECT_EQ(refusal("gajger", "saturation", value), "read") << value;
  }
}

TEST(OptionRange, ABoardHoldsSoManyWarps) {
  Gpu gpu;
  gpu.name = "a board";
  gpu.limits.warps_per_sm = 64;
  for (const char* model : {"gajger", "volkov"}) {
    EXPECT_EQ(refusal(model, "occupancy", "64", &gpu), "read");
    EXPECT_EQ(refusal(model, "occupancy", "65"), "read");  // no board is known yet
    EXPECT_NE(refusal(model, "occupancy", "65", &gpu)
                  .find("expected 0, or a number from 0.001 to 64, as many as fit on a board;"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace forewarp::tests
