// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <gtest/gtest.h>

#include "hardware/database.h"

namespace forewarp {
namespace {

TEST(Data, EveryBoardLoads) {
  const HardwareDatabase database{FOREWARP_DATA_DIR};
  ASSERT_FALSE(database.ids().empty());
  for (const std::string& id : database.ids()) {
    const auto gpu = database.load(id);
    ASSERT_TRUE(gpu) << id << ": " << gpu.error().line();
  }
}

}  // namespace
}  // namespace forewarp
