// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What cannot be read is refused in one line: file, line, column, found, expected, way out.
#include <gtest/gtest.h>

#include "base/file.h"
#include "listing_reading.h"
#include "test_paths.h"

namespace forewarp::tests::test {
namespace {

constexpr const char* way_out = "; make a listing with: cuobjdump -sass FILE";

TEST(Refusals, EmptyBinaryAndForeignText) {
  const std::string end(way_out);
  EXPECT_EQ(refusal_of(""), "test.sass: is empty; expected a SASS listing" + end);
  EXPECT_EQ(refusal_of(" \n\t\n"), "test.sass: is empty; expected a SASS listing" + end);
  EXPECT_EQ(refusal_of(std::string("ab\0c", 4)),
            "test.sass: is binary: byte 2 is zero; expected the text of a SASS listing" + end);
  EXPECT_EQ(refusal_of("Dear reader,\nthis is a letter; it is long.\n"),
            "test.sass: holds no machine code; it begins with 'Dear reader,'; expected the text of "
            "cuobjdump -sass or nvdisasm" +
                end);
}

// A source that no compiler was asked for, as it is empty or defines nothing, needs no listing.
TEST(Refusals, SourcesWithoutAKernel) {
  const auto refused = [](const std::string& name, const std::string& text) {
    SassReader reader(InputSource::of_text(name, text));
    const auto kernel = reader.next();
    return kernel ? std::string("(read)") : kernel.error().line();
  };
  const std::string end = "; name the file that defines the kernel";
  EXPECT_EQ(refused("k.cu", ""), "k.cu: is empty; expected a __global__ function" + end);
  EXPECT_EQ(refused("k.cuh", " \n"), "k.cuh: is empty; expected a __global__ function" + end);
  EXPECT_EQ(refused("k.ptx", ""), "k.ptx: is empty; expected an .entry" + end);
  EXPECT_EQ(refused("k.cl", "int f;\n"),
            "k.cl: has no kernel; it begins with 'int f;'; expected a __kernel function" + end);
  EXPECT_EQ(refused("k.cu", "int main(){return 0;}\n"),
            "k.cu: has no kernel; it begins with 'int main(){return 0;}'; expected a __global__ "
            "function" +
                end);
}

constexpr const char* head = "// arch sm_80\n";

TEST(Refusals, TextThatEndsInsideAnInstruction) {
  EXPECT_EQ(
      refusal_of(std::string(head) + "        /*0000*/       MOV R1, c[0x0]["),
      "test.sass:2:39: the listing ends inside the instruction '/*0000*/       MOV R1, c[0x0]['; "
      "expected ';' at the end of the instruction" +
          std::string(way_out));
  EXPECT_NE(
      refusal_of(std::string(head) + "/*0000*/ EXIT ;   /* 0x0000007").find("test.sass:2:19: "),
      std::string::npos);
  EXPECT_NE(refusal_of(std::string(head) + "/*00").find("expected an address such as /*0010*/"),
            std::string::npos);
}

TEST(Refusals, TextThatEndsBetweenTheWordsOfAnInstruction) {
  const std::string text = std::string(head) +
                           "/*0000*/ NOP ;  /* 0x0000000000007918 */\n/* 0x000fc20000000000 */\n"
                           "/*0010*/ EXIT ; /* 0x000000000000794d */\n";
  EXPECT_EQ(refusal_of(text),
            "test.sass:4: the listing ends between the two words of an instruction; expected the "
            "second word" +
                std::string(way_out));
}

TEST(Refusals, HeaderLinesWhoseNumberHasAUnit) {
  EXPECT_EQ(
      refusal_of(std::string(head) + "// shared 48K\n/*0000*/ EXIT;\n"),
      "test.sass:2: the header line 'shared 48K' has no usable number; expected a whole number, "
      "of a parameter's bytes at most 65536");
  EXPECT_NE(refusal_of(std::string(head) + "// param 0 n Box 4294967295\n/*0000*/ EXIT;\n")
                .find("the header line 'param 0 n Box 4294967295' has no usable number"),
            std::string::npos);
  EXPECT_EQ(refusal_of(std::string(head) + "// shared memory\n/*0000*/ EXIT;\n"), "(read)");
}

TEST(Refusals, BrokenLines) {
  EXPECT_NE(refusal_of(std::string(head) + "/*0000*/ MOV R1, R2\n/*0010*/ EXIT;\n")
                .find("test.sass:2:20: cannot read '/*0000*/ MOV R1, R2'"),
            std::string::npos);
  EXPECT_NE(refusal_of(std::string(head) + "/*0000*/ @R1 MOV R1, R2;\n").find("expected a guard"),
            std::string::npos);
  EXPECT_NE(refusal_of(std::string(head) + "/*0000*/ 17;\n").find("test.sass:2:10: "),
            std::string::npos);
  EXPECT_NE(
      refusal_of(std::string(head) + "/*0010*/ NOP;\n/*0010*/ NOP;\n").find("an address above"),
      std::string::npos);
}

TEST(Refusals, CodeWithoutAnArchitecture) {
  EXPECT_EQ(
      refusal_of("/*0000*/ EXIT;\n"),
      "test.sass:1: code before any line that names its architecture; expected a line '// arch "
      "sm_52'; put one at the head of the listing");
}

// Cutting a real listing anywhere gives either whole kernels or one line, never anything else.
TEST(Refusals, EveryCutOfAListingIsOneLineOrAKernel) {
  for (const char* name : {"saxpy.sm_52.sass", "saxpy.sm_80.sass", "surface_write.sm_90.sass"}) {
    const auto whole = read_file(std::string(FOREWARP_FIXTURES) + "/listings/" + name);
    ASSERT_TRUE(whole);
    for (std::size_t size = 0; size < whole->size(); size += 7) {
      SassReader reader(InputSource::of_text("cut.sass", whole->substr(0, size)));
      const auto kernel = reader.next();
      if (kernel) {
        EXPECT_TRUE(*kernel) << size;
      } else {
        EXPECT_EQ(kernel.error().line().find('\n'), std::string::npos);
        EXPECT_TRUE(kernel.error().line().starts_with("cut.sass")) << kernel.error().line();
      }
    }
  }
}

}  // namespace
}  // namespace forewarp::tests::test
