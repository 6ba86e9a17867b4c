// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/source_signatures.h"

#include <utility>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

std::string described(std::string_view source) {
  std::string text;
  for (const SourceSignature& signature : signatures_in(source)) {
    text += (signature.is_template ? "template " : "") + signature.kernel + '(';
    for (const auto& parameter : signature.parameters) {
      text += parameter.type + ':' + parameter.name + ',';
    }
    text += ')';
  }
  return text;
}

TEST(SourceSignatures, NamesAndTypesWithoutQualifiers) {
  EXPECT_EQ(
      described("__global__ void k(const float *__restrict__ x, unsigned long long n, float*y)"),
      "k(float*:x,unsigned long long:n,float*:y,)");
  EXPECT_EQ(described("extern \"C\" __global__ void k() {}"), "k()");
  EXPECT_EQ(described("__global__ void k(void);"), "k()");
  EXPECT_EQ(described("__global__ void k(int x[], float a = 1.0f, struct Box b)"),
            "k(int*:x,float:a,Box:b,)");
}

TEST(SourceSignatures, BoundsTemplatesCommentsAndLines) {
  EXPECT_EQ(described("__global__ void __launch_bounds__(256, 2)\nk(int n /* how, many */,\n"
                      "  // (the other)\n  std::pair<int, float> p)"),
            "k(int:n,std::pair<int,float>:p,)");
  EXPECT_EQ(described("template <typename T, int n>\n__global__ void k(T *x) {}\n"
                      "__global__ void j(int a) {}"),
            "template k(T*:x,)j(int:a,)");
  EXPECT_EQ(described("// __global__ void old(int n)\nint main() { return 0; }"), "");
  EXPECT_EQ(described("__global__ void cut(int n"), "");
}

TEST(SourceSignatures, LinesStandBeforeTheirKernel) {
  const auto signatures = signatures_in("__global__ void fill(float *x, int n) {}");
  EXPECT_EQ(with_parameter_lines("\t\tFunction : _Z4fillPfi\ncode\n", signatures),
            "// param 0 x float*\n// param 1 n int\n\t\tFunction : _Z4fillPfi\ncode\n");
  EXPECT_EQ(with_parameter_lines("\t\tFunction : _Z5otherPfi\n", signatures),
            "\t\tFunction : _Z5otherPfi\n");
}

TEST(SourceSignatures, TemplatesKeepTheirTypesToTheMangledName) {
  const auto signatures = signatures_in("template <class T> __global__ void fill(T x) {}");
  EXPECT_EQ(with_parameter_lines("\t\tFunction : _Z4fillIfEvT_\n", signatures),
            "// param 0 x\n\t\tFunction : _Z4fillIfEvT_\n");
}

std::string lines_for(std::string_view source, const std::string& symbol) {
  const std::string text = with_parameter_lines("\t\tFunction : " + symbol, signatures_in(source));
  return text.substr(0, text.find('\t'));
}

TEST(SourceSignatures, OverloadsAreToldApartByCountAndTypes) {
  const char* by_count = "__global__ void k(int a) {} __global__ void k(int b, int c) {}";
  EXPECT_EQ(lines_for(by_count, "_Z1ki"), "// param 0 a int\n");
  EXPECT_EQ(lines_for(by_count, "_Z1kii"), "// param 0 b int\n// param 1 c int\n");
  const char* by_type =
      "__global__ void k(const float* a) {} __global__ void k(unsigned *const b) {}";
  EXPECT_EQ(lines_for(by_type, "_Z1kPKf"), "// param 0 a float*\n");
  EXPECT_EQ(lines_for(by_type, "_Z1kPj"), "// param 0 b unsigned*\n");
  EXPECT_EQ(lines_for(by_type, "_Z1kPi"), "");
  // Of a template and a plain kernel with as many parameters the types decide.
  const char* mixed = "template <class T> __global__ void k(T a) {} __global__ void k(int b) {}";
  EXPECT_EQ(lines_for(mixed, "_Z1ki"), "// param 0 b int\n");
  EXPECT_EQ(lines_for(mixed, "_Z1kIfEvT_"), "");
}

TEST(SourceSignatures, NamesAreWholeNames) {
  EXPECT_EQ(lines_for("__global__ void axpy(int n) {}", "_Z5saxpyi"), "");
  EXPECT_EQ(lines_for("__global__ void axpy(int n) {}", "_Z14axpy_with_namei"), "");
  EXPECT_EQ(lines_for("namespace a { __global__ void axpy(int n) {} }", "_ZN1a4axpyEi"),
            "// param 0 n int\n");
  EXPECT_EQ(lines_for("extern \"C\" __global__ void axpy(int n) {}", "axpy"), "// param 0 n int\n");
}

TEST(SourceSignatures, InstancesOfATemplateAreNoDeclarations) {
  const char* source =
      "template <class T> __global__ void fill(T x) {} template __global__ void "
      "fill<float>(float);";
  EXPECT_EQ(lines_for(source, "_Z4fillIfEvT_"), "// param 0 x\n");
}

TEST(SourceSignatures, StructuresHaveALinePerField) {
  const char* source =
      "struct Csr { int rows; const float *values; }; __global__ void k(Csr m, int n) {}";
  EXPECT_EQ(with_parameter_lines("\t\tFunction : _Z1k3Csri", signatures_in(source),
                                 SourceStructures(source)),
            "// param 0 m Csr 16\n// field 0 rows int 0\n// field 0 values float* 8\n"
            "// param 1 n int\n\t\tFunction : _Z1k3Csri");
}

TEST(SourceSignatures, ATemplatesParameterIsNoStructureOfItsName) {
  const char* source =
      "struct T { int n, m; }; template <class T> __global__ void k(T a) {} __global__ void j(T a) "
      "{}";
  const auto lines = [&](const std::string& symbol) {
    const std::string text = with_parameter_lines("\t\tFunction : " + symbol, signatures_in(source),
                                                  SourceStructures(source));
    return text.substr(0, text.find('\t'));
  };
  EXPECT_EQ(lines("_Z1kIdEvT_"), "// param 0 a\n");
  EXPECT_EQ(lines("_Z1j1T"), "// param 0 a T 8\n// field 0 n int 0\n// field 0 m int 4\n");
}

TEST(SourceSignatures, StructureTemplatesHaveTheFieldsOfTheirArguments) {
  const std::string source =
      "template <class T> struct Span { T* p; T n; }; using Ints = Span<int>;\n"
      "template <class T, int r> __global__ void k(Span<T> v, T c) {}\n"
      "template <class V> __global__ void j(V v) {} __global__ void i(Ints v) {}";
  const auto lines = [&](const std::string& symbol) {
    const std::string text = with_parameter_lines("\t\tFunction : " + symbol, signatures_in(source),
                                                  SourceStructures(source));
    return text.substr(0, text.find('\t'));
  };
  EXPECT_EQ(lines("_Z1kIfLi1EEv4SpanIT_ES1_"),
            "// param 0 v Span<float> 16\n// field 0 p float* 0\n// field 0 n float 8\n"
            "// param 1 c\n");
  EXPECT_EQ(lines("_Z1kIdLi1EEv4SpanIT_ES1_"),
            "// param 0 v Span<double> 16\n// field 0 p double* 0\n// field 0 n double 8\n"
            "// param 1 c\n");
  EXPECT_EQ(lines("_Z1jI4SpanIsEEvT_"),
            "// param 0 v Span<short> 16\n// field 0 p short* 0\n// field 0 n short 8\n");
  EXPECT_EQ(lines("_Z1i4SpanIiE"),
            "// param 0 v Ints 16\n// field 0 p int* 0\n// field 0 n int 8\n");
}

TEST(SourceSignatures, WhatIsNotUnderstoodEndsWhereTheCompiledStructureEnds) {
  const char* source = "struct A { int n; Other o; }; __global__ void k(A a) {}";
  const auto lines = [&](const std::string& sizes) {
    return with_parameter_lines(sizes + "\t\tFunction : _Z1k1A", signatures_in(source),
                                SourceStructures(source));
  };
  const std::string info =
      ".nv.info._Z1k1A\n\tValue:\tIndex : 0x0\tOrdinal : 0x0\tOffset  : 0x0\tSize    : 0x18\n.x\n";
  EXPECT_EQ(lines(info), info +
                             "// param 0 a A 24\n// field 0 n int 0\n"
                             "// field 0 o not understood: Other, and what follows 4 20\n"
                             "\t\tFunction : _Z1k1A");
  EXPECT_EQ(lines(""), "// param 0 a A\n\t\tFunction : _Z1k1A");  // nobody knows its size
}

TEST(SourceSignatures, HostileSourcesAreReadAtOnce) {
  std::string open;
  for (int i = 0; i < 75000; ++i) open += "__global__ f(";
  EXPECT_TRUE(signatures_in(open).empty());
}

TEST(SourceSignatures, OtherCountsAreLeftAlone) {
  const std::string dump =
      ".nv.info._Z1ki\n\tValue:\tIndex : 0x0\tOrdinal : 0x0\n\n\t\tFunction : _Z1ki\n";
  EXPECT_EQ(with_parameter_lines(dump, signatures_in("__global__ void k(int a, int b) {}")), dump);
  EXPECT_NE(with_parameter_lines(dump, signatures_in("__global__ void k(int a) {}")), dump);
}

}  // namespace
}  // namespace forewarp::tests
