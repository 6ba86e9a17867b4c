// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Results as they are kept in the cache.
#include "result/result_archive.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "full_result.h"

namespace forewarp::tests {
namespace {

TEST(ResultArchive, EveryMemberComesBack) {
  Result full = full_result();
  for (const bool profile : {false, true}) {
    full.profile_only = profile;
    const auto again = unpack_result(pack_result(full));
    ASSERT_TRUE(again);
    EXPECT_TRUE(*again == full);
  }
  full.error = Diagnostic{"", "no such kernel", "", ""};
  const auto again = unpack_result(pack_result(full));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->error, full.error);
}

TEST(ResultArchive, ATruncatedOneIsNone) {
  const std::string body = pack_result(full_result());
  for (std::size_t size = 0; size < body.size(); ++size) {
    EXPECT_FALSE(unpack_result(std::string_view(body).substr(0, size))) << size;
  }
  EXPECT_FALSE(unpack_result(body + "x"));
}

}  // namespace
}  // namespace forewarp::tests
