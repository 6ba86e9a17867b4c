// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/library_tables.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "test_paths.h"

namespace forewarp::tests {
namespace {

std::string changed_libraries(const std::string& from, const std::string& to) {
  std::ifstream file(std::string(FOREWARP_DATA_DIR) + "/libraries/nvidia.toml");
  std::ostringstream text;
  text << file.rdbuf();
  std::string whole = text.str();
  whole.replace(whole.find(from), from.size(), to);
  return whole;
}

std::string library_fault(const std::string& from, const std::string& to) {
  const auto tables = parse_library_tables(changed_libraries(from, to), "t.toml");
  if (tables) return "read";
  const std::string line = tables.error().line();
  return line.substr(line.find(' ') + 1);
}

TEST(LibraryTables, AreRead) {
  const auto tables = load_library_tables(FOREWARP_DATA_DIR);
  ASSERT_TRUE(tables) << tables.error().line();
  EXPECT_EQ(tables->fp32.tiles.size(), 7U);
  EXPECT_EQ(tables->products(hardware::ProductUnit::tensor).tiles[0].rows, 256);
  EXPECT_GT(tables->products(hardware::ProductUnit::fp32).share_common, 0);
  EXPECT_EQ(tables->products(hardware::ProductUnit::fp64).tiles[0].columns, 64);
}

TEST(LibraryTables, RefuseWhatIsNotThem) {
  EXPECT_EQ(library_fault("rows = { value = [128, 64, 64, 32]", "rows = { value = [128, 64]"),
            "'fp64.columns' is 4 numbers; expected as many as there are rows and shares of the "
            "issue; see docs/data.md");
  EXPECT_EQ(library_fault("share = { value = 0.92", "share = { value = 0"),
            "'fp64.share' is 0; expected a number above zero; see docs/data.md");
  EXPECT_EQ(library_fault("xorwow = { value = 12, unit = \"1\" }",
                          "xorwow = { value = 12, unit = \"us\" }"),
            "'random.xorwow' is in 'us'; expected a number with the unit 1; see docs/data.md");
  EXPECT_EQ(library_fault("least_depth = {", "least = {"),
            "'split.least_depth' is missing; expected a number; see docs/data.md");
}

}  // namespace
}  // namespace forewarp::tests
