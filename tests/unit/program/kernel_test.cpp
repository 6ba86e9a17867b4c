// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program/kernel.h"

#include <gtest/gtest.h>

#include "program/source_place.h"

namespace forewarp::tests {
namespace {

TEST(InstructionText, NamesThePlaceInTheSource) {
  Kernel kernel;
  kernel.source_files = {std::string(own_source), "sum.cuh"};
  kernel.instructions.resize(3);
  for (std::uint32_t i = 0; i < 3; ++i) kernel.instructions[i].address = 16 * i;
  kernel.instructions[1].source_line = 12;
  kernel.instructions[2].source_line = 7;
  kernel.instructions[2].source_file = 1;
  EXPECT_EQ(instruction_text(kernel, 0), "0x0000 ''");
  EXPECT_EQ(instruction_text(kernel, 1), "0x0010 '' (line 12)");  // of the source that was given
  EXPECT_EQ(instruction_text(kernel, 2), "0x0020 '' (sum.cuh:7)");
  EXPECT_EQ(instruction_text(kernel, 3), "an instruction past the end");
}

}  // namespace
}  // namespace forewarp::tests
