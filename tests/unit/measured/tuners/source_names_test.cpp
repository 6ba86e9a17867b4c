// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/tuners/source_names.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

std::string source(const std::string& text) {
  const auto path = std::filesystem::path(testing::TempDir()) / "named.cu";
  std::ofstream(path) << text;
  return path.string();
}

TEST(SourceNames, AreThoseOfTheSourceTheKernelAndTheCompiler) {
  const auto names =
      read_source_names(source("int x = TILE*2;"), "sum<WIDE>", {"-DBASE=STEP", "-O3"});
  ASSERT_TRUE(names);
  for (const char* word : {"TILE", "WIDE", "STEP", "DBASE"}) EXPECT_TRUE(names->may_name(word));
  for (const char* word : {"TIL", "TILES", "OTHER"}) EXPECT_FALSE(names->may_name(word)) << word;
}

TEST(SourceNames, MayBeAnyWhereTheyArePastedOrLieElsewhere) {
  EXPECT_TRUE(read_source_names(source("#define A(x) x##_t"), "", {})->may_name("OTHER"));
  EXPECT_TRUE(read_source_names(source("int x;"), "", {"-Iother"})->may_name("OTHER"));
  EXPECT_FALSE(read_source_names("no/such.cu", "", {}));
}

}  // namespace
}  // namespace forewarp::tests
