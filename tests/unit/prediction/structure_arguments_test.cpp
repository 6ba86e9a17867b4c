// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A parameter that is a structure, given by field and by bytes.
#include <gtest/gtest.h>

#include "prediction/arguments/signature.h"
#include "request/argument_text.h"

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

Expected<BoundArguments> bound_to(const std::vector<std::string>& texts) {
  std::vector<NamedArgument> arguments;
  for (const std::string& text : texts) arguments.push_back(*parse_argument(text));
  return bind_arguments(with_structure(), arguments);
}

TEST(StructureArguments, FieldsAreGivenByName) {
  const auto bound = bound_to({"matrix.rows=7", "matrix.values=buffer:400"});
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->integer_at(8, 4), 7);
  EXPECT_EQ(bound->integer_at(16, 8), static_cast<std::int64_t>(bound->buffers[0].address));
  EXPECT_EQ(bound->buffers[0].bytes, 400U);
  EXPECT_EQ(bound->unset, (std::vector<std::uint32_t>{0}));
}

TEST(StructureArguments, IndicesCountDeclaredParameters) {
  const auto bound = bound_to({"2=buffer:400"});
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->parameters[3].source, BoundParameter::Source::buffer);
  const auto beyond = bound_to({"3=buffer:400"});
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
  const auto bound = bound_to({"matrix.values=buffer:400", "y=same:1"});
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.error().found, "it shares argument 'matrix', which is a structure");
}

TEST(StructureArguments, BytesFillItsFields) {
  const auto bound = bound_to({"1=hex:05000000000000004000000000000000"});
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->integer_at(8, 4), 5);
  EXPECT_EQ(bound->integer_at(16, 8), 0x40);
  const auto short_of_one = bound_to({"1=hex:050000000000000040000000000000"});
  ASSERT_FALSE(short_of_one);
  EXPECT_EQ(short_of_one.error().line(),
            "argument 'matrix': a structure (Csr); expected matrix.rows (int), matrix.values "
            "(float*), or 16 bytes as hex");
  EXPECT_FALSE(bound_to({"matrix=3"}));
}

}  // namespace
}  // namespace forewarp::tests
