// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/lowering/data_addresses.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "execution/lowering/kernel_lowering.h"
#include "input/kernel_choice.h"
#include "listed_code.h"

namespace forewarp::tests {
namespace {

bool follow_data(const std::vector<std::string>& code) {
  const auto kernel = read_kernel(InputSource::of_text("test.sass", listing_of(code)));
  if (!kernel) ADD_FAILURE() << kernel.error().line();
  const auto program = lower_kernel(*kernel);
  if (!program) ADD_FAILURE() << program.error().line();
  return execution::addresses_follow_data(*program);
}

TEST(DataAddresses, AGatherAndAScatterFollowWhatWasLoaded) {
  EXPECT_TRUE(
      follow_data({"LDG.E R4, [R2.64]", "IMAD.WIDE R6, R4, 0x4, R8", "LDG.E R0, [R6.64]", "EXIT"}));
  EXPECT_TRUE(
      follow_data({"LDG.E R4, [R2.64]", "IMAD.WIDE R6, R4, 0x4, R8", "STG.E [R6.64], R8", "EXIT"}));
  EXPECT_TRUE(follow_data({"LDG.E R4, [R2.64]", "IMAD.WIDE R6, R4, 0x4, R8",
                           "RED.E.ADD.STRONG.GPU [R6.64], R8", "EXIT"}));
  EXPECT_TRUE(follow_data({"ATOMG.E.ADD.STRONG.GPU PT, R4, [R2.64], R5",
                           "IMAD.WIDE R6, R4, 0x4, R8", "LDG.E R0, [R6.64]", "EXIT"}));
}

TEST(DataAddresses, ACopyToSharedMemoryDoesToo) {
  EXPECT_TRUE(follow_data(
      {"LDG.E R4, [R2.64]", "IMAD.WIDE R6, R4, 0x4, R8", "LDGSTS.E [R0], [R6.64]", "EXIT"}));
  EXPECT_FALSE(follow_data({"IMAD.WIDE R6, R4, 0x4, R8", "LDGSTS.E [R0], [R6.64]", "EXIT"}));
}

// The value may take the address's own register: what is loaded there is no address then.
TEST(DataAddresses, AStreamDoesNot) {
  EXPECT_FALSE(follow_data({"IMAD.WIDE R2, R0, 0x4, R8", "LDG.E R2, [R2.64]",
                            "IMAD.WIDE R4, R0, 0x4, R8", "STG.E [R4.64], R2", "EXIT"}));
  EXPECT_FALSE(follow_data({"LDG.E R4, [R2.64]", "MOV R4, R0", "IMAD.WIDE R6, R4, 0x4, R8",
                            "LDG.E R0, [R6.64]", "EXIT"}));
  // Under a guard some lanes keep the old value.
  EXPECT_TRUE(follow_data({"LDG.E R4, [R2.64]", "@P0 MOV R4, R0", "IMAD.WIDE R6, R4, 0x4, R8",
                           "LDG.E R0, [R6.64]", "EXIT"}));
}

TEST(DataAddresses, APredicateAndALoopPassItOn) {
  EXPECT_TRUE(
      follow_data({"LDG.E R4, [R2.64]", "ISETP.GT.AND P0, PT, R4, RZ, PT", "SEL R5, R9, R10, P0",
                   "IMAD.WIDE R6, R5, 0x4, R8", "LDG.E R0, [R6.64]", "EXIT"}));
  // A list: the address of the next round is what this one loads.
  EXPECT_TRUE(follow_data(
      {"LDG.E.64 R2, [R2.64]", "ISETP.NE.AND P0, PT, R2, RZ, PT", "@P0 BRA 0x0", "EXIT"}));
}

TEST(DataAddresses, SharedMemoryPassesOnWhatWasStoredThere) {
  EXPECT_TRUE(follow_data({"LDG.E R4, [R2.64]", "STS [R0], R4", "LDS R5, [R1]",
                           "IMAD.WIDE R6, R5, 0x4, R8", "LDG.E R0, [R6.64]", "EXIT"}));
  EXPECT_FALSE(follow_data({"S2R R4, SR_TID.X", "STS [R0], R4", "LDS R5, [R1]",
                            "IMAD.WIDE R6, R5, 0x4, R8", "LDG.E R0, [R6.64]", "EXIT"}));
  // Only an address in shared memory: a histogram of a block.
  EXPECT_FALSE(follow_data({"LDG.E R4, [R2.64]", "ATOMS.ADD RZ, [R4], R5", "EXIT"}));
}

// A register that is loaded into and, in the next pass, gets its address, both under a guard.
TEST(DataAddresses, GuardsThatAreTheSameAreTold) {
  const auto in_a_loop = [](const std::string& guard, const std::string& between) {
    return follow_data({"ISETP.GT.AND P1, PT, R3, RZ, PT", "@!P1 IMAD.WIDE R6, R3, 0x4, R8",
                        between, guard + " LDG.E R6, [R6.64]", "IADD3 R3, R3, -0x1, RZ",
                        "ISETP.NE.AND P0, PT, R3, RZ, PT", "@P0 BRA 0x0", "EXIT"});
  };
  EXPECT_FALSE(in_a_loop("@!P1", "NOP"));
  EXPECT_TRUE(in_a_loop("@P1", "NOP"));
  EXPECT_TRUE(in_a_loop("@!P2", "NOP"));
  EXPECT_TRUE(in_a_loop("", "NOP"));
  EXPECT_TRUE(in_a_loop("@!P1", "ISETP.GT.AND P1, PT, R4, RZ, PT"));
  EXPECT_TRUE(in_a_loop("@!P1", "@!P1 LDG.E R6, [R10.64]"));
  EXPECT_TRUE(in_a_loop("@!P1", "@!P1 SHFL.IDX PT, R6, R6, RZ, 0x1f"));  // of lanes that load
}

}  // namespace
}  // namespace forewarp::tests
