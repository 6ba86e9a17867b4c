// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/source_structures.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

std::string described(std::string_view source) {
  std::string text;
  for (const SourceStructure& one : structures_in(source)) {
    text += one.name + '[' + std::to_string(one.size) + ',' + std::to_string(one.alignment) + "](";
    for (const auto& field : one.fields) {
      text += field.type + ' ' + field.name + '@' + std::to_string(field.offset) + ' ';
    }
    text.back() = ')';
  }
  return text;
}

TEST(SourceStructures, FieldsLieWhereTheyAreAligned) {
  // char at 0, double at 8, short at 16; 18 rounded up to a multiple of 8 is 24.
  EXPECT_EQ(described("struct A { char a; double b; short c; };"),
            "A[24,8](char a@0 double b@8 short c@16)");
  EXPECT_EQ(described("struct A { float3 a; int2 b; };"),  // int2 aligns like its 8 bytes
            "A[24,8](float a.x@0 float a.y@4 float a.z@8 int b.x@16 int b.y@20)");
  EXPECT_EQ(described("struct A { const float* __restrict__ x; int n, *p; };"),
            "A[24,8](float* x@0 int n@8 int* p@16)");
  EXPECT_EQ(described("typedef struct { unsigned int n = 3; } Box;"), "Box[4,4](unsigned int n@0)");
  EXPECT_EQ(described("struct __align__(16) A { int n; };"), "A[16,16](int n@0)");
}

TEST(SourceStructures, ArraysAndStructuresInside) {
  EXPECT_EQ(described("struct P { int x, y; }; struct A { char c; P p[2]; };"),
            "P[8,4](int x@0 int y@4)"
            "A[20,4](char c@0 int p[0].x@4 int p[0].y@8 int p[1].x@12 int p[1].y@16)");
  EXPECT_EQ(described("struct A { short s[2][2]; };"),
            "A[8,2](short s[0][0]@0 short s[0][1]@2 short s[1][0]@4 short s[1][1]@6)");
}

TEST(SourceStructures, MethodsDoNotCount) {
  EXPECT_EQ(
      described("struct A { public: int n; __device__ int twice() const { if (n) { return 2; } "
                "return n; } A(int m) : n(m) {} static int count; float f; };"),
      "A[8,4](int n@0 float f@4)");
}

TEST(SourceStructures, DirectivesAndWhiteSpaceDoNotCount) {
  EXPECT_EQ(described("#include <cuda_runtime.h>\nstruct A { const float\n\t*x; };"),
            "A[8,8](float* x@0)");
  EXPECT_EQ(described("#define N \\\n 3\nstruct A {\r\n  int\tn;\r\n};"), "A[4,4](int n@0)");
}

TEST(SourceStructures, InitialisersAreNoMethods) {
  EXPECT_EQ(described("struct A { float* x; int n; int m = (0); float f = g(1); A() = default; };"),
            "A[24,8](float* x@0 int n@8 int m@12 float f@16)");
  EXPECT_EQ(described("struct A { int n; A& operator=(const A&) = default; };"), "A[4,4](int n@0)");
}

TEST(SourceStructures, WhatMayBeAnotherIsLeftOut) {
  EXPECT_EQ(described("#if 0\nstruct A { double x; };\n#else\nstruct A { int n, m; };\n#endif"),
            "");
  EXPECT_EQ(described("struct A { double x; }; namespace b { struct A { int n, m; }; }"), "");
  EXPECT_EQ(described("struct A { int n; }; struct A { int n; };"), "A[4,4](int n@0)");
}

/// Takes no time and no stack that grows with its square.
TEST(SourceStructures, HostileSourcesAreReadAtOnce) {
  std::string dimensions = "struct S { int a";
  for (int i = 0; i < 100000; ++i) dimensions += "[1]";
  EXPECT_EQ(described(dimensions + "; };"), "");
  std::string open;
  for (int i = 0; i < 100000; ++i) open += "struct a{";
  EXPECT_EQ(described(open), "");
  EXPECT_EQ(described(open + std::string(100000, '}')), "");
}

TEST(SourceStructures, WhatIsNotPlainIsLeftOut) {
  for (const char* source :
       {"template <class T> struct A { T x; };", "struct A : B { int x; };",
        "struct A { int x : 3; };", "struct A { virtual void f(); int x; };",
        "struct A { Other x; };", "struct A { int x[N]; };",
        "struct A { union { int x; float y; }; };", "struct A { int x[65]; };", "struct A;",
        "struct A { int x;", "struct { int x; } a;", "struct A {};", "// struct A { int x; };",
        "struct A { alignas(8) int x; };", "struct A { int (*f)(int); };",
        "struct A { int x[2][2][2][2][2]; };", "my_struct A { int x; };",
        "struct A { std::vector<int> x; };"}) {
    EXPECT_EQ(described(source), "") << source;
  }
}

}  // namespace
}  // namespace forewarp::tests
