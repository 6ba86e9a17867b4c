// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/opencl_source.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "base/file.h"
#include "input/toolkit/content_kind.h"
#include "input/toolkit/opencl_compiler.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

TEST(OpenClSource, IsToldByItsKernels) {
  EXPECT_TRUE(looks_like_opencl("__kernel void k(__global int *x) {}"));
  EXPECT_TRUE(looks_like_opencl("kernel void k(global int *x) {}"));
  EXPECT_FALSE(looks_like_opencl("__global__ void k(int *x) {} // a __kernel of CUDA"));
  EXPECT_FALSE(looks_like_opencl("void kernel_of(int x);"));
  EXPECT_EQ(content_kind("#include \"x.h\"\n__kernel void k() {}"), ContentKind::opencl_source);
  EXPECT_EQ(content_kind("#include \"x.h\"\n"), ContentKind::cuda_source);
}

TEST(OpenClSource, SignaturesInWordsOfCuda) {
  const auto found = opencl_kernels_in(
      "typedef struct { int a; } pair;\n"
      "__kernel void k(__global const float *restrict x, __constant uint *t, uchar c,\n"
      "                const ulong n) {}\n"
      "kernel void two(global int *y) {}");
  ASSERT_EQ(found.signatures.size(), 2U);
  const SourceSignature& k = found.signatures[0];
  EXPECT_EQ(k.kernel, "k");
  ASSERT_EQ(k.parameters.size(), 4U);
  EXPECT_EQ(k.parameters[0].name, "x");
  EXPECT_EQ(k.parameters[0].type, "float*");
  EXPECT_EQ(k.parameters[1].type, "unsigned int*");
  EXPECT_EQ(k.parameters[2].type, "unsigned char");
  EXPECT_EQ(k.parameters[3].type, "unsigned long");
  EXPECT_EQ(found.signatures[1].kernel, "two");
  EXPECT_TRUE(found.remarks.empty());
}

TEST(OpenClSource, LocalPointersAreOffsetsAndSizesAreRemarked) {
  const auto found = opencl_kernels_in(
      "__kernel void plain(__global int *x) {}\n"
      "__attribute__((reqd_work_group_size(8, 4, 1)))\n"
      "__kernel void k(__global int *x, __local float *a, local int *b) {}\n");
  ASSERT_EQ(found.signatures.size(), 2U);
  EXPECT_EQ(found.signatures[1].parameters[1].type, "unsigned long");
  EXPECT_EQ(found.signatures[1].parameters[2].type, "unsigned long");
  ASSERT_EQ(found.remarks.size(), 1U);
  EXPECT_EQ(found.remarks[0],
            "k: a, b are __local: the value is the byte at which it begins in the block's dynamic "
            "shared memory (0 for the first), whose size is --smem; it requires work groups of "
            "(8, 4, 1)");
}

TEST(OpenClSource, AnAttributeBelongsToTheNextKernelAlone) {
  const auto found = opencl_kernels_in(
      "__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(__global int *x) {}\n"
      "__kernel void k2(__global int *x) {}\n");
  ASSERT_EQ(found.remarks.size(), 1U);
  EXPECT_EQ(found.remarks[0], "k: it requires work groups of (64, 1, 1)");
}

TEST(OpenClCompiler, SaysWhatItIsMadeOf) {
  const auto compiler = find_opencl_compiler();
  if (!compiler) {
    EXPECT_NE(compiler.error().line().find("install Debian's packages"), std::string::npos);
    GTEST_SKIP() << "no OpenCL compiler (" << compiler.error().line() << ")";
  }
  EXPECT_NE(compiler->identity.find(compiler->library.string()), std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
