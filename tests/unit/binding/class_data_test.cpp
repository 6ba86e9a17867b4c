// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The instruction classes of the program layer against the rows of data/isa.
#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "program/opcode.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

TEST(ClassData, EveryGenerationTimesEveryClassAndNoOther) {
  const HardwareDatabase database{FOREWARP_DATA_DIR};
  for (const std::string& id : database.ids()) {
    const auto gpu = database.load(id);
    ASSERT_TRUE(gpu) << gpu.error().line();
    for (std::size_t c = 0; c < static_cast<std::size_t>(InstructionClass::count_); ++c) {
      const std::string name(class_name(static_cast<InstructionClass>(c)));
      const auto found = gpu->classes.find(name);
      ASSERT_NE(found, gpu->classes.end()) << gpu->isa << ": " << name;
      EXPECT_FALSE(found->second.pipe.empty()) << gpu->isa << ": " << name;
      EXPECT_GT(found->second.latency, 0) << gpu->isa << ": " << name;
    }
    for (const auto& [name, timing] : gpu->classes) {
      const bool known = class_by_name(name) != InstructionClass::unknown || name == "unknown";
      EXPECT_TRUE(known) << gpu->isa << ": " << name;
    }
    for (const LatencyRules& rules : gpu->rules) {
      for (const auto& [name, cycles] : rules.latency) {
        static constexpr std::array<std::string_view, 8> others = {
            "global",      "shared",       "local",        "constant",
            "fence_block", "fence_device", "fence_system", "atomic_return"};
        const bool other = std::find(others.begin(), others.end(), name) != others.end();
        std::string_view plain = name;  // "CLASS_to_others": where the consumer decides
        if (plain.ends_with("_to_others"))
          plain.remove_suffix(std::string_view("_to_others").size());
        const bool known = class_by_name(plain) != InstructionClass::unknown || plain == "unknown";
        EXPECT_TRUE(other || known) << gpu->isa << ' ' << rules.name << ": " << name;
      }
    }
  }
}

TEST(ClassData, FloatingPointRateMatchesTheCudaCores) {
  const HardwareDatabase database{FOREWARP_DATA_DIR};
  for (const std::string& id : database.ids()) {
    const auto gpu = database.load(id);
    ASSERT_TRUE(gpu) << gpu.error().line();
    // lanes x cycles = threads of a warp
    EXPECT_NEAR(gpu->classes.at("fp32").cycles * gpu->core_lanes, gpu->limits.warp_lanes, 1e-4)
        << id;
  }
}

}  // namespace
}  // namespace forewarp::tests
