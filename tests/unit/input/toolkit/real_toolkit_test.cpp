// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What only a real toolkit can show; skipped where none with a disassembler is found. The toolkit
// is the one of FOREWARP_TEST_CUDA, else the one that a user's call would find.
#include <cstdlib>
#include <optional>

#include <gtest/gtest.h>

#include "base/command.h"
#include "base/file.h"
#include "base/text.h"
#include "input/sass/sass_reader.h"
#include "input/toolkit/opencl_compiler.h"
#include "input/toolkit/temporary_folder.h"
#include "input/toolkit/toolkit_listing.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

namespace fs = std::filesystem;

const fs::path kernels = fs::path(FOREWARP_FIXTURES) / "kernels";

class RealToolkitTest : public ::testing::Test {
 protected:
  void SetUp() override {
    search_ = ToolkitSearch::from_environment("");
    const auto toolkit = find_toolkit(search_, {true, true, true});
    if (!toolkit) GTEST_SKIP() << "no CUDA toolkit (" << toolkit.error().line() << ")";
    toolkit_ = *toolkit;
    folder_.emplace(TemporaryFolder::create());
    ASSERT_TRUE(*folder_);
    static const bool compiles = run_nvcc("trial", {"-cubin", "-arch=sm_80"});
    if (!compiles) GTEST_SKIP() << "no CUDA toolkit (its nvcc takes no host compiler here)";
  }
  [[nodiscard]] fs::path folder() const { return (*folder_)->path(); }

  Expected<ToolkitListing> list(const fs::path& path, std::optional<std::uint32_t> sm,
                                bool assume = false) const {
    const auto bytes = read_file(path);
    if (!bytes) return bytes.error();
    return listing_of({content_kind(*bytes), *bytes, path, sm, assume}, search_,
                      DiskCache(folder() / "cache", ".sass", 1 << 20));
  }

  // nvcc with saxpy2; the host compiler is left to the environment and to what the adapter would
  // find.
  [[nodiscard]] bool run_nvcc(const std::string& name,
                              const std::vector<std::string>& options) const {
    for (const char* host : {"", "g++-11", "g++-10", "g++-9"}) {
      Command command{toolkit_.nvcc, options, kernels};
      if (*host != '\0') command.arguments.insert(command.arguments.end(), {"-ccbin", host});
      command.arguments.insert(command.arguments.end(),
                               {"-o", (folder() / name).string(), "saxpy2.cu"});
      const auto done = run_command(command);
      if (done && done->exit_code == 0) return true;
    }
    return false;
  }

  [[nodiscard]] fs::path build(const std::string& name,
                               const std::vector<std::string>& options) const {
    if (run_nvcc(name, options)) return folder() / name;
    ADD_FAILURE() << name << " was not built";
    return {};
  }

  ToolkitSearch search_;
  Toolkit toolkit_;
  std::optional<Expected<TemporaryFolder>> folder_;
};

const std::vector<std::string> two_and_ptx = {"-gencode", "arch=compute_75,code=sm_75", "-gencode",
                                              "arch=compute_80,code=[sm_80,compute_80]"};

std::vector<std::string> with(const char* form, std::vector<std::string> options) {
  options.emplace_back(form);
  return options;
}

// A header that only the compiler finds: its name comes from a macro, its folder from CPATH.
TEST_F(RealToolkitTest, AHeaderOfAMacroIsReadAnew) {
  const fs::path headers = folder() / "headers";
  fs::create_directories(headers);
  const fs::path source = folder() / "k.cu";
  ASSERT_TRUE(write_file(
      source, "#define H <value.h>\n#include H\n__global__ void k(int* x) { *x = VALUE; }\n"));
  ::setenv("CPATH", headers.c_str(), 1);
  ASSERT_TRUE(write_file(headers / "value.h", "#define VALUE 1111\n"));
  const auto first = list(source, 80), again = list(source, 80);
  ASSERT_TRUE(write_file(headers / "value.h", "#define VALUE 22222\n"));
  const auto changed = list(source, 80);
  ::unsetenv("CPATH");
  ASSERT_TRUE(first && again && changed) << (first ? "" : first.error().line());
  EXPECT_TRUE(again->from_cache);
  EXPECT_FALSE(changed->from_cache);
  EXPECT_NE(changed->text.find("0x56ce"), std::string::npos) << "22222";
}

// clang makes PTX of OpenCL, ptxas code of that; names, types and lines are those of the source.
TEST_F(RealToolkitTest, OpenClIsListedWithItsNamesAndLines) {
  if (const auto compiler = find_opencl_compiler(); !compiler)
    GTEST_SKIP() << "no OpenCL compiler (" << compiler.error().line() << ")";
  const auto listing = list(fs::path(FOREWARP_SOURCE_DIR) / "examples/opencl/basics.cl", 80);
  ASSERT_TRUE(listing) << listing.error().line();
  for (const char* text : {"// param 0 a float*", "// param 2 part unsigned long", "Function : add",
                           "Function : product", "//## File \"<source>\", line 11"})
    EXPECT_NE(listing->text.find(text), std::string::npos) << text;
  ASSERT_FALSE(listing->assumptions.empty());
  EXPECT_NE(listing->assumptions[0].find("the vendor's OpenCL compiler makes other code"),
            std::string::npos);
  EXPECT_NE(listing->assumptions[0].find("product: it requires work groups of (16, 16, 1)"),
            std::string::npos);
}

TEST_F(RealToolkitTest, WhatClangRefusesIsOneLine) {
  if (const auto compiler = find_opencl_compiler(); !compiler)
    GTEST_SKIP() << "no OpenCL compiler (" << compiler.error().line() << ")";
  const fs::path source = folder() / "bad.cl";
  ASSERT_TRUE(write_file(source, "__kernel void k(__global int *x) {\n  x[0] = nothing;\n}\n"));
  const auto listing = list(source, 80);
  ASSERT_FALSE(listing);
  EXPECT_NE(listing.error().line().find("bad.cl:2: clang says:"), std::string::npos)
      << listing.error().line();
}

TEST_F(RealToolkitTest, SourceBecomesAListingWithNamesAndResources) {
  const auto listing = list(kernels / "saxpy2.cu", 80);
  ASSERT_TRUE(listing) << listing.error().line();
  EXPECT_EQ(listing->sm, 80U);
  EXPECT_TRUE(listing->assumptions.empty());
  for (const char* part : {"// param 1 a int\n", "// param 3 y float*\n", "code for sm_80",
                           "REG:", "STG.E", "Ordinal : 0x3"}) {
    EXPECT_NE(listing->text.find(part), std::string::npos) << part;
  }
  EXPECT_TRUE(list(kernels / "saxpy2.cu", 80)->from_cache);
}

TEST_F(RealToolkitTest, VariablesComeWithTheListing) {
  for (const std::uint32_t sm : {52U, 80U}) {
    const auto listing = list(kernels / "module_variables.cu", sm);
    ASSERT_TRUE(listing) << listing.error().line();
    SassReader reader(InputSource::of_text("listing", listing->text));
    const auto kernel = reader.next();
    ASSERT_TRUE(kernel && *kernel);
    EXPECT_EQ((*kernel)->symbols.size(), 7U);
    EXPECT_EQ((*kernel)->symbol_addresses.size(), 10U);
    ASSERT_EQ((*kernel)->constant_banks.size(), 1U);
    EXPECT_EQ((*kernel)->constant_banks[0].bytes.size(), 56U);
    EXPECT_TRUE(list(kernels / "module_variables.cu", sm)->from_cache);
  }
}

TEST_F(RealToolkitTest, AFatbinGivesTheCodeThatRunsThere) {
  const fs::path fatbin = build("m.fatbin", with("-fatbin", two_and_ptx));
  ASSERT_EQ(content_kind(*read_file(fatbin)), ContentKind::fat_binary);
  const auto ampere = list(fatbin, 86);
  ASSERT_TRUE(ampere) << ampere.error().line();
  EXPECT_EQ(ampere->sm, 80U);
  EXPECT_NE(ampere->text.find("code for sm_80"), std::string::npos);
  EXPECT_EQ(ampere->text.find("code for sm_75"), std::string::npos);
  const auto hopper = list(fatbin, 90);
  ASSERT_TRUE(hopper) << hopper.error().line();
  EXPECT_NE(hopper->text.find("code for sm_90"), std::string::npos);
  ASSERT_EQ(hopper->assumptions.size(), 1U);
  const auto volta = list(fatbin, 70);
  ASSERT_FALSE(volta);
  EXPECT_NE(volta.error().line().find("sm_75, sm_80, compute_80"), std::string::npos)
      << volta.error().line();
}

TEST_F(RealToolkitTest, AnObjectAndACubinAreRead) {
  const auto object = list(build("m.o", with("-c", two_and_ptx)), 75);
  ASSERT_TRUE(object) << object.error().line();
  EXPECT_EQ(object->sm, 75U);
  const fs::path cubin = build("m.cubin", {"-cubin", "-arch=sm_75"});
  ASSERT_EQ(content_kind(*read_file(cubin)), ContentKind::cubin);
  const auto listing = list(cubin, 75);
  ASSERT_TRUE(listing) << listing.error().line();
  EXPECT_NE(listing->text.find("Function : _Z6saxpy2iiPfS_"), std::string::npos);
  EXPECT_FALSE(list(cubin, 80));
  EXPECT_TRUE(list(cubin, 80, true));
}

TEST_F(RealToolkitTest, PtxIsCompiledForTheGpuAsked) {
  const fs::path ptx = build("m.ptx", {"-ptx", "-arch=compute_75"});
  ASSERT_EQ(content_kind(*read_file(ptx)), ContentKind::ptx);
  const auto listing = list(ptx, 86);
  ASSERT_TRUE(listing) << listing.error().line();
  EXPECT_NE(listing->text.find("code for sm_86"), std::string::npos);
}

TEST_F(RealToolkitTest, TheCompilersErrorHasItsLine) {
  const fs::path source = folder() / "bad.cu";
  ASSERT_TRUE(write_file(source, "__global__ void k(int *x) {\n  *x = undeclared;\n}\n"));
  const auto listing = list(source, 80);
  ASSERT_FALSE(listing);
  EXPECT_EQ(listing.error().line(),
            source.string() + ":2: nvcc says: identifier \"undeclared\" is undefined");
}

}  // namespace
}  // namespace forewarp::tests
