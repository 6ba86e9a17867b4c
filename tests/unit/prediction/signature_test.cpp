// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/arguments/signature.h"

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "request/argument_text.h"

namespace forewarp::tests {
namespace {

/// saxpy-like: int n at 0, float a at 4, float* x at 8, float* y at 16.
Kernel typed_kernel() {
  Kernel kernel;
  kernel.name = "k";
  kernel.parameters_source = FactSource::header_line;
  kernel.parameters = {{"n", "int", 0, 4, false},
                       {"a", "float", 4, 4, false},
                       {"x", "const float*", 8, 8, true},
                       {"y", "float*", 16, 8, true}};
  return kernel;
}

Kernel kernel_with(const Parameter& parameter) {
  Kernel kernel;
  kernel.name = "k";
  kernel.parameters_source = FactSource::section_info;
  kernel.parameters = {parameter};
  return kernel;
}

std::vector<NamedArgument> arguments(const std::vector<std::string>& texts) {
  std::vector<NamedArgument> result;
  for (const std::string& text : texts) result.push_back(*parse_argument(text));
  return result;
}

std::string message(const Kernel& kernel, const std::vector<std::string>& texts) {
  const auto bound = bind_arguments(kernel, arguments(texts));
  return bound ? "no error" : bound.error().line();
}

std::int64_t bits(float value) {
  return std::bit_cast<std::int32_t>(value);
}

TEST(Signature, PlacesValuesByNameAndIndex) {
  const auto bound = bind_arguments(
      typed_kernel(), arguments({"a=2.5", "0=1000", "y=buffer:100", "x=buffer:4000:iota"}));
  ASSERT_TRUE(bound) << bound.error().line();
  EXPECT_EQ(bound->bytes.size(), 24U);
  EXPECT_EQ(bound->integer_at(0, 4), 1000);
  EXPECT_EQ(bound->integer_at(4, 4), bits(2.5F));
  EXPECT_EQ(bound->parameters[0].integer, 1000);
  EXPECT_EQ(bound->parameters[0].number, 1000.0);
  EXPECT_TRUE(bound->parameters[1].floating);
  EXPECT_EQ(bound->parameters[1].number, 2.5);
  EXPECT_TRUE(bound->unset.empty());
  EXPECT_TRUE(bound->assumed_buffers.empty());
  EXPECT_TRUE(bound->typed_by_form.empty());
  EXPECT_FALSE(bound->layout_from_arguments);
}

// Code reads a half with the two bytes behind it, which nobody gives.
TEST(Signature, KnowsWhatLiesBetweenParameters) {
  Kernel kernel = typed_kernel();
  kernel.parameters = {{"h", "__half", 0, 2, false},
                       {"x", "float*", 8, 8, true},
                       {"b", "__nv_bfloat16", 16, 2, false}};
  const auto bound = bind_arguments(kernel, arguments({"h=1.5", "x=buffer:4", "b=1.5"}));
  ASSERT_TRUE(bound) << bound.error().line();
  EXPECT_EQ(bound->bytes.size(), 20U);
  EXPECT_EQ(bound->known, std::vector<std::uint8_t>(20, 1));
  EXPECT_EQ(bound->integer_at(0, 4), 0x3e00);
  EXPECT_EQ(bound->integer_at(16, 4), 0x3fc0);
  const auto without = bind_arguments(kernel, arguments({"x=buffer:4", "b=1.5"}));
  ASSERT_TRUE(without);
  EXPECT_EQ(without->known[0] + without->known[1], 0);
  EXPECT_EQ(without->known[2], 1);
}

TEST(Signature, LaysBuffersOutInParameterOrder) {
  const auto bound =
      bind_arguments(typed_kernel(), arguments({"y=buffer:100:zeros", "x=buffer:4000"}));
  ASSERT_TRUE(bound);
  ASSERT_EQ(bound->buffers.size(), 2U);
  const std::uint64_t first = bound->buffers[0].address;
  EXPECT_EQ(bound->buffers[0].parameter, 2U);
  EXPECT_EQ(bound->buffers[0].bytes, 4000U);
  EXPECT_EQ(bound->buffers[0].content.type, "f32");
  EXPECT_EQ(first % 256, 0U);
  EXPECT_EQ(bound->buffers[1].address, first + 4096);  // 4000 rounded up to 256
  EXPECT_EQ(bound->buffers[1].content.kind, BufferContent::Kind::zeros);
  EXPECT_EQ(bound->integer_at(8, 8), static_cast<std::int64_t>(first));
  EXPECT_EQ(bound->integer_at(16, 8), static_cast<std::int64_t>(first + 4096));
  EXPECT_EQ(bound->parameters[3].integer, static_cast<std::int64_t>(first + 4096));
  EXPECT_EQ(bound->parameters[3].buffer, 1U);
}

TEST(Signature, AnEmptyBufferStillHasItsOwnAddress) {
  const auto bound = bind_arguments(typed_kernel(), arguments({"x=buffer:0", "y=buffer:8"}));
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->buffers[1].address, bound->buffers[0].address + 256);
}

TEST(Signature, SharedBuffersShareTheAddress) {
  const auto bound = bind_arguments(typed_kernel(), arguments({"x=same:3", "y=buffer:100"}));
  ASSERT_TRUE(bound) << bound.error().line();
  ASSERT_EQ(bound->buffers.size(), 1U);
  EXPECT_EQ(bound->integer_at(8, 8), bound->integer_at(16, 8));
  EXPECT_EQ(bound->parameters[2].buffer, 0U);
}

TEST(Signature, RecordsWhatIsMissing) {
  const auto bound = bind_arguments(typed_kernel(), arguments({"a=1", "y=buffer:8"}));
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->unset, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(bound->assumed_buffers, (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(bound->parameters[0].source, BoundParameter::Source::unset);
  EXPECT_EQ(bound->parameters[2].source, BoundParameter::Source::assumed_buffer);
  EXPECT_FALSE(bound->integer_at(0, 4));
  EXPECT_TRUE(bound->integer_at(4, 4));
  EXPECT_FALSE(bound->integer_at(0, 8));
  ASSERT_EQ(bound->buffers.size(), 2U);
  EXPECT_FALSE(bound->buffers[0].sized);
  EXPECT_EQ(bound->buffers[0].content.type, "f32");
  EXPECT_GT(bound->buffers[1].address - bound->buffers[0].address, std::uint64_t{1} << 35U);
}

TEST(Signature, LaterArgumentsReplaceEarlierOnes) {
  const auto bound = bind_arguments(typed_kernel(), arguments({"n=1", "0=2"}));
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->parameters[0].integer, 2);
}

TEST(Signature, NumbersFollowTheSignature) {
  const auto bound = bind_arguments(typed_kernel(), arguments({"n=4096.0", "a=7"}));
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->integer_at(0, 4), 4096);
  EXPECT_EQ(bound->integer_at(4, 4), bits(7.0F));
  EXPECT_EQ(bound->parameters[0].integer, 4096);
  EXPECT_EQ(bound->parameters[1].number, 7.0);
}

TEST(Signature, WithoutATypeTheFormDecidesAndIsRecorded) {
  const Kernel wide = kernel_with({"", "", 0, 8, false});
  const auto floating = bind_arguments(wide, arguments({"0=2.5"}));
  ASSERT_TRUE(floating);
  EXPECT_EQ(floating->integer_at(0, 8), std::bit_cast<std::int64_t>(2.5));
  EXPECT_EQ(floating->typed_by_form, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(bind_arguments(wide, arguments({"0=-1"}))->integer_at(0, 8), -1);
  EXPECT_EQ(bind_arguments(wide, arguments({"0=18446744073709551615"}))->integer_at(0, 8), -1);
  const Kernel real = kernel_with({"d", "double", 0, 8, false});
  EXPECT_EQ(bind_arguments(real, arguments({"d=18446744073709551615"}))->integer_at(0, 8),
            std::bit_cast<std::int64_t>(18446744073709551616.0));
  const Kernel narrow = kernel_with({"", "", 0, 4, false});
  EXPECT_EQ(bind_arguments(narrow, arguments({"0=2.5"}))->integer_at(0, 4), bits(2.5F));
  EXPECT_EQ(bind_arguments(narrow, arguments({"0=4294967295"}))->integer_at(0, 4), -1);
  EXPECT_EQ(message(narrow, {"0=4294967296"}),
            "argument '#0': 4294967296 does not fit; expected 4 bytes");
  EXPECT_TRUE(bind_arguments(narrow, arguments({"0=i32:7"}))->typed_by_form.empty());
}

TEST(Signature, StatedIntegersAreWidenedWithTheirSign) {
  const Kernel wide = kernel_with({"n", "long", 0, 8, false});
  EXPECT_EQ(bind_arguments(wide, arguments({"n=i32:-1"}))->integer_at(0, 8), -1);
  EXPECT_EQ(bind_arguments(wide, arguments({"n=u32:4294967295"}))->integer_at(0, 8), 4294967295);
}

TEST(Signature, APointerTakesAnAddressAsNumber) {
  const auto bound = bind_arguments(typed_kernel(), arguments({"x=0x1000"}));
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->integer_at(8, 8), 0x1000);
  EXPECT_EQ(bound->parameters[2].source, BoundParameter::Source::number);
  EXPECT_EQ(message(typed_kernel(), {"x=2.5"}),
            "argument 'x': 2.5 does not fit; expected const float*");
}

TEST(Signature, StructuresAreBytes) {
  const Kernel kernel = kernel_with({"s", "Box", 0, 12, false});
  const auto bound = bind_arguments(kernel, arguments({"s=hex:000102030405060708090a0b"}));
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->integer_at(4, 4), 0x07060504);
  EXPECT_EQ(message(kernel, {"s=hex:0001"}),
            "argument 's': 2 bytes are given; expected 12 bytes (Box)");
  EXPECT_EQ(message(kernel, {"s=7"}),
            "argument 's': 7 is one number; expected 12 bytes as hex (Box)");
}

TEST(Signature, RefusesNamesAndIndicesThatTheKernelLacks) {
  const std::string list = "n (int), a (float), x (const float*), y (float*)";
  EXPECT_EQ(message(typed_kernel(), {"z=1"}),
            "argument 'z': kernel 'k' has no parameter of that name; expected " + list +
                "; did you mean 'n'?");
  EXPECT_TRUE(
      message(typed_kernel(), {"z=buffer:64"}).ends_with("; did you mean 'x'?"));  // of its kind
  EXPECT_EQ(message(typed_kernel(), {"height=1"}),
            "argument 'height': kernel 'k' has no parameter of that name; expected " + list);
  EXPECT_EQ(message(typed_kernel(), {"4=1"}),
            "argument 4: kernel 'k' has 4 parameters, counted from 0; expected " + list);
  EXPECT_EQ(message(kernel_with({"", "", 0, 8, true}), {"n=1"}),
            "argument 'n': kernel 'k' has no parameter of that name; expected #0 (pointer); its "
            "names are not in the code: give arguments by index");
  Kernel none;
  none.name = "k";
  none.parameters_source = FactSource::section_info;
  EXPECT_EQ(message(none, {"0=1"}),
            "argument 0: kernel 'k' has 0 parameters, counted from 0; expected no arguments");
}

TEST(Signature, RefusesWhatDoesNotFit) {
  EXPECT_EQ(message(typed_kernel(), {"n=2147483648"}),
            "argument 'n': 2147483648 does not fit; expected int");
  EXPECT_EQ(message(typed_kernel(), {"n=2.5"}), "argument 'n': 2.5 does not fit; expected int");
  EXPECT_EQ(message(typed_kernel(), {"a=1e39"}),
            "argument 'a': 1e+39 does not fit; expected float");
  EXPECT_EQ(message(typed_kernel(), {"n=i64:4294967296"}),
            "argument 'n': i64:4294967296 does not fit; expected int");
  EXPECT_EQ(message(typed_kernel(), {"n=f32:2"}),
            "argument 'n': the value is stated as f32; expected int");
  EXPECT_EQ(message(typed_kernel(), {"a=i32:2"}),
            "argument 'a': the value is stated as i32; expected float");
  EXPECT_EQ(message(typed_kernel(), {"a=f64:2"}),
            "argument 'a': the value is stated as f64; expected float");
  EXPECT_EQ(message(typed_kernel(), {"x=f64:2"}),
            "argument 'x': the value is stated as f64; expected const float*");
  EXPECT_EQ(message(typed_kernel(), {"n=buffer:4"}),
            "argument 'n': a buffer is given; expected int");
  EXPECT_EQ(message(typed_kernel(), {"n=same:2"}), "argument 'n': a buffer is given; expected int");
}

TEST(Signature, RefusesToShareWhatIsNoBuffer) {
  const std::string expected =
      ", which is no buffer; expected same: and the index of a buffer argument";
  EXPECT_EQ(message(typed_kernel(), {"n=1", "x=same:0"}),
            "argument 'x': it shares argument 0" + expected);
  EXPECT_EQ(message(typed_kernel(), {"x=same:2"}), "argument 'x': it shares argument 2" + expected);
  EXPECT_EQ(message(typed_kernel(), {"x=same:3", "y=same:2"}),
            "argument 'x': it shares argument 3" + expected);
  EXPECT_EQ(message(typed_kernel(), {"x=same:9"}), "argument 'x': it shares argument 9" + expected);
}

TEST(Signature, RefusesBuffersThatNoAddressReaches) {
  EXPECT_EQ(message(typed_kernel(), {"x=buffer:100000000000000"}),
            "argument 'x': its buffer of 100000000000000 bytes leaves no room; expected at most "
            "70368744177664 bytes in all buffers");
  EXPECT_EQ(message(typed_kernel(), {"x=buffer:18446744073709551615"}),
            "argument 'x': its buffer of 18446744073709551615 bytes leaves no room; expected at "
            "most 70368744177664 bytes in all buffers");
}

TEST(Signature, InferredParametersFollowTheArgumentsGivenInOrder) {
  // The code uses an int at 0 and a pointer at 16; the pointer at 8 leaves no trace.
  Kernel kernel;
  kernel.name = "k";
  kernel.parameters_source = FactSource::inferred;
  kernel.parameters = {{"", "", 0, 4, false}, {"", "", 16, 8, true}, {"", "", 24, 8, true}};
  const auto bound = bind_arguments(kernel, arguments({"0=5", "1=buffer:64", "2=buffer:128"}));
  ASSERT_TRUE(bound) << bound.error().line();
  EXPECT_TRUE(bound->layout_from_arguments);
  ASSERT_EQ(bound->parameters.size(), 4U);
  EXPECT_EQ(bound->parameters[1].offset, 8U);
  EXPECT_EQ(bound->parameters[2].offset, 16U);
  EXPECT_EQ(bound->buffers[1].bytes, 128U);
  EXPECT_EQ(bound->parameters[3].offset, 24U);
  EXPECT_EQ(bound->assumed_buffers, (std::vector<std::uint32_t>{3}));
}

TEST(Signature, InferredSizesDecideOverPlainNumbers) {
  Kernel kernel;
  kernel.parameters_source = FactSource::inferred;
  kernel.parameters = {{"", "", 0, 8, false}, {"", "", 8, 4, false}, {"", "", 12, 4, false}};
  const auto bound = bind_arguments(kernel, arguments({"0=5", "1=6", "2=7"}));
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->integer_at(0, 8), 5);
  EXPECT_EQ(bound->integer_at(8, 4), 6);
  EXPECT_EQ(bound->integer_at(12, 4), 7);
}

TEST(Signature, PlainNumbersTakeTheInferredTypes) {
  Kernel kernel;
  kernel.parameters_source = FactSource::inferred;
  kernel.parameters = {
      {"", "float", 0, 4, false}, {"", "", 4, 4, false}, {"", "double", 8, 8, false}};
  const auto bound = bind_arguments(kernel, arguments({"0=3", "1=3", "2=3"}));
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->integer_at(0, 4), 0x40400000);  // 3.0f
  EXPECT_EQ(bound->integer_at(4, 4), 3);
  EXPECT_EQ(bound->integer_at(8, 8), 0x4008000000000000);  // 3.0
}

TEST(Signature, ANarrowPlaceBeforeAWideOneStaysNarrow) {
  Kernel kernel;
  kernel.parameters_source = FactSource::inferred;
  kernel.parameters = {{"", "", 0, 4, false}, {"", "", 4, 4, false}, {"", "", 8, 8, false}};
  const auto bound = bind_arguments(kernel, arguments({"0=5", "1=6", "2=7"}));
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->integer_at(4, 4), 6);
  EXPECT_EQ(bound->integer_at(8, 8), 7);
}

TEST(Signature, NumbersAreNarrowWhereBuffersThenLieOnPointers) {
  // k(int n, int m, float* x): the code reads n and m at once, or neither of them.
  Kernel kernel;
  kernel.parameters_source = FactSource::inferred;
  kernel.parameters = {{"", "", 0, 8, false}, {"", "", 8, 8, true}};
  const auto bound = bind_arguments(kernel, arguments({"0=5", "1=6", "2=buffer:64"}));
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->integer_at(0, 4), 5);
  EXPECT_EQ(bound->integer_at(4, 4), 6);
  EXPECT_EQ(bound->parameters[2].offset, 8U);
  // k(long n, float* x)
  const auto one = bind_arguments(kernel, arguments({"0=5", "1=buffer:64"}));
  ASSERT_TRUE(one);
  EXPECT_EQ(one->integer_at(0, 8), 5);
  EXPECT_EQ(one->parameters[1].offset, 8U);
  // k(long n, long m, float* x), whose x is not read
  kernel.parameters = {{"", "", 0, 8, false}, {"", "", 8, 8, false}};
  const auto unread = bind_arguments(kernel, arguments({"0=5", "1=6", "2=buffer:64"}));
  ASSERT_TRUE(unread);
  EXPECT_EQ(unread->integer_at(8, 8), 6);
  EXPECT_EQ(unread->parameters[2].offset, 16U);
}

TEST(Signature, InferredParametersTakeSingleArgumentsByTheirPlace) {
  Kernel kernel;
  kernel.parameters_source = FactSource::inferred;
  kernel.parameters = {{"", "", 0, 4, false}, {"", "", 16, 8, true}};
  const auto bound = bind_arguments(kernel, arguments({"1=buffer:64"}));
  ASSERT_TRUE(bound);
  EXPECT_FALSE(bound->layout_from_arguments);
  EXPECT_EQ(bound->parameters[1].offset, 16U);
}

TEST(Signature, ElementTypes) {
  EXPECT_EQ(element_type("const float*"), "f32");
  EXPECT_EQ(element_type("unsigned char * __restrict__"), "u8");
  EXPECT_EQ(element_type("long long*"), "i64");
  EXPECT_EQ(element_type("float**"), "");
  EXPECT_EQ(element_type("Box*"), "");
  EXPECT_EQ(element_type("int"), "");
}

}  // namespace
}  // namespace forewarp::tests
