// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/source_structures.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

std::string text_of(const SourceStructure& one) {
  std::string text = one.name + '[' + std::to_string(one.size) + ',' +
                     std::to_string(one.alignment) + (one.complete ? "](" : ",..](");
  for (const auto& field : one.fields) {
    text += (field.plain ? "" : "!") + field.type + ' ' + field.name + '@' +
            std::to_string(field.offset) + ' ';
  }
  text.back() = ')';
  return text;
}

std::string described(std::string_view source) {
  const SourceStructures structures(source);
  std::string text;
  for (const std::string& name : structures.names()) {
    if (const auto one = structures.find(name)) text += text_of(*one);
  }
  return text;
}

std::string described(std::string_view source, const std::string& type) {
  const auto one = SourceStructures(source).find(type);
  return one ? text_of(*one) : "";
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

TEST(SourceStructures, TemplatesAreLaidOutForTheirArguments) {
  const char* pair = "template <typename A, class B> struct Pair { A a; const B* p; B b; };";
  // char at 0, pointer at 8, double at 16: 24; double at 0, pointer at 8, char at 16: 24 as well
  EXPECT_EQ(described(pair, "Pair<char, double>"), "Pair[24,8](char a@0 double* p@8 double b@16)");
  EXPECT_EQ(described(pair, "Pair<double, char>"), "Pair[24,8](double a@0 char* p@8 char b@16)");
  EXPECT_EQ(described(pair, "Pair<float const*, float3>"),
            "Pair[32,8](float* a@0 float3* p@8 float b.x@16 float b.y@20 float b.z@24)");
  // Neither too few arguments nor too many, nor none
  for (const char* type : {"Pair<char>", "Pair<char, int, int>", "Pair", "Pair<char, Pair<", "T"}) {
    EXPECT_EQ(described(pair, type), "") << type;
  }
  EXPECT_EQ(described(pair), "");
}

TEST(SourceStructures, TemplatesHaveNumbersAndDefaults) {
  const char* tile =
      "template <class T = float, int n = 2, typename I = T> struct Tile { T "
      "v[n]; I i; };";
  EXPECT_EQ(described(tile, "Tile<short, 3, int>"),
            "Tile[12,4](short v[0]@0 short v[1]@2 short v[2]@4 int i@8)");
  EXPECT_EQ(described(tile, "Tile<double>"), "Tile[24,8](double v[0]@0 double v[1]@8 double i@16)");
  EXPECT_EQ(described(tile, "Tile<>"), "Tile[12,4](float v[0]@0 float v[1]@4 float i@8)");
  EXPECT_EQ(described(std::string(tile) + "struct A { char c; Tile<short, 1u> t; };", "A"),
            "A[6,2](char c@0 short t.v[0]@2 short t.i@4)");
  EXPECT_EQ(described("template <class... T> struct A { int n; };", "A<int>"), "");
  EXPECT_EQ(described("template <template <class> class T> struct A { int n; };", "A<B>"), "");
}

TEST(SourceStructures, TemplatesInsideTemplates) {
  const char* source =
      "namespace grid { template <class T> struct Span { T* data; int n; };\n"
      "template <class T, int d> struct Volume { Span<T> in; Span<const T> out; int shape[d]; "
      "template <class U> __device__ U at(U i) const { return i; } }; }";
  EXPECT_EQ(described(source, "grid::Volume<float, 2>"),
            "Volume[40,8](float* in.data@0 int in.n@8 float* out.data@16 int out.n@24 "
            "int shape[0]@32 int shape[1]@36)");
  EXPECT_EQ(described(source, "other::Volume<float, 2>"), "");
  EXPECT_EQ(described("template <class T> struct A { A<A<T>> a; int n; };", "A<int>"), "");
  EXPECT_EQ(described("template <class T> struct A { int n; A<T> a; };", "A<int>"),
            "A[4,4,..](int n@0 !not understood: A<int>, and what follows a@4)");
}

TEST(SourceStructures, SpecialisationsAreOtherStructures) {
  const std::string both =
      "template <class T> struct A { T x; }; template <> struct A<double> { int n; };";
  EXPECT_EQ(described(both, "A<float>"), "A[4,4](float x@0)");
  EXPECT_EQ(described(both, "A<double>"), "A[4,4](int n@0)");
  EXPECT_EQ(described(both + "template <class T> struct A<T*> { char c; };", "A<float>"), "");
}

TEST(SourceStructures, StructuresDeclaredInside) {
  const char* box =
      "struct Particle { float x; }; struct Box { Particle* p; const float* field; int n; float "
      "dt; "
      "struct { float lo, hi; } limit; };";
  EXPECT_EQ(described(box, "Box"),
            "Box[32,8](Particle* p@0 float* field@8 int n@16 float dt@20 float limit.lo@24 "
            "float limit.hi@28)");
  EXPECT_EQ(described("struct A { char c; struct { short x; struct { int y; } z; }; char d; "
                      "};",
                      "A"),
            "A[16,4](char c@0 short x@4 int z.y@8 char d@12)");
  EXPECT_EQ(described("struct A { struct B { int x, y; } b[2]; B c; };", "A"),
            "A[24,4](int b[0].x@0 int b[0].y@4 int b[1].x@8 int b[1].y@12 int c.x@16 int c.y@20)");
  // The inner name is each structure's own.
  EXPECT_EQ(described("struct A { struct L { char x; } l; }; struct B { struct L { int n; } l; };"),
            "A[1,1](char l.x@0)B[4,4](int l.n@0)");
  EXPECT_EQ(described("template <class T> struct A { struct { T x; } l; int n; };", "A<short>"),
            "A[8,4](short l.x@0 int n@4)");
  EXPECT_EQ(described("struct A { struct alignas(16) B { int x; }; char c; B b; };", "A"),
            "A[32,16](char c@0 int b.x@16)");
}

TEST(SourceStructures, OtherNamesOfTypes) {
  EXPECT_EQ(described("using Real = float; typedef unsigned int uint; struct P { Real x; uint n; "
                      "std::uint16_t s; };"),
            "P[12,4](float x@0 unsigned int n@4 uint16_t s@8)");
  EXPECT_EQ(described("template <class T> struct V { T x; }; using W = V<double>; struct P { W "
                      "w; };"),
            "P[8,8](double w.x@0)");
  EXPECT_EQ(described("enum class Kind : unsigned char { a, b }; enum Mode { c }; struct P { "
                      "Kind k; "
                      "Mode m; enum { d, e } f; };"),
            "P[12,4](unsigned char k@0 int m@4 int f@8)");
  EXPECT_EQ(described("template <class T> struct P { using value = T; static constexpr int n = 2; "
                      "value v[n]; };",
                      "P<short>"),
            "P[4,2](short v[0]@0 short v[1]@2)");
  EXPECT_EQ(described("namespace a { using R = float; } namespace b { using R = double; } "
                      "struct P { "
                      "R x; };"),
            "");
  EXPECT_EQ(described("using A = B; using B = A; struct P { A x; };"), "");
}

TEST(SourceStructures, WhatIsNotUnderstoodEndsTheFields) {
  EXPECT_EQ(described("struct A { int n; std::vector<int> v; float f; };"),
            "A[4,4,..](int n@0 !not understood: std::vector<int>, and what follows v@4)");
  EXPECT_EQ(described("struct A { int n; int bits : 3; };"),
            "A[4,4,..](int n@0 !not understood: int bits : 3, and what follows bits@4)");
  EXPECT_EQ(described("struct A { int n; float x[SIZE]; };"),
            "A[4,4,..](int n@0 !not understood: float x[SIZE], and what follows x@4)");
  // The inner structure has an end that is not known.
  EXPECT_EQ(described("struct I { int n; Other o; }; struct A { int n; I i; int m; };", "A"),
            "A[4,4,..](int n@0 !not understood: I, and what follows i@4)");
  EXPECT_EQ(described("struct A { int n; virtual void f(); };"), "");
  EXPECT_EQ(described("#pragma pack(1)\nstruct A { char c; int n; };"), "");
  EXPECT_EQ(described("struct A { char c; int n; } __attribute__((packed));"), "");
}

TEST(SourceStructures, UnionsAndLongArraysAreOneField) {
  // The widest of 4, 6 and 8 bytes, at a multiple of 8
  EXPECT_EQ(described("struct A { int n; union { int i; short s[3]; double d; } u; int m; };"),
            "A[24,8](int n@0 !union of i, s[0], s[1], s[2], d u@8 int m@16)");
  EXPECT_EQ(described("struct A { union { float x; int i; }; int m; };"),
            "A[8,4](!union of x, i union@0@0 int m@4)");
  EXPECT_EQ(described("struct A { int n; float table[8][16]; int m; };"),
            "A[520,4](int n@0 !float[128] table@4 int m@516)");
}

TEST(SourceStructures, InitialisersInBracesAreNoBodies) {
  EXPECT_EQ(described("struct A { int n{3}; float v[2] = {1, 2}; A(int m) : n{m}, v{1, 2} {} "
                      "int k; "
                      "void f() {} short s; };"),
            "A[20,4](int n@0 float v[0]@4 float v[1]@8 int k@12 short s@16)");
  EXPECT_EQ(described("struct A { char c; alignas(8) int x; };"), "A[16,8](char c@0 int x@8)");
}

TEST(SourceStructures, WhatIsNotPlainIsLeftOut) {
  for (const char* source :
       {"template <class T> struct A { T x; };", "struct A : B { int x; };",
        "struct A { int x : 3; };", "struct A { virtual void f(); int x; };",
        "struct A { Other x; };", "struct A { int x[N]; };",
        "struct A { union { int x; float y; }; };", "struct A { int x[65]; };", "struct A;",
        "struct A { int x;", "struct { int x; } a;", "struct A {};", "// struct A { int x; };",
        "struct A { alignas(N) int x; };", "struct A { int (*f)(int); };",
        "struct A { int x[2][2][2][2][2]; };", "my_struct A { int x; };",
        "struct A { std::vector<int> x; };"}) {
    EXPECT_EQ(described(source), "") << source;
  }
}

}  // namespace
}  // namespace forewarp::tests
