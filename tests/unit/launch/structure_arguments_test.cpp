// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A parameter that is a structure, given by field and by bytes.
#include <gtest/gtest.h>

#include "launch/arguments/signature.h"

namespace forewarp::tests {
namespace {

/// k(int n, Csr matrix {int rows; float* values;}, float* y)
Kernel with_structure() {
  Kernel kernel;
  kernel.name = "k";
  kernel.parameters_source = FactSource::header_line;
  kernel.parameters = {{"n", "int", 0, 4, false},
                       {"matrix.rows", "int", 8, 4, false},
                       {"matrix.values", "float*", 16, 8, true},
                       {"y", "float*", 24, 8, true}};
  kernel.structures = {{"matrix", "Csr", 1, 1, 2, 8, 16}};
  return kernel;
}

NamedArgument given(const std::string& name, std::int64_t value) {
  NamedArgument argument;
  argument.name = name;
  argument.value.integer = value;
  return argument;
}

NamedArgument buffer(const std::string& name, std::optional<std::uint32_t> index = {}) {
  NamedArgument argument;
  argument.name = name;
  argument.index = index;
  argument.value.kind = Argument::Kind::buffer;
  argument.value.buffer_bytes = 400;
  return argument;
}

TEST(StructureArguments, FieldsAreGivenByName) {
  const auto bound =
      bind_arguments(with_structure(), {given("matrix.rows", 7), buffer("matrix.values")});
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->integer_at(8, 4), 7);
  EXPECT_EQ(bound->integer_at(16, 8), static_cast<std::int64_t>(bound->buffers[0].address));
  EXPECT_EQ(bound->buffers[0].bytes, 400U);
  EXPECT_EQ(bound->unset, (std::vector<std::uint32_t>{0}));
}

TEST(StructureArguments, IndicesCountDeclaredParameters) {
  const auto bound = bind_arguments(with_structure(), {buffer("", 2)});
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->parameters[3].source, BoundParameter::Source::buffer);
  const auto beyond = bind_arguments(with_structure(), {buffer("", 3)});
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().found, "kernel 'k' has 3 parameters, counted from 0");
}

TEST(StructureArguments, IndicesGoBothWays) {
  const Kernel kernel = with_structure();  // n, matrix (2 fields), y
  const std::vector<std::size_t> declared{0, 1, 1, 2};
  for (std::size_t i = 0; i < declared.size(); ++i)
    EXPECT_EQ(declared_index(kernel, i), declared[i]);
  EXPECT_EQ(index_of_declared(kernel, 0), 0U);
  EXPECT_EQ(index_of_declared(kernel, 1), 1U);
  EXPECT_EQ(index_of_declared(kernel, 2), 3U);
}

TEST(StructureArguments, AStructureIsNoBufferToShare) {
  NamedArgument shares = given("y", 0);
  shares.value.kind = Argument::Kind::same_buffer;
  shares.value.same_as = 1;
  const auto bound = bind_arguments(with_structure(), {buffer("matrix.values"), shares});
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.error().found, "it shares argument 'matrix', which is a structure");
}

TEST(StructureArguments, BytesFillItsFields) {
  NamedArgument whole;
  whole.index = 1;
  whole.value.kind = Argument::Kind::bytes;
  whole.value.bytes.assign(16, 0);
  whole.value.bytes[0] = 5;
  whole.value.bytes[8] = 0x40;
  const auto bound = bind_arguments(with_structure(), {whole});
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->integer_at(8, 4), 5);
  EXPECT_EQ(bound->integer_at(16, 8), 0x40);
  whole.value.bytes.pop_back();
  const auto short_of_one = bind_arguments(with_structure(), {whole});
  ASSERT_FALSE(short_of_one);
  EXPECT_EQ(short_of_one.error().line(),
            "argument 'matrix': a structure (Csr); expected matrix.rows (int), matrix.values "
            "(float*), or 16 bytes as hex");
  EXPECT_FALSE(bind_arguments(with_structure(), {given("matrix", 3)}));
}

}  // namespace
}  // namespace forewarp::tests
