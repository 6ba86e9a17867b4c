// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timed_region.h"

#include <gtest/gtest.h>

#include "input/kernel_choice.h"
#include "input/source.h"

namespace forewarp::tests {
namespace {

using cli::BenchTest;
using cli::check_code;

/// A loop of `body` as a listing prints it, behind two instructions.
std::string looped(const std::vector<std::string>& body, const std::string& jump) {
  std::string text = "\tcode for sm_70\n\t\tFunction : k\n\t.headerflags @\"EF_CUDA_SM70\"\n";
  std::vector<std::string> all{"MOV R1, c[0x0][0x28]", "MOV R0, RZ"};
  all.insert(all.end(), body.begin(), body.end());
  for (const char* last : {"IADD3 R0, R0, 0x1, RZ", "ISETP.GE.AND P0, PT, R0, c[0x0][0x168], PT"}) {
    all.emplace_back(last);
  }
  if (!jump.empty()) all.push_back(jump);
  all.emplace_back("EXIT");
  for (const std::string& line : all) text += "        " + line + ";\n";
  return text;
}

Kernel kernel(const std::string& text) {
  auto read = read_kernel(InputSource::of_text("k.sass", text));
  EXPECT_TRUE(read) << read.error().line();
  return read ? *std::move(read) : Kernel{};
}

BenchTest chain_of_four() {
  BenchTest test;
  test.id = "chain";
  test.file = "k.cu";
  test.expect.opcodes = {"FFMA"};
  test.expect.count = {4, 4};
  test.expect.others = 3;
  return test;
}

const std::vector<std::string> four(4, "FFMA R2, R2, R3, R4");
constexpr const char* back = "@!P0 BRA 0x20";

std::string fault(const Kernel& of, const BenchTest& test) {
  const auto fine = check_code(of, test);
  return fine ? "" : fine.error().line();
}

TEST(TimedRegion, TakesTheLoopThatIsMeant) {
  EXPECT_EQ(fault(kernel(looped(four, back)), chain_of_four()), "");
}

TEST(TimedRegion, CatchesAFoldedLoop) {
  EXPECT_EQ(fault(kernel(looped(four, "")), chain_of_four()),
            "k.cu: k for sm_70: has no loop; expected one that repeats the measured instructions; "
            "test 'chain' would measure something else");
}

TEST(TimedRegion, CatchesARemovedOperation) {
  const std::vector<std::string> three(four.begin(), four.begin() + 3);
  EXPECT_EQ(fault(kernel(looped(three, back)), chain_of_four()),
            "k.cu: k for sm_70: 3 of FFMA in its loop; expected 4; test 'chain' would measure "
            "something else");
}

TEST(TimedRegion, CatchesAnotherOpcode) {
  std::vector<std::string> body = four;
  body[2] = "FADD R2, R2, R3";
  EXPECT_EQ(fault(kernel(looped(body, back)), chain_of_four()),
            "k.cu: k for sm_70: 3 of FFMA in its loop; expected 4; test 'chain' would measure "
            "something else");
}

TEST(TimedRegion, CatchesMoreInstructionsThanExpected) {
  std::vector<std::string> body = four;
  body.emplace_back("MOV R5, R6");
  EXPECT_EQ(
      fault(kernel(looped(body, back)), chain_of_four()),
      "k.cu: k for sm_70: 4 instructions beside the measured ones in its loop; expected at most "
      "3; test 'chain' would measure something else");
}

std::string window(const std::vector<std::string>& inside) {
  std::vector<std::string> body{"S2R R10, SR_CLOCKLO"};
  body.insert(body.end(), inside.begin(), inside.end());
  body.emplace_back("S2R R11, SR_CLOCKLO");
  return looped(body, "");
}

BenchTest window_of_one() {
  BenchTest test;
  test.id = "window";
  test.file = "k.cu";
  test.window = true;
  test.expect.opcodes = {"FADD"};
  test.expect.count = {1, 1};
  test.expect.window = 2;
  return test;
}

TEST(TimedRegion, TakesTheWindowThatIsMeant) {
  EXPECT_EQ(fault(kernel(window({"MOV R2, R2", "FADD R2, R2, R3"})), window_of_one()), "");
  const auto empty =
      check_code(kernel(window({"MOV R2, R2", "MOV R2, R2"})), window_of_one(), false);
  EXPECT_TRUE(empty);
}

TEST(TimedRegion, CatchesASpillInTheWindow) {
  EXPECT_EQ(fault(kernel(window({"LDL R5, [R1]", "FADD R2, R2, R3"})), window_of_one()),
            "k.cu: k for sm_70: 1 accesses of local memory between two readings of the clock; "
            "expected at most 0; test 'window' would measure something else");
}

TEST(TimedRegion, CatchesOneInstructionMoreInTheWindow) {
  EXPECT_EQ(fault(kernel(window({"MOV R2, R2", "MOV R6, R2", "FADD R2, R2, R3"})), window_of_one()),
            "k.cu: k for sm_70: 3 instructions between two readings of the clock; expected 2; test "
            "'window' would measure something else");
}

TEST(TimedRegion, GenerationsMayCallItOtherwise) {
  BenchTest test = window_of_one();
  test.expect.opcodes = {"FMUL", "FADD"};
  EXPECT_EQ(fault(kernel(window({"MOV R2, R2", "FADD R2, R2, R3"})), test), "");
  test.expect.opcodes = {"FMUL", "IADD3"};
  EXPECT_EQ(
      fault(kernel(window({"MOV R2, R2", "FADD R2, R2, R3"})), test),
      "k.cu: k for sm_70: 0 of FMUL or IADD3 between two readings of the clock; expected 1; test "
      "'window' would measure something else");
}

TEST(TimedRegion, AReadingThatIsDiscardedBeginsNothing) {
  EXPECT_EQ(fault(kernel(looped({"CS2R RZ, SR_CLOCKLO", "CS2R R10, SR_CLOCKLO", "MOV R2, R2",
                                 "FADD R2, R2, R3", "CS2R RZ, SR_CLOCKLO", "CS2R R11, SR_CLOCKLO"},
                                "")),
                  window_of_one()),
            "");
}

TEST(TimedRegion, CatchesAWindowWithoutReadings) {
  EXPECT_EQ(
      fault(kernel(looped(four, back)), window_of_one()),
      "k.cu: k for sm_70: reads no pair of clocks; expected two readings; test 'window' would "
      "measure something else");
}

}  // namespace
}  // namespace forewarp::tests
