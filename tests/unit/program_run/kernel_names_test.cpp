// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/kernel_names.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using program_run::short_names;
using Names = std::vector<std::string>;

TEST(KernelNames, PlainNamesStay) {
  EXPECT_EQ(short_names({"axpy", "sum", "cublasSgemm 96x64x48"}, 40),
            (Names{"axpy", "sum", "cublasSgemm 96x64x48"}));
}

TEST(KernelNames, LoseNamespacesAndArgumentsThatTellNothing) {
  EXPECT_EQ(
      short_names({"a::b::apply<int, c::plus<float> >", "(anonymous namespace)::scan<8>"}, 40),
      (Names{"apply", "scan"}));
}

TEST(KernelNames, KeepTheArgumentsThatTellRowsApart) {
  EXPECT_EQ(
      short_names({"n::agent<n::For<n::fill<int>, long>, long>",
                   "n::agent<n::For<n::copy<int>, long>, long>", "n::agent<n::Sort<int>, int>"},
                  60),
      (Names{"agent<For<fill>>", "agent<For<copy>>", "agent<Sort>"}));
  // The first argument is the same, the second one differs within, the third is not needed.
  EXPECT_EQ(
      short_names({"reduce<P<int>::Q, op<int>, int>", "reduce<P<int>::Q, op<char>, char>"}, 60),
      (Names{"reduce<op<int>>", "reduce<op<char>>"}));
  EXPECT_EQ(short_names({"copy<4>", "copy<4, true>"}, 60), (Names{"copy", "copy<true>"}));
  EXPECT_EQ(
      short_names({"run<main::{lambda(int, long)#1}>", "run<main::{lambda(int, long)#2}>"}, 60),
      (Names{"run<{lambda(int, long)#1}>", "run<{lambda(int, long)#2}>"}));
}

TEST(KernelNames, LongOnesLoseTheirMiddleAndAlikeOnesAreNumbered) {
  EXPECT_EQ(short_names({"abcdefghijklmnopqrstuvwxyz"}, 14), (Names{"abcdefgh..wxyz"}));
  EXPECT_EQ(short_names({"same", "same"}, 40), (Names{"same", "same #2"}));
  const Names cut = short_names({"abcdefghij1klmnopqrst", "abcdefghij2klmnopqrst"}, 14);
  EXPECT_EQ(cut[0], "abcdefgh..qrst");
  EXPECT_EQ(cut[1], "abcdef..rst #2");
}

TEST(KernelNames, BrokenOnesAreTakenAsTheyAre) {
  EXPECT_EQ(short_names({"", "a<", "b>", "c<d,>", "<>"}, 40).size(), 5U);
  EXPECT_EQ(short_names({"operator<", "f::"}, 40), (Names{"operator<", "f::"}));
  const std::string deep(100000, '<');
  EXPECT_EQ(short_names({deep}, 10)[0].size(), 10U);
}

}  // namespace
}  // namespace forewarp::tests
