// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/kernel_matching.h"

#include <gtest/gtest.h>

#include "input/kernel_names.h"

namespace forewarp::tests {
namespace {

Kernel named(const std::string& mangled) {
  Kernel kernel;
  kernel.mangled = mangled;
  kernel.name = kernel_signature(mangled).name;
  return kernel;
}

TEST(KernelMatching, NamesAsPeopleWriteThem) {
  const Kernel kernel =
      named("_ZN2ns5scaleIfLi4EEEvPKT_i");  // ns::scale<float, 4>(float const*, int)
  EXPECT_EQ(full_name(kernel.mangled), "ns::scale<float, 4>(float const*, int)");
  EXPECT_EQ(match_name(kernel, "_ZN2ns5scaleIfLi4EEEvPKT_i"), NameMatch::mangled);
  EXPECT_EQ(match_name(kernel, ""), NameMatch::mangled);
  for (const char* plain :
       {"ns::scale<float, 4>", "ns::scale<float,4>", "ns::scale<float, 4>(float const*, int)",
        "ns::scale<float,4>(const float *, int)", "scale<float,4>(const float*,int)"}) {
    EXPECT_EQ(match_name(kernel, plain), NameMatch::plain) << plain;
  }
  EXPECT_EQ(match_name(kernel, "scale"), NameMatch::base);
  EXPECT_EQ(match_name(kernel, "scale<float,4>"), NameMatch::base);
  for (const char* other :
       {"scale<float, 8>", "cale", "ns", "scale<float, 4>(float*)", "scale()", "le<float,4>"}) {
    EXPECT_EQ(match_name(kernel, other), NameMatch::none) << other;
  }
}

TEST(KernelMatching, AMangledNameKnowsNoSizeT) {
  EXPECT_EQ(match_name(named("_Z1kPdm"), "k(double*, size_t)"), NameMatch::plain);
}

TEST(KernelMatching, NamesThatAreNotMangledHaveNoTypes) {
  EXPECT_EQ(full_name("axpy"), "axpy");
  EXPECT_EQ(match_name(named("axpy"), "axpy"), NameMatch::mangled);
  EXPECT_EQ(match_name(named("axpy"), "axpy(int)"), NameMatch::none);
}

}  // namespace
}  // namespace forewarp::tests
