// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "memory/memory_profile.h"
#include "prediction/execution_report.h"

namespace forewarp::tests {
namespace {

TEST(FetchNotes, TrafficOfTexturesIsNamedAsNotCharged) {
  MemoryProfile memory;
  std::vector<Result::Finding> findings;
  note_fetches(memory, findings);
  EXPECT_TRUE(findings.empty());
  memory.fetch_requests = 131'072;
  note_fetches(memory, findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, "texture-traffic");
  EXPECT_NE(findings[0].text.find("131,072 requests to textures and surfaces"), std::string::npos)
      << findings[0].text;
}

}  // namespace
}  // namespace forewarp::tests
