// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/temporary_folder.h"

#include <atomic>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <sys/file.h>
#include <thread>
#include <unistd.h>
#include <vector>

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

/// A folder as a process that was killed leaves it; a process that lives holds the lock.
fs::path folder_with_lock(const std::string& name) {
  const fs::path folder = fs::temp_directory_path() / name;
  fs::create_directories(folder / "in");
  fs::permissions(folder, fs::perms::owner_all);
  std::ofstream(folder / ".forewarp-lock");
  return folder;
}

TEST(TemporaryFolder, ThoseOfEndedProcessesGoWithTheNext) {
  const fs::path dead = folder_with_lock("forewarp-1-1-abcdef");
  const fs::path alive = folder_with_lock("forewarp-2147483647-1-abcdef");
  const int held = ::open((alive / ".forewarp-lock").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  const auto first = input::TemporaryFolder::create();
  const auto second = input::TemporaryFolder::create();
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(alive));
  EXPECT_TRUE(fs::exists(first->path()));  // of this process, and in use
  ::close(held);
  fs::remove_all(alive);
}

// A user may call a folder as he likes.
TEST(TemporaryFolder, ThoseWithoutOurLockStay) {
  const fs::path plain = fs::temp_directory_path() / "forewarp-2147483647-results";
  const fs::path open = folder_with_lock("forewarp-2147483647-open");
  const fs::path filled = folder_with_lock("forewarp-2147483647-filled");
  fs::create_directories(plain / "in");
  fs::permissions(plain, fs::perms::owner_all);
  fs::permissions(open, fs::perms::owner_all | fs::perms::group_read);
  std::ofstream(filled / ".forewarp-lock") << "text";
  ASSERT_TRUE(input::TemporaryFolder::create());
  for (const fs::path& folder : {plain, open, filled}) {
    EXPECT_TRUE(fs::exists(folder)) << folder;
    fs::remove_all(folder);
  }
}

// Making one takes two steps, and a process that starts removes what nobody has locked.
TEST(TemporaryFolder, ManyAtATimeKeepTheirs) {
  std::atomic<int> lost = 0;
  const auto make = [&] {
    for (int i = 0; i < 200; ++i) {
      const auto folder = input::TemporaryFolder::create();
      std::ofstream(folder->path() / "a") << "text";
      if (!fs::exists(folder->path() / "a")) ++lost;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(make);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(lost, 0);
}

TEST(TemporaryFolder, ASignalRemovesAllOfOnesOwn) {
  const auto folder = input::TemporaryFolder::create();
  ASSERT_TRUE(folder) << folder.error().line();
  input::TemporaryFolder::remove_own();
  EXPECT_FALSE(fs::exists(folder->path()));
}

}  // namespace
}  // namespace forewarp::tests
