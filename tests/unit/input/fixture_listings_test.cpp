// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Every listing that scripts/fixtures writes is understood to the last instruction.
#include <algorithm>
#include <filesystem>
#include <utility>

#include <gtest/gtest.h>

#include "input/sass/sass_reader.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

namespace fs = std::filesystem;

const fs::path listings = fs::path(FOREWARP_FIXTURES) / "listings";

std::vector<Kernel> kernels_of(const fs::path& path) {
  std::vector<Kernel> kernels;
  const auto source = InputSource::open(path.string());
  if (!source) return kernels;
  SassReader reader(*source);
  for (;;) {
    auto kernel = reader.next();
    EXPECT_TRUE(kernel) << kernel.error().line();
    if (!kernel || !*kernel) return kernels;
    kernels.push_back(std::move(**kernel));
  }
}

/// "saxpy2.sm_80.sass" -> 80; 0 for listings of another origin.
std::uint32_t architecture_in_name(const fs::path& path) {
  const std::string name = path.filename().string();
  const std::size_t at = name.find(".sm_");
  return at == std::string::npos ? 0 : static_cast<std::uint32_t>(std::stoul(name.substr(at + 4)));
}

TEST(FixtureListings, AllAreReadWithoutAnUnknownInstruction) {
  std::size_t read = 0;
  for (const auto& entry : fs::directory_iterator(listings)) {
    const std::uint32_t sm = architecture_in_name(entry.path());
    if (sm == 0) continue;
    const auto kernels = kernels_of(entry.path());
    EXPECT_FALSE(kernels.empty()) << entry.path();
    for (const Kernel& kernel : kernels) {
      ++read;
      EXPECT_EQ(kernel.sm, sm) << entry.path();
      EXPECT_EQ(kernel.unknown_opcodes, 0U) << entry.path();
      EXPECT_TRUE(kernel.has_control) << entry.path();
      EXPECT_TRUE(kernel.resources.registers) << entry.path();
    }
  }
  EXPECT_GE(read, 250U);
}

TEST(FixtureListings, TheSameKernelHasTheSameParametersOnEveryFamily) {
  for (const char* family : {"35", "50", "52", "60", "61", "70", "75", "80", "86", "89", "90"}) {
    const auto kernels = kernels_of(listings / (std::string("saxpy2.sm_") + family + ".sass"));
    ASSERT_EQ(kernels.size(), 1U) << family;
    EXPECT_EQ(kernels[0].name, "saxpy2");
    ASSERT_EQ(kernels[0].parameters.size(), 4U) << family;
    EXPECT_EQ(kernels[0].parameters[1].name, "a");
    EXPECT_EQ(kernels[0].parameters[2].type, "float*");
    EXPECT_EQ(kernels[0].parameters[3].offset, 16U) << family;
  }
}

TEST(FixtureListings, SeveralKernelsInOneFile) {
  const auto kernels = kernels_of(listings / "several.sm_80.sass");
  std::vector<std::string> names;
  for (const Kernel& kernel : kernels) names.push_back(kernel.mangled);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"_Z4fillIdEvPT_S0_i", "_Z4fillIfEvPT_S0_i",
                                             "_ZN4deep9incrementEPi", "nothing"}));
}

}  // namespace
}  // namespace forewarp::tests
