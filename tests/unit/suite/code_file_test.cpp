// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "code_file.h"

#include <gtest/gtest.h>

#include "test_paths.h"

namespace forewarp::tests {
namespace {

// Code of 8.0 runs on 8.6, that of 7.5 and 9.0 does not; 9.0a is code of 9.0.
TEST(CodeFile, TheNewestListedCodeOfTheSameGeneration) {
  constexpr std::string_view listing =
      "\tcode for sm_52\n..\n\tcode for sm_75\n\tcode for sm_80\n\tcode for sm_89\n\tcode for "
      "sm_90a";
  EXPECT_EQ(cli::listed_architecture(listing, 80), 80U);
  EXPECT_EQ(cli::listed_architecture(listing, 86), 80U);
  EXPECT_EQ(cli::listed_architecture(listing, 90), 90U);
  EXPECT_EQ(cli::listed_architecture(listing, 70), 0U);
  EXPECT_EQ(cli::listed_architecture(listing, 35), 0U);
  EXPECT_EQ(cli::listed_architecture("", 52), 0U);
}

// No listing of the windows is for 3.5: they are compiled.
TEST(CodeFile, WithoutListedCodeTheSource) {
  const std::filesystem::path source = FOREWARP_SOURCE_DIR "/bench/kernels/windows.cu";
  const cli::CodeFile kepler = cli::code_file(source, 35), ampere = cli::code_file(source, 86);
  EXPECT_EQ(kepler.file, source);
  EXPECT_FALSE(kepler.listing);
  EXPECT_EQ(kepler.sm, 35U);
  EXPECT_EQ(ampere.file.extension(), ".sass");
  EXPECT_EQ(ampere.sm, 80U);
}

}  // namespace
}  // namespace forewarp::tests
