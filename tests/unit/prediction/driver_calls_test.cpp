// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/driver_calls.h"

#include <gtest/gtest.h>

#include "execution/grid/path_profile.h"
#include "input/sass/sass_reader.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

Kernel first_of(const InputSource& source) {
  SassReader reader(source, {});
  auto kernel = reader.next();
  EXPECT_TRUE(kernel && *kernel);
  return kernel && *kernel ? std::move(**kernel) : Kernel{};
}

Kernel kernel_of(const std::string& lines, int sm) {
  return first_of(InputSource::of_text(
      "test.sass", "// arch sm_" + std::to_string(sm) + "\n// kernel k\n" + lines + "\n"));
}

// In listings the linker has not filled in which function it is.
TEST(DriverCalls, AreFoundInCodeOfEveryArchitecture) {
  for (const char* sm : {"35", "52", "61", "70", "75", "80", "86", "90"}) {
    const auto source =
        InputSource::open(std::string(FOREWARP_FIXTURES) + "/execution/outside.sm_" + sm + ".sass");
    ASSERT_TRUE(source) << sm;
    const auto calls = driver_calls(first_of(*source));
    ASSERT_EQ(calls.size(), 1U) << sm;
    EXPECT_EQ(calls[0].function, OutsideFunction::other) << sm;
  }
}

// A table of addresses in bank 4 says which function a register holds.
TEST(DriverCalls, AreNamedByATableOfAddresses) {
  for (const auto& [function, name] :
       {std::pair{OutsideFunction::print, "printf at 0x0010"},
        std::pair{OutsideFunction::allocate, "malloc at 0x0010"},
        std::pair{OutsideFunction::release, "free at 0x0010"},
        std::pair{OutsideFunction::fail_assertion, "assert (a failed one) at 0x0010"}}) {
    Kernel kernel = kernel_of(
        "/*0000*/ LDC.64 R2, c[0x4][0x8];\n/*0010*/ CALL.ABS.NOINC R2;\n"
        "/*0020*/ EXIT;",
        80);
    ConstantData table{4, std::vector<std::uint8_t>(16)};
    for (unsigned i = 0; i < 8; ++i) {
      table.bytes[8 + i] = static_cast<std::uint8_t>(outside_address(function) >> (8 * i));
    }
    kernel.constant_banks = {table};
    PathProfile paths;
    paths.instructions = {{4, 128, 128}, {4, 100, 100}, {4, 128, 128}};
    std::vector<Result::Finding> findings;
    std::vector<Result::Assumption> assumptions;
    note_driver_calls(kernel, &paths, findings, assumptions);
    ASSERT_EQ(assumptions.size(), 1U);
    EXPECT_EQ(assumptions[0].id, "driver-functions");
    EXPECT_NE(assumptions[0].text.find(name), std::string::npos) << assumptions[0].text;
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_NE(findings[0].text.find("(100 calls)"), std::string::npos) << findings[0].text;
  }
}

// A call that is not reached costs nothing; nor is a call within the kernel one of the driver's.
TEST(DriverCalls, WithoutExecutionsAreAnAssumptionAlone) {
  const Kernel kernel = kernel_of("/*0000*/ CALL.ABS.NOINC 0x0;\n/*0010*/ EXIT;", 80);
  for (const bool executed : {false, true}) {
    PathProfile paths;
    paths.instructions = {{0, 0, 0}, {4, 128, 128}};
    std::vector<Result::Finding> findings;
    std::vector<Result::Assumption> assumptions;
    note_driver_calls(kernel, executed ? &paths : nullptr, findings, assumptions);
    EXPECT_EQ(assumptions.size(), 1U);
    EXPECT_TRUE(findings.empty());
  }
  EXPECT_TRUE(driver_calls(kernel_of("/*0000*/ CALL.REL.NOINC 0x10;\n/*0010*/ EXIT;", 80)).empty());
}

// It may be the user's own, whose code a cubin has.
TEST(DriverCalls, OfOtherFunctionsAreNotSaidToBeTheDrivers) {
  const Kernel kernel = kernel_of("/*0000*/ CALL.ABS.NOINC `(_Z3oddi);\n/*0010*/ EXIT;", 80);
  std::vector<Result::Finding> findings;
  std::vector<Result::Assumption> assumptions;
  note_driver_calls(kernel, nullptr, findings, assumptions);
  ASSERT_EQ(assumptions.size(), 1U);
  EXPECT_EQ(assumptions[0].text.find("driver"), std::string::npos) << assumptions[0].text;
  EXPECT_NE(assumptions[0].text.find("_Z3oddi"), std::string::npos) << assumptions[0].text;
  EXPECT_NE(assumptions[0].change_with.find("cubin"), std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
