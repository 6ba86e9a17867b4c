// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/code_release.h"

#include <gtest/gtest.h>

#include "byte_files.h"

namespace forewarp::tests {
namespace {

const std::string note = ".note.nv.tkinfo";

std::string said(const std::string& release) {
  return std::string("ptxas") + '\0' + "Cuda compilation tools, release " + release + ", V" +
         release + ".88";
}

TEST(CodeRelease, ReleasesCompareByNumbers) {
  EXPECT_EQ(release_in("tools, release 11.8, V11.8.86"), "11.8");
  EXPECT_EQ(release_in("version 11.8"), "");
  EXPECT_TRUE(newer_release("12.10", "12.9"));
  EXPECT_TRUE(newer_release("13", "12.9"));
  EXPECT_FALSE(newer_release("12.9", "12.9"));
  EXPECT_FALSE(newer_release("11.8", "13"));
  // What is no release is newer than nothing, and nothing is newer than it.
  EXPECT_FALSE(newer_release("", "11.8"));
  EXPECT_FALSE(newer_release("13.0", "unknown version"));
}

TEST(CodeRelease, ACubinSaysItByItsNoteElseByItsHeader) {
  const auto noted = newest_code(elf_bytes(190, 0x41, 0x6005004, said("13.1"), note), {});
  ASSERT_TRUE(noted);
  EXPECT_EQ(noted->sm, 80U);
  EXPECT_EQ(noted->release, "13.1");
  EXPECT_EQ(newest_code(elf_bytes(190, 0x33, 0x500550, said("12.4"), note), {})->release, "12.4");
  EXPECT_EQ(newest_code(elf_bytes(190, 0x41, 0x6005004), {})->release, "13");
  EXPECT_EQ(newest_code(elf_bytes(190, 0x33, 0x500550), {})->release, "");
}

TEST(CodeRelease, TheNewestOfTheArchitectureAsked) {
  const std::string file = "head" + elf_bytes(190, 0x33, 0x500550, said("12.4"), note) +
                           elf_bytes(190, 0x41, 0x6005004, said("13.0"), note) +
                           elf_bytes(190, 0x41, 0x6007802, said("13.2"), note);
  EXPECT_EQ(newest_code(file, 80)->release, "13.0");
  EXPECT_EQ(newest_code(file, 120)->release, "13.2");
  EXPECT_EQ(newest_code(file, {})->sm, 120U);
  EXPECT_FALSE(newest_code(file, 75));
  EXPECT_FALSE(newest_code(elf_bytes(62, 0, 0), {}));
  // A file that is cut short holds nothing that can be read.
  EXPECT_FALSE(newest_code(elf_bytes(190, 0x41, 0x6005004).substr(0, 80), {}));
}

}  // namespace
}  // namespace forewarp::tests
