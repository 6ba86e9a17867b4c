// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/toolkit_listing.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "byte_files.h"
#include "fake_toolkit.h"

namespace forewarp::tests {
namespace {

const std::string kernel_text = "__global__ void fill(float *x, int n) { x[n] = 0; }\n";

class ToolkitListingTest : public ::testing::Test {
 protected:
  Expected<ToolkitListing> list(const std::filesystem::path& path, std::optional<std::uint32_t> sm,
                                bool assume = false, std::vector<std::string> options = {}) {
    const auto bytes = read_file(path);
    return listing_of({content_kind(*bytes), *bytes, path, sm, assume, std::move(options)},
                      fake_.search(), cache_);
  }
  [[nodiscard]] std::size_t calls() const {
    return fake_.calls("nvcc").size() + fake_.calls("ptxas").size() +
           fake_.calls("cuobjdump").size();
  }

  FakeToolkit fake_;
  DiskCache cache_{fake_.folder() / "cache", ".sass", 1 << 20};
};

TEST_F(ToolkitListingTest, ASecondRequestStartsNoProgram) {
  const auto source = fake_.file("fill.cu", kernel_text);
  const auto first = list(source, 80);
  ASSERT_TRUE(first) << first.error().line();
  EXPECT_FALSE(first->from_cache);
  EXPECT_EQ(calls(), 2U);
  const auto second = list(source, 80);
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->from_cache);
  EXPECT_EQ(calls(), 2U);
  EXPECT_EQ(second->text, first->text);
  EXPECT_EQ(second->sm, 80U);
  EXPECT_EQ(second->toolkit, "CUDA 11.8 in " + (fake_.folder() / "bin").string());
}

TEST_F(ToolkitListingTest, NamesOfParametersComeFromTheSource) {
  const auto listing = list(fake_.file("fill.cu", kernel_text), 80);
  ASSERT_TRUE(listing);
  EXPECT_NE(listing->text.find("// param 0 x float*\n// param 1 n int\n\t\tFunction : _Z4fillPfi"),
            std::string::npos)
      << listing->text;
}

TEST_F(ToolkitListingTest, AnotherTextTargetIncludeOrToolkitIsMadeAnew) {
  const auto header = fake_.file("part.h", "// one\n");
  const auto source = fake_.file("fill.cu", "#include \"part.h\"\n" + kernel_text);
  ASSERT_TRUE(list(source, 80));
  ASSERT_TRUE(list(source, 90));
  EXPECT_EQ(fake_.calls("nvcc").size(), 2U);
  fake_.file("part.h", "// two\n");
  ASSERT_TRUE(list(source, 80));
  EXPECT_EQ(fake_.calls("nvcc").size(), 3U);
  fake_.file("fill.cu", "#include \"part.h\"\n" + kernel_text + "\n");
  ASSERT_TRUE(list(source, 80));
  EXPECT_EQ(fake_.calls("nvcc").size(), 4U);
  fake_.script("nvdisasm", "exit 1");
  ASSERT_TRUE(list(source, 80));
  EXPECT_EQ(fake_.calls("nvcc").size(), 5U);
}

TEST_F(ToolkitListingTest, OptionsReachTheCompilerAndAreAnotherListing) {
  const auto source = fake_.file("fill.cu", kernel_text);
  ASSERT_TRUE(list(source, 80, false, {"-DTILE=4", "-use_fast_math"}));
  EXPECT_NE(fake_.calls("nvcc").at(0).find(" -DTILE=4 -use_fast_math "), std::string::npos);
  EXPECT_FALSE(list(source, 80, false, {"-DTILE=2"})->from_cache);
  EXPECT_TRUE(list(source, 80, false, {"-DTILE=4", "-use_fast_math"})->from_cache);
}

// nvcc hands its words to a shell.
TEST_F(ToolkitListingTest, NothingThatAShellWouldRunReachesTheCompiler) {
  const auto source = fake_.file("a$(touch x).cu", kernel_text);
  ASSERT_TRUE(list(source, 80));
  EXPECT_EQ(fake_.calls("nvcc").at(0).find('$'), std::string::npos);
  EXPECT_NE(fake_.calls("nvcc").at(0).find("/input.cu"), std::string::npos);
  const auto refused = list(source, 80, false, {"-DX=$(touch x)"});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().line().find("'-DX=$(touch x)' is for a shell"), std::string::npos);
}

TEST_F(ToolkitListingTest, TheSameTextElsewhereIsTheSame) {
  ASSERT_TRUE(list(fake_.file("fill.cu", kernel_text), 80));
  const auto copy = list(fake_.file("copy.cu", kernel_text), 80);
  ASSERT_TRUE(copy);
  EXPECT_TRUE(copy->from_cache);
}

// As of a disassembler that was killed after its first lines.
TEST_F(ToolkitListingTest, AListingWithoutCodeIsNotKept) {
  const auto source = fake_.file("fill.cu", kernel_text);
  fake_.script("cuobjdump", "echo '		Function : _Z4fillPfi'");
  for (int i = 0; i < 2; ++i) {
    const auto listing = list(source, 80);
    ASSERT_TRUE(listing) << listing.error().line();
    EXPECT_FALSE(listing->from_cache);
  }
}

TEST_F(ToolkitListingTest, ADamagedEntryIsMadeAnew) {
  const auto source = fake_.file("fill.cu", kernel_text);
  const auto first = list(source, 80);
  ASSERT_TRUE(first);
  for (const auto& entry : std::filesystem::directory_iterator(fake_.folder() / "cache")) {
    auto text = read_file(entry.path());
    text->back() = '!';
    ASSERT_TRUE(write_file(entry.path(), *text));
  }
  const auto again = list(source, 80);
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->from_cache);
  EXPECT_EQ(again->text, first->text);
  EXPECT_TRUE(list(source, 80)->from_cache);
}

TEST_F(ToolkitListingTest, AnEditedHeaderIsMadeAnew) {
  const auto source = fake_.file("fill.cu", kernel_text);
  ASSERT_TRUE(list(source, 80));
  for (const auto& entry : std::filesystem::directory_iterator(fake_.folder() / "cache")) {
    std::string text = *read_file(entry.path());
    const std::size_t at = text.find("\n80\n");  // the architecture of the listing
    ASSERT_NE(at, std::string::npos);
    text.replace(at, 4, "\n90\n");
    ASSERT_TRUE(write_file(entry.path(), text));
  }
  EXPECT_FALSE(list(source, 80)->from_cache);
}

TEST_F(ToolkitListingTest, CompilesForTheNearestThatRunsThere) {
  const auto listing = list(fake_.file("fill.cu", kernel_text), 86);
  ASSERT_TRUE(listing);
  EXPECT_EQ(listing->sm, 80U);
  EXPECT_NE(fake_.calls("nvcc").at(0).find("-arch=sm_80"), std::string::npos);
  EXPECT_FALSE(listing->isa_assumed);
}

TEST_F(ToolkitListingTest, ANewerGpuThanTheToolkitTakesItsNewestAndSaysSoEveryTime) {
  const auto source = fake_.file("fill.cu", kernel_text);
  for (const bool stored : {false, true}) {
    const auto listing = list(source, 120);
    ASSERT_TRUE(listing);
    EXPECT_EQ(listing->from_cache, stored);
    EXPECT_EQ(listing->sm, 90U);
    EXPECT_TRUE(listing->isa_assumed);
  }
}

TEST_F(ToolkitListingTest, WithoutAGpuTheNewestIsTakenAndSaidEveryTime) {
  const auto source = fake_.file("fill.cu", kernel_text);
  for (int i = 0; i < 2; ++i) {
    const auto listing = list(source, std::nullopt);
    ASSERT_TRUE(listing);
    EXPECT_EQ(listing->sm, 90U);
    EXPECT_FALSE(listing->isa_assumed);
    ASSERT_EQ(listing->assumptions.size(), 1U);
    EXPECT_EQ(listing->assumptions[0],
              "no GPU was named: compiled for sm_90, the newest that the toolkit knows");
  }
}

TEST_F(ToolkitListingTest, AnOlderGpuThanTheToolkitIsRefusedUnlessAssumed) {
  const auto source = fake_.file("fill.cu", kernel_text);
  const auto refused = list(source, 30);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().line().find("sm_52, sm_80, sm_90, none of which runs on sm_30"),
            std::string::npos)
      << refused.error().line();
  const auto assumed = list(source, 30, true);
  ASSERT_TRUE(assumed);
  EXPECT_EQ(assumed->sm, 52U);
}

TEST_F(ToolkitListingTest, TheCompilersFirstErrorIsTheMessage) {
  const auto source = fake_.file("bad.cu", kernel_text + "REFUSED\n");
  const auto listing = list(source, 80);
  ASSERT_FALSE(listing);
  EXPECT_EQ(listing.error().line(), source.string() + ":3: nvcc says: identifier is REFUSED");
}

// What a program leaves where it is ended goes with our own folder.
TEST_F(ToolkitListingTest, ProgramsKeepTheirTemporaryFilesInOurs) {
  for (const char* program : {"nvcc", "ptxas", "cuobjdump"}) {
    const auto path = fake_.folder() / "bin" / program;
    const auto body = read_file(path);
    ASSERT_TRUE(body);
    fake_.script(program,
                 body->substr(body->find('\n')) + "\necho \"$TMPDIR\" >> \"$0.temporary\"\n");
  }
  ASSERT_TRUE(list(fake_.file("fill.cu", kernel_text), 80));
  ASSERT_TRUE(list(fake_.file("k.ptx", "//\n.version 7.8\n.target sm_52\n"), 80));
  for (const char* program : {"nvcc", "ptxas", "cuobjdump"}) {
    const auto said = read_file(fake_.folder() / "bin" / (std::string(program) + ".temporary"));
    ASSERT_TRUE(said) << program;
    const std::filesystem::path folder = said->substr(0, said->find('\n'));
    EXPECT_TRUE(folder.filename().string().starts_with("forewarp-")) << program << ' ' << folder;
    EXPECT_FALSE(std::filesystem::exists(folder)) << program;
  }
}

TEST_F(ToolkitListingTest, PtxNeedsNoSourceCompiler) {
  fake_.remove("nvcc");
  const auto ptx = fake_.file("k.ptx", "//\n// Generated\n\n.version 7.8\n.target sm_52\n");
  const auto listing = list(ptx, 80);
  ASSERT_TRUE(listing) << listing.error().line();
  EXPECT_EQ(fake_.calls("ptxas").size(), 1U);
  const auto older = list(ptx, 35);
  ASSERT_FALSE(older);
  EXPECT_NE(older.error().line().find("compute_52"), std::string::npos);
}

TEST_F(ToolkitListingTest, ADisassemblersFailureNamesTheUsersFile) {
  fake_.script("cuobjdump", "echo Fatbin; echo 'cuobjdump fatal: not well' >&2; exit 255");
  const auto bytes = fat_binary_bytes({{2, 80}});
  const auto failed = list(fake_.file("k.fatbin", bytes), 80);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().line(),
            (fake_.folder() / "k.fatbin").string() + ": cuobjdump says: cuobjdump fatal: not well");
  const auto cut = list(fake_.file("cut.fatbin", bytes.substr(0, 50)), 80);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().line(), (fake_.folder() / "cut.fatbin").string() +
                                    ": the fatbin is cut short; expected a complete file");
}

constexpr const char* to_a_newer_one =
    "; name it with --cuda or CUDA_HOME, or give the listing that its 'cuobjdump -sass' prints";

TEST_F(ToolkitListingTest, CodeOfANewerToolkitIsNamedAsSuch) {
  const std::string cubin =
      elf_bytes(190, 0x41, 0x6005004, "tools, release 13.0, V13.0.88", ".note.nv.tkinfo");
  const std::string line = ": sm_80 code of CUDA 13.0, which CUDA 11.8 in " +
                           (fake_.folder() / "bin").string() +
                           " cannot read; expected a toolkit of CUDA 13.0 or newer";
  // Newer code makes cuobjdump say what is beside the point, or print no code and succeed.
  for (const char* end : {"echo 'cuobjdump fatal: toolkit (null)' >&2; exit 255", "exit 0"}) {
    fake_.script(
        "cuobjdump",
        std::string("case \"$*\" in *--version*) echo release 11.8, V; exit;; esac; ") + end);
    const auto path = fake_.file("k.cubin", cubin);
    const auto refused = list(path, 80);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().line(), path.string() + line + to_a_newer_one);
  }
  // Where it is read there is nothing to say.
  fake_.script("cuobjdump", "echo 'code for sm_80'; echo 'Function : k'");
  EXPECT_TRUE(list(fake_.file("k.cubin", cubin), 80));
}

TEST_F(ToolkitListingTest, AnArchitectureThatTheToolkitDoesNotKnowIsNamed) {
  fake_.script("cuobjdump",
               "case \"$*\" in *--version*) echo release 11.8, V; exit;;"
               " *--help*) echo \"'sm_80','sm_90'\"; exit;; esac; echo 'fatal: what' >&2; exit 1");
  const auto path = fake_.file("k.fatbin", fat_binary_bytes({{2, 120}}));
  EXPECT_EQ(list(path, 120).error().line(),
            path.string() + ": sm_120 code, which CUDA 11.8 in " +
                (fake_.folder() / "bin").string() +
                " does not know; expected a toolkit that knows sm_120" + to_a_newer_one);
  const auto known = fake_.file("k.fatbin", fat_binary_bytes({{2, 90}}));
  EXPECT_EQ(list(known, 90).error().line(), known.string() + ": cuobjdump says: fatal: what");
}

TEST_F(ToolkitListingTest, MissingProgramsAreNamedWithTheWayOut) {
  fake_.remove("nvcc");
  const auto source = fake_.file("fill.cu", kernel_text);
  const auto listing = list(source, 80);
  ASSERT_FALSE(listing);
  EXPECT_EQ(listing.error().line(),
            source.string() + ": CUDA source needs a toolkit: CUDA toolkit in " +
                (fake_.folder() / "bin").string() +
                " has no nvcc; expected nvcc, cuobjdump, nvdisasm; install Debian's package "
                "nvidia-cuda-toolkit (component non-free), or name a toolkit with --cuda or "
                "CUDA_HOME");
}

TEST_F(ToolkitListingTest, HostCodeWithoutGpuCodeIsRefused) {
  const auto program = read_file("/proc/self/exe");
  ASSERT_TRUE(program);
  const auto listing =
      listing_of({content_kind(*program), *program, "tool", 80, false}, fake_.search(), cache_);
  ASSERT_FALSE(listing);
  EXPECT_EQ(listing.error().line(),
            "tool: an executable or object without GPU code; expected a cubin, or a section "
            ".nv_fatbin with one; compile it with nvcc");
}

}  // namespace
}  // namespace forewarp::tests
