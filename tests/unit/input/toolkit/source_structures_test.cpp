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
  EXPECT_EQ(described("struct A { float3 a; float4 b; };"), "A[32,16](float3 a@0 float4 b@16)");
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

TEST(SourceStructures, WhatIsNotPlainIsLeftOut) {
  for (const char* source :
       {"template <class T> struct A { T x; };", "struct A : B { int x; };",
        "struct A { int x : 3; };", "struct A { virtual void f(); int x; };",
        "struct A { Other x; };", "struct A { int x[N]; };",
        "struct A { union { int x; float y; }; };", "struct A { int x[65]; };", "struct A;",
        "struct A { int x;", "struct { int x; } a;", "struct A {};", "// struct A { int x; };",
        "my_struct A { int x; };", "struct A { std::vector<int> x; };"}) {
    EXPECT_EQ(described(source), "") << source;
  }
}

}  // namespace
}  // namespace forewarp::tests
