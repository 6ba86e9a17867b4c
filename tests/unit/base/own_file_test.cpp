// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/own_file.h"

#include <filesystem>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

TEST(OwnFile, IsTheProgramWhereNothingElseHoldsTheCode) {
  EXPECT_EQ(base::own_file(), std::filesystem::read_symlink("/proc/self/exe"));
}

}  // namespace
}  // namespace forewarp::tests
