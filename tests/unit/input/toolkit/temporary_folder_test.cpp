// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolder, GoesWithItsObject) {
  fs::path path;
  {
    const auto folder = input::TemporaryFolder::create();
    ASSERT_TRUE(folder) << folder.error().line();
    path = folder->path();
    std::ofstream(path / "a") << "text";
    EXPECT_TRUE(fs::is_directory(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

// No process has the highest number; 1 always runs.
TEST(TemporaryFolder, ThoseOfEndedProcessesGoWithTheNext) {
  const fs::path dead = fs::temp_directory_path() / "forewarp-2147483647-abcdef";
  const fs::path alive = fs::temp_directory_path() / "forewarp-1-abcdef";
  const fs::path other = fs::temp_directory_path() / "forewarp-x-abcdef";
  for (const fs::path& folder : {dead, alive, other}) fs::create_directories(folder / "in");
  ASSERT_TRUE(input::TemporaryFolder::create());
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(alive));
  EXPECT_TRUE(fs::exists(other));
  fs::remove_all(alive);
  fs::remove_all(other);
}

TEST(TemporaryFolder, ASignalRemovesAllOfOnesOwn) {
  const auto folder = input::TemporaryFolder::create();
  ASSERT_TRUE(folder) << folder.error().line();
  input::TemporaryFolder::remove_own();
  EXPECT_FALSE(fs::exists(folder->path()));
}

}  // namespace
}  // namespace forewarp::tests
