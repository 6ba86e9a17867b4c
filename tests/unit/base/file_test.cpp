// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

namespace fs = std::filesystem;

/// A folder of this test's own; it goes with all in it.
class WriteFile : public testing::Test {
 protected:
  WriteFile() { fs::create_directories(folder_); }
  ~WriteFile() override { fs::remove_all(folder_); }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      found.push_back(entry.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("forewarp_file_" + std::to_string(::getpid()));
};

TEST_F(WriteFile, ReplacesAFileAndLeavesNothingElse) {
  ASSERT_TRUE(base::write_file(folder_ / "a", "one"));
  ASSERT_TRUE(base::write_file(folder_ / "a", "two"));
  EXPECT_EQ(*base::read_file(folder_ / "a"), "two");
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_F(WriteFile, OfALinkItsTargetThereOrNot) {
  fs::create_symlink("missing", folder_ / "link");
  fs::create_symlink(folder_ / "link", folder_ / "far");
  ASSERT_TRUE(base::write_file(folder_ / "far", "text"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "far"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(*base::read_file(folder_ / "missing"), "text");
}

TEST_F(WriteFile, RefusedPlacesKeepNoTrace) {
  EXPECT_EQ(base::write_file(folder_, "x").error().line(),
            folder_.string() + ": is a folder; expected a file to write");
  EXPECT_FALSE(base::write_file(folder_ / "nowhere" / "a", "x"));
  EXPECT_EQ(base::write_file("/dev/full", "x").error().line(),
            "/dev/full: cannot be written: No space left on device");
  EXPECT_TRUE(names().empty());
  EXPECT_FALSE(fs::exists("/dev/full.tmp" + std::to_string(::getpid())));
}

}  // namespace
}  // namespace forewarp::tests
