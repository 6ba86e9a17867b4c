// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <thread>
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

/// A named pipe; what is done to it takes its time in seconds.
class Pipe : public WriteFile {
 protected:
  Pipe() : pipe_(folder_ / "pipe") { EXPECT_EQ(::mkfifo(pipe_.c_str(), 0600), 0); }

  template <class Call>
  static double seconds_of(Call call) {
    const auto began = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  }

  fs::path pipe_;
  static constexpr double patience_s = 4;
};

TEST_F(Pipe, ThatNobodyWritesToIsRefusedInTime) {
  const std::string line =
      pipe_.string() + ": is a pipe that nobody writes to; expected a file, or a writer";
  EXPECT_LT(seconds_of([&] { EXPECT_EQ(base::read_file(pipe_).error().line(), line); }),
            patience_s);
  EXPECT_LT(seconds_of([&] { EXPECT_EQ(base::FileStream::open(pipe_).error().line(), line); }),
            patience_s);
  EXPECT_LT(seconds_of([&] {
              EXPECT_EQ(base::MappedFile::open(pipe_).error().line(),
                        pipe_.string() + ": is not a regular file");
            }),
            patience_s);
}

TEST_F(Pipe, ThatNobodyReadsIsRefusedInTime) {
  EXPECT_LT(seconds_of([&] {
              EXPECT_EQ(
                  base::write_file(pipe_, "x").error().line(),
                  pipe_.string() + ": is a pipe that nobody reads; expected a file, or a reader");
            }),
            patience_s);
}

// A writer may begin late, pause for longer than nobody is waited for, and write nothing.
TEST_F(Pipe, IsReadToItsEndWheneverItsWriterComes) {
  const auto write_late = [&](const std::string& first, int pause_ms, const std::string& second) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const int file = ::open(pipe_.c_str(), O_WRONLY);
    EXPECT_EQ(::write(file, first.data(), first.size()), static_cast<ssize_t>(first.size()));
    std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
    EXPECT_EQ(::write(file, second.data(), second.size()), static_cast<ssize_t>(second.size()));
    ::close(file);
  };
  for (const int pause_ms : {0, 2500}) {
    std::thread writer([&] { write_late("one ", pause_ms, "two"); });
    const auto text = base::read_file(pipe_);
    writer.join();
    ASSERT_TRUE(text) << text.error().line();
    EXPECT_EQ(*text, "one two");
  }
  std::thread writer([&] { write_late("a\n", 100, "b"); });
  const auto lines = base::FileStream::open(pipe_);
  ASSERT_TRUE(lines);
  std::string first, second;
  std::getline(**lines, first);
  std::getline(**lines, second);
  writer.join();
  EXPECT_EQ(first + '|' + second, "a|b");
}

}  // namespace
}  // namespace forewarp::tests
