// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/tuners/edited_source.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"

namespace forewarp::tests {
namespace {

class EditedSource : public testing::Test {
 protected:
  void SetUp() override {
    file_ = std::filesystem::temp_directory_path() /
            ("forewarp-edit-" + std::to_string(::getpid()) + ".cu");
  }
  void TearDown() override { std::filesystem::remove(file_); }

  std::string edited(const std::string& text, const Replacements& replacements) {
    std::ofstream(file_) << text;
    const auto copy = edited_source(file_, replacements);
    EXPECT_TRUE(copy) << copy.error().line();
    if (!copy) return {};
    const auto content = read_file(*copy);
    std::filesystem::remove(*copy);
    return content ? *content : "";
  }

  std::filesystem::path file_;
};

TEST_F(EditedSource, NamesAreMetWhole) {
  EXPECT_EQ(edited("unroll N\nunroll N_X\nunroll MN", {{"unroll N", "unroll 4"}}),
            "unroll 4\nunroll N_X\nunroll MN");
}

TEST_F(EditedSource, TheLongestWinsAndNothingIsReplacedTwice) {
  EXPECT_EQ(edited("a b|a", {{"a", "b"}, {"a b", "x"}, {"b", "c"}, {"|", "b"}}), "xbb");
}

TEST_F(EditedSource, RefusesATextThatIsNotThere) {
  std::ofstream(file_) << "unroll N_X";
  const auto copy = edited_source(file_, {{"unroll N", "4"}});
  ASSERT_FALSE(copy);
  EXPECT_EQ(copy.error().line(),
            file_.string() +
                ": has no text 'unroll N' to replace; expected the source that "
                "the description was written for");
}

}  // namespace
}  // namespace forewarp::tests
