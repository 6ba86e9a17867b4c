// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/source_signatures.h"

#include <utility>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

std::string described(std::string_view source) {
  std::string text;
  for (const SourceSignature& signature : signatures_in(source)) {
    text += (signature.is_template ? "template " : "") + signature.kernel + '(';
    for (const auto& parameter : signature.parameters) {
      text += parameter.type + ':' + parameter.name + ',';
    }
    text += ')';
  }
  return text;
}

TEST(SourceSignatures, NamesAndTypesWithoutQualifiers) {
  EXPECT_EQ(
      described("__global__ void k(const float *__restrict__ x, unsigned long long n, float*y)"),
      "k(float*:x,unsigned long long:n,float*:y,)");
  EXPECT_EQ(described("extern \"C\" __global__ void k() {}"), "k()");
  EXPECT_EQ(described("__global__ void k(void);"), "k()");
  EXPECT_EQ(described("__global__ void k(int x[], float a = 1.0f, struct Box b)"),
            "k(int*:x,float:a,Box:b,)");
}

TEST(SourceSignatures, BoundsTemplatesCommentsAndLines) {
  EXPECT_EQ(described("__global__ void __launch_bounds__(256, 2)\nk(int n /* how, many */,\n"
                      "  // (the other)\n  std::pair<int, float> p)"),
            "k(int:n,std::pair<int,float>:p,)");
  EXPECT_EQ(described("template <typename T, int n>\n__global__ void k(T *x) {}\n"
                      "__global__ void j(int a) {}"),
            "template k(T*:x,)j(int:a,)");
  EXPECT_EQ(described("// __global__ void old(int n)\nint main() { return 0; }"), "");
  EXPECT_EQ(described("__global__ void cut(int n"), "");
}

TEST(SourceSignatures, LinesStandBeforeTheirKernel) {
  const auto signatures = signatures_in("__global__ void fill(float *x, int n) {}");
  EXPECT_EQ(with_parameter_lines("\t\tFunction : _Z4fillPfi\ncode\n", signatures),
            "// param 0 x float*\n// param 1 n int\n\t\tFunction : _Z4fillPfi\ncode\n");
  EXPECT_EQ(with_parameter_lines("\t\tFunction : _Z5otherPfi\n", signatures),
            "\t\tFunction : _Z5otherPfi\n");
}

TEST(SourceSignatures, TemplatesKeepTheirTypesToTheMangledName) {
  const auto signatures = signatures_in("template <class T> __global__ void fill(T x) {}");
  EXPECT_EQ(with_parameter_lines("\t\tFunction : _Z4fillIfEvT_\n", signatures),
            "// param 0 x\n\t\tFunction : _Z4fillIfEvT_\n");
}

TEST(SourceSignatures, OverloadsAndOtherCountsAreLeftAlone) {
  const auto overloads =
      signatures_in("__global__ void k(int a) {} __global__ void k(int a, int b) {}");
  EXPECT_EQ(with_parameter_lines("\t\tFunction : _Z1ki\n", overloads), "\t\tFunction : _Z1ki\n");
  const std::string dump =
      ".nv.info._Z1ki\n\tValue:\tIndex : 0x0\tOrdinal : 0x0\n\n\t\tFunction : _Z1ki\n";
  EXPECT_EQ(with_parameter_lines(dump, signatures_in("__global__ void k(int a, int b) {}")), dump);
  EXPECT_NE(with_parameter_lines(dump, signatures_in("__global__ void k(int a) {}")), dump);
}

}  // namespace
}  // namespace forewarp::tests
