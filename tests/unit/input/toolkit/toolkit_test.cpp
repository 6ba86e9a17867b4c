// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/toolkit.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "base/cache/disk_cache.h"
#include "fake_toolkit.h"
#include "input/toolkit/compiler.h"
#include "input/toolkit/disassembler.h"
#include "input/toolkit/source_content.h"

namespace forewarp::tests {
namespace {

TEST(Toolkit, TheFirstPlaceThatSufficesIsTaken) {
  const FakeToolkit poor;
  const FakeToolkit rich;
  poor.remove("cuobjdump");
  const ToolkitSearch search{
      {{"/nonexistent", "CUDA_HOME"}, {poor.folder(), "PATH"}, {rich.folder() / "bin", "PATH"}}};
  const auto toolkit = find_toolkit(search, {true, true, true});
  ASSERT_TRUE(toolkit);
  EXPECT_EQ(toolkit->folder, rich.folder() / "bin");
  const auto compiler_only = find_toolkit(search, {true, false, false});
  ASSERT_TRUE(compiler_only);
  EXPECT_EQ(compiler_only->folder, poor.folder() / "bin");
}

TEST(Toolkit, SaysWhereItLookedAndWhatIsNeeded) {
  const auto none = find_toolkit({{{"/nonexistent", "CUDA_HOME"}, {"/nowhere", "PATH"}}}, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(
      none.error().line(),
      "CUDA toolkit: there is none in CUDA_HOME, PATH; expected cuobjdump, nvdisasm; install "
      "Debian's package nvidia-cuda-toolkit (component non-free), or name a toolkit with --cuda "
      "or CUDA_HOME");
  const auto named = find_toolkit({{{"/nowhere", "--cuda"}}}, {});
  ASSERT_FALSE(named);
  EXPECT_EQ(named.error().found, "there is none in /nowhere");
}

TEST(Toolkit, ANamedOneIsTheOnlyPlace) {
  const auto search = ToolkitSearch::from_environment("/opt/x");
  ASSERT_EQ(search.places.size(), 1U);
  EXPECT_EQ(search.places[0].folder, "/opt/x");
  const auto others = ToolkitSearch::from_environment("");
  EXPECT_EQ(others.places.back().named_by, "the usual places");
}

TEST(Toolkit, VersionAndArchitecturesAreAskedOfThePrograms) {
  const FakeToolkit fake;
  const auto toolkit = find_toolkit(fake.search(), {true, true, true});
  ASSERT_TRUE(toolkit);
  EXPECT_EQ(version_of(toolkit->cuobjdump), "11.8");
  EXPECT_EQ(version_of("/nonexistent"), "unknown version");
  // sm_90a is no plain architecture.
  EXPECT_EQ(architectures_of(*toolkit, {true, false, true}),
            (std::vector<std::uint32_t>{52, 80, 90}));
  EXPECT_EQ(architectures_of(*toolkit, {false, true, true}),
            (std::vector<std::uint32_t>{52, 80, 90}));
}

TEST(Compiler, AHostCompilerIsNamedOnlyWhenTheDefaultIsRefused) {
  const FakeToolkit fake;
  fake.script("nvcc", R"(
    echo nvcc "$@" >> "$0.calls"
    case "$*" in *-ccbin*) exit 0 ;; esac
    echo "x.h:1:2: error: #error -- gcc versions later than 7 are not supported!" >&2
    exit 1
  )");
  fake.script("g++-6", "exit 0");
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", (fake.folder() / "bin").c_str(), 1);
  const auto toolkit = find_toolkit(fake.search(), {true, false, true});
  const CompileJob job{"k.cu", fake.folder() / "k.cubin", "", 80};
  ::setenv("PATH", (path + ":" + (fake.folder() / "bin").string()).c_str(), 1);
  const auto found = compile_source(*toolkit, job);
  std::filesystem::remove(fake.folder() / "bin" / "g++-6");
  const auto missing = compile_source(*toolkit, job);
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(found);
  ASSERT_EQ(fake.calls("nvcc").size(), 3U);
  EXPECT_NE(fake.calls("nvcc")[1].find("-ccbin " + (fake.folder() / "bin/g++-6").string()),
            std::string::npos);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().line(),
            (fake.folder() / "bin/nvcc").string() +
                ": does not take the C++ compiler of this machine; expected "
                "g++-7 or older; install the package g++-7");
}

TEST(Compiler, AVirtualArchitectureOfTheUserStays) {
  const FakeToolkit fake;
  fake.script("nvcc", R"(echo nvcc "$@" >> "$0.calls")");
  const auto toolkit = find_toolkit(fake.search(), {true, false, true});
  ASSERT_TRUE(compile_source(*toolkit, {"k.cu", "k.cubin", "", 86, {"-O1"}}));
  ASSERT_TRUE(compile_source(*toolkit, {"k.cu", "k.cubin", "", 86, {"-arch=compute_52"}}));
  ASSERT_EQ(fake.calls("nvcc").size(), 2U);
  EXPECT_NE(fake.calls("nvcc")[0].find(" -arch=sm_86 -O1 "), std::string::npos);
  EXPECT_NE(fake.calls("nvcc")[1].find(" -code=sm_86 -arch=compute_52 "), std::string::npos);
  EXPECT_EQ(fake.calls("nvcc")[1].find("-arch=sm_86"), std::string::npos);
}

TEST(Compiler, ErrorsOfBothProgramsKeepTheirLine) {
  EXPECT_EQ(
      first_error("nvcc", "warning: x\n/tmp/k.cu(12): error: expected a \";\"\n", "k.cu").line(),
      "k.cu:12: nvcc says: expected a \";\"");
  EXPECT_EQ(
      first_error("ptxas", "ptxas k.ptx, line 7; error   : Unknown symbol 'x'\n", "k.ptx").line(),
      "k.ptx:7: ptxas says: Unknown symbol 'x'");
  EXPECT_EQ(first_error("nvcc", "nvcc fatal   : Unsupported gpu\n", "k.cu").line(),
            "k.cu: nvcc says: nvcc fatal   : Unsupported gpu");
  EXPECT_EQ(first_error("nvcc", "", "k.cu").line(), "k.cu: nvcc says: failed without a message");
}

TEST(Disassembler, KeepsWhatTellsHowAKernelRuns) {
  const std::string dump =
      "64bit elf: type=2, abi=7\nSections:\nIndex Offset\n 1 40 .shstrtab\n d 978 .nv.constant3\n"
      "\n.section .strtab\nx\n.section .symtab\n S\n.nv.info\nA\n.nv.info.k\nB\n"
      ".section .rel.text.k\tREL\nR\n.section .rela.debug_frame\tRELA\nx\n.nv.rel.action\nx\n"
      ".text.k\n0xe2\n.nv.constant2.k\nC\n.nv.constant0.k\nD\n.nv.global.init\nG\n"
      ".section .rela.nv.constant3\tRELA\nP\n\nResource usage:\n R\n\tcode for sm_80\n"
      "\t\tFunction : k\n.......\n";
  EXPECT_EQ(without_idle_sections(dump),
            "64bit elf: type=2, abi=7\nIndex Offset\n d 978 .nv.constant3\n"
            ".section .symtab\n S\n.nv.info\nA\n.nv.info.k\nB\n.section .rel.text.k\tREL\nR\n"
            ".nv.constant2.k\nC\n.nv.global.init\nG\n.section .rela.nv.constant3\tRELA\nP\n\n"
            "Resource usage:\n R\n\tcode for sm_80\n\t\tFunction : k\n.......\n");
  EXPECT_EQ(without_idle_sections("plain\n"), "plain\n");
  EXPECT_EQ(without_idle_sections(""), "");
}

TEST(SourceContent, IncludedFilesCountOnceAndCyclesEnd) {
  const FakeToolkit fake;
  static_cast<void>(fake.file("a.h", "#include \"b.h\"\nA\n"));
  static_cast<void>(fake.file("b.h", "# include <a.h>\n#pragma once\nB\n"));
  const std::string all = source_with_includes(
      "#include \"a.h\"\n#include \"b.h\"\n#include <vector>\n", fake.folder());
  EXPECT_EQ(all.find("\nA\n"), all.rfind("\nA\n"));
  EXPECT_EQ(all.find("\nB\n"), all.rfind("\nB\n"));
  EXPECT_NE(all.find("\nB\n"), std::string::npos);
}

TEST(SourceContent, FilesThatOptionsNameCount) {
  const FakeToolkit fake;
  std::filesystem::create_directory(fake.folder() / "there");
  static_cast<void>(fake.file("there/n.h", "N\n"));
  const std::string there = (fake.folder() / "there").string();
  const std::string source = "#include \"n.h\"\n";
  EXPECT_EQ(source_with_includes(source, fake.folder()).find("\nN\n"), std::string::npos);
  for (const std::vector<std::string>& options : {std::vector<std::string>{"-I" + there},
                                                  {"-I", there},
                                                  {"-include", there + "/n.h"},
                                                  {"-include=" + there + "/n.h"}}) {
    EXPECT_NE(source_with_includes(source, fake.folder(), options).find("N\n"), std::string::npos)
        << options.front();
  }
}

}  // namespace
}  // namespace forewarp::tests
