// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/binary/cubin_linking.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "input/binary/cubin.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

std::string fixture(const std::string& name) {
  const auto bytes = read_file(std::string(FOREWARP_FIXTURES) + "/linking/" + name);
  EXPECT_TRUE(bytes);
  return bytes ? *bytes : std::string();
}

const CubinKernel& kernel_in(const Cubin& cubin, std::string_view part) {
  for (const CubinKernel& kernel : cubin.kernels) {
    if (kernel.name.find(part) != std::string_view::npos) return kernel;
  }
  throw std::runtime_error("no such function");
}

// The kernel, then the two functions that it calls, in the order of its relocations.
TEST(CubinLinking, PutsFunctionsBehindTheirKernel) {
  const std::string bytes = fixture("functions.sm_80.cubin");
  const std::string linked = link_cubin(bytes);
  const auto before = read_cubin(bytes), after = read_cubin(linked);
  ASSERT_TRUE(before);
  ASSERT_TRUE(after);
  const CubinKernel& kernel = kernel_in(*before, "9functions");
  const CubinKernel& sum = kernel_in(*before, "sum_below");
  const CubinKernel& factorial = kernel_in(*before, "factorial");
  const CubinKernel& made = kernel_in(*after, "9functions");
  EXPECT_EQ(made.code.size(), kernel.code.size() + sum.code.size() + factorial.code.size());
  EXPECT_TRUE(made.entry);
  EXPECT_EQ(made.registers, std::max({kernel.registers, sum.registers, factorial.registers}));
  EXPECT_EQ(kernel_in(*after, "factorial").code, factorial.code);  // as it was
}

TEST(CubinLinking, LeavesNoAddressOfAFunctionOpen) {
  const auto after = read_cubin(link_cubin(fixture("functions.sm_61.cubin")));
  ASSERT_TRUE(after);
  for (const CubinRelocation& row : after->relocations)
    EXPECT_EQ(row.section.find("9functions"), std::string_view::npos) << row.symbol;
}

TEST(CubinLinking, ChangesNothingWhereNoFunctionIsCalled) {
  const std::string linked = link_cubin(fixture("functions.sm_61.cubin"));
  EXPECT_TRUE(link_cubin(linked).empty());
  EXPECT_TRUE(link_cubin("").empty());
  EXPECT_TRUE(link_cubin("\x7f"
                         "ELF")
                  .empty());
}

TEST(CubinLinking, TakesDamagedFiles) {
  const std::string bytes = fixture("functions.sm_80.cubin");
  for (std::size_t size = 0; size < bytes.size(); size += 61)
    (void)link_cubin(std::string_view(bytes).substr(0, size));
  for (std::size_t at = 0; at < bytes.size(); at += 7) {
    std::string other = bytes;
    other[at] = static_cast<char>(0xff);
    (void)read_cubin(link_cubin(other));
  }
}

}  // namespace
}  // namespace forewarp::tests
