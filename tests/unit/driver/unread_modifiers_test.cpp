// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A modifier whose effect nobody knows is in the result.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "driver/predictor.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

TEST(UnreadModifierFinding, NamesTheModifierAndTheInstruction) {
  const auto file = std::filesystem::path(testing::TempDir()) / "unread_modifier.sass";
  std::ofstream(file) << "\tcode for sm_80\n\t\tFunction : k\n"
                         "\t/*0000*/ IADD3.TWICE R0, R0, R0, RZ ;\n"
                         "\t/*0010*/ IADD3.X R0, R0, R0, RZ, P0, !PT ;\n"
                         "\t/*0020*/ EXIT ;\n";
  Case request;
  request.input = file.string();
  request.gpu = "a100-sxm-40";
  request.launch.grid = {1, 1, 1};
  request.launch.block = {32, 1, 1};
  PredictOptions options;
  options.cache = false;
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  const auto result = predictor.predict(request, request.gpu, options, {});
  std::filesystem::remove(file);
  ASSERT_TRUE(result) << result.error().line();
  std::string found;
  for (const Result::Finding& finding : result->findings) {
    if (finding.kind == "unread-modifiers") found += finding.text;
  }
  EXPECT_EQ(found,
            "it is not known what .TWICE of 0x0000 'IADD3.TWICE R0, R0, R0, RZ' "
            "does to values: executed as if it did nothing");
}

}  // namespace
}  // namespace forewarp::tests
