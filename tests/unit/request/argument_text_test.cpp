// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/argument_text.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

template <typename T>
std::string message(const Expected<T>& result) {
  return result ? "no error" : result.error().line();
}

TEST(ArgumentText, TellsIntegersFromFloatingNumbersByTheirForm) {
  EXPECT_EQ(parse_argument("n=7")->value.kind, Argument::Kind::integer);
  EXPECT_EQ(parse_argument("n=7")->value.integer, 7);
  EXPECT_EQ(parse_argument("n=-3")->value.integer, -3);
  EXPECT_EQ(parse_argument("n=0x40")->value.integer, 64);
  EXPECT_EQ(parse_argument("n=-0x10")->value.integer, -16);
  EXPECT_EQ(parse_argument("x=2.5")->value.kind, Argument::Kind::floating);
  EXPECT_EQ(parse_argument("x=2.5")->value.floating, 2.5);
  EXPECT_EQ(parse_argument("x=1e6")->value.floating, 1e6);
  EXPECT_TRUE(std::isinf(parse_argument("x=-inf")->value.floating));
}

TEST(ArgumentText, KeepsUnsignedSixtyFourBitsAsTheirPattern) {
  const auto largest = parse_argument("n=18446744073709551615");
  ASSERT_TRUE(largest);
  EXPECT_EQ(largest->value.integer, -1);
  EXPECT_EQ(largest->value.type, "u64");
  EXPECT_EQ(parse_argument("n=9223372036854775807")->value.type, "");
  EXPECT_EQ(parse_argument("n=-9223372036854775808")->value.integer,
            std::numeric_limits<std::int64_t>::min());
}

TEST(ArgumentText, NamesByNameOrIndex) {
  EXPECT_EQ(parse_argument("alpha = 1")->name, "alpha");
  EXPECT_FALSE(parse_argument("alpha=1")->index);
  EXPECT_EQ(parse_argument("12=1")->index, 12U);
  EXPECT_EQ(parse_argument("12=1")->name, "");
}

TEST(ArgumentText, StatedTypesDecideTheKind) {
  const auto number = parse_argument("x=f32:7");
  ASSERT_TRUE(number);
  EXPECT_EQ(number->value.kind, Argument::Kind::floating);
  EXPECT_EQ(number->value.floating, 7.0);
  EXPECT_EQ(number->value.type, "f32");
  EXPECT_EQ(parse_argument("x=i64:4096.0")->value.integer, 4096);
  EXPECT_EQ(parse_argument("x=u32:4294967295")->value.integer, 4294967295);
}

TEST(ArgumentText, Buffers) {
  const auto plain = parse_argument("2=buffer:4096");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->value.kind, Argument::Kind::buffer);
  EXPECT_EQ(plain->value.buffer_bytes, 4096U);
  EXPECT_EQ(plain->value.content.kind, BufferContent::Kind::unknown);
  const auto typed = parse_argument("2=buffer.i32:0x100:random:7:-1:2.5");
  ASSERT_TRUE(typed) << message(typed);
  EXPECT_EQ(typed->value.buffer_bytes, 256U);
  EXPECT_EQ(typed->value.content.type, "i32");
  EXPECT_EQ(typed->value.content.kind, BufferContent::Kind::random);
  EXPECT_EQ(typed->value.content.seed, 7U);
  EXPECT_EQ(typed->value.content.low, -1.0);
  EXPECT_EQ(typed->value.content.high, 2.5);
}

TEST(ArgumentText, Contents) {
  using Kind = BufferContent::Kind;
  EXPECT_EQ(parse_content("unknown", "")->kind, Kind::unknown);
  EXPECT_EQ(parse_content("zeros", "")->kind, Kind::zeros);
  EXPECT_EQ(parse_content("ones", "")->kind, Kind::ones);
  EXPECT_EQ(parse_content("iota", "")->kind, Kind::iota);
  EXPECT_EQ(parse_content("random:3", "")->seed, 3U);
  EXPECT_EQ(parse_content("random:3", "")->high, 1.0);
  EXPECT_EQ(parse_content("fill:-2.5", "")->value, -2.5);
  EXPECT_EQ(parse_content("fill:7", "")->value, 7.0);
  EXPECT_EQ(parse_content("file:a:b.bin", "")->path, "a:b.bin");
}

TEST(ArgumentText, HexAndShared) {
  const auto bytes = parse_argument("s=hex:00ffA0");
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->value.bytes, (std::vector<std::uint8_t>{0x00, 0xff, 0xa0}));
  EXPECT_EQ(parse_argument("3=same:1")->value.same_as, 1U);
}

TEST(ArgumentText, RefusesWithTheForm) {
  const std::string forms =
      "a number (also 16M, 1<<20), TYPE:NUMBER, hex:BYTES, buffer:BYTES[:CONTENT], same:INDEX or "
      "tensor:TYPE:SIZExSIZE:box=SIZExSIZE:BUFFER";
  EXPECT_EQ(message(parse_argument("n")),
            "--arg: 'n' has no '='; expected NAME=VALUE or INDEX=VALUE");
  EXPECT_EQ(message(parse_argument("=3")),
            "--arg: '' names no parameter; expected a parameter's name or index");
  EXPECT_EQ(message(parse_argument("70000=3")),
            "--arg: '70000' is out of range; expected an index below 65536");
  EXPECT_EQ(message(parse_argument("n=abc")), "--arg: 'abc' is not a value; expected " + forms);
  EXPECT_EQ(message(parse_argument("n=")), "--arg: '' is not a value; expected " + forms);
  EXPECT_EQ(message(parse_argument("n=q:3")), "--arg: 'q:3' is not a value; expected " + forms);
  EXPECT_EQ(message(parse_argument("n=99999999999999999999z")),
            "--arg: '99999999999999999999z' is not a value; expected " + forms);
  EXPECT_EQ(message(parse_argument("n=i32:x")),
            "--arg: 'i32:x' has no number after its type; expected " + forms);
  EXPECT_EQ(message(parse_argument("n=i32:2147483648")),
            "--arg: 'i32:2147483648' does not fit; expected a value of i32");
  EXPECT_EQ(message(parse_argument("n=u8:-1")),
            "--arg: 'u8:-1' does not fit; expected a value of u8");
  EXPECT_EQ(message(parse_argument("n=hex:abc")),
            "--arg: 'hex:abc' is not a row of bytes; expected hex: and two hexadecimal digits per "
            "byte");
  EXPECT_EQ(message(parse_argument("n=hex:0g")),
            "--arg: 'hex:0g' is not a row of bytes; expected hex: and two hexadecimal digits per "
            "byte");
  EXPECT_EQ(message(parse_argument("n=same:x")),
            "--arg: 'same:x' names no argument; expected same: and the index of a buffer argument");
  EXPECT_EQ(message(parse_argument("n=buffer:-4")),
            "--arg: 'buffer:-4' has no size in bytes; expected buffer:BYTES[:CONTENT]");
  EXPECT_EQ(message(parse_argument("n=buffer.i31:4")),
            "--arg: 'buffer.i31:4' has an unknown element type; expected i8, u8, i16, u16, i32, "
            "u32, i64, u64, f16, bf16, f32, f64");
}

TEST(ArgumentText, ChainsHaveAStride) {
  for (const char* text : {"chain:32", "pointers:8"}) {
    const auto content = parse_content(text, "--arg");
    ASSERT_TRUE(content) << text;
    EXPECT_EQ(text_of(*content), text);
  }
  EXPECT_EQ(message(parse_content("chain", "--arg")),
            "--arg: 'chain' has no stride; expected chain:ELEMENTS, 1 or more");
  EXPECT_EQ(message(parse_content("pointers:0", "--arg")),
            "--arg: 'pointers:0' has no stride; expected pointers:ELEMENTS, 1 or more");
}

TEST(ArgumentText, RandomContentHasASeedOfItsOwn) {
  const auto content = parse_content("random", "--arg");
  ASSERT_TRUE(content);
  EXPECT_EQ(content->kind, BufferContent::Kind::random);
  EXPECT_EQ(content->seed, 0U);
  EXPECT_EQ(content->high, 1);
}

TEST(ArgumentText, RefusesContents) {
  const std::string forms =
      "unknown, zeros, ones, iota, random, random:SEED, random:SEED:LOW:HIGH, fill:VALUE, "
      "chain:STRIDE, pointers:STRIDE or file:PATH";
  EXPECT_EQ(message(parse_argument("n=buffer:4:zero")),
            "--arg: 'zero' is not a content; expected " + forms);
  EXPECT_EQ(message(parse_content("zeros:1", "--arg")),
            "--arg: 'zeros:1' has something after its name; expected " + forms);
  EXPECT_EQ(message(parse_content("random:", "--arg")),
            "--arg: 'random:' is not a random content; expected random, random:SEED or "
            "random:SEED:LOW:HIGH");
  EXPECT_EQ(message(parse_content("random:1:2", "--arg")),
            "--arg: 'random:1:2' is not a random content; expected random, random:SEED or "
            "random:SEED:LOW:HIGH");
  EXPECT_EQ(message(parse_content("random:1:3:2", "--arg")),
            "--arg: 'random:1:3:2' has no range; expected random:SEED:LOW:HIGH with LOW not above "
            "HIGH");
  EXPECT_EQ(message(parse_content("fill", "--arg")),
            "--arg: 'fill' has no number; expected fill:VALUE");
  EXPECT_EQ(message(parse_content("file:", "--arg")),
            "--arg: 'file:' names no file; expected file:PATH");
}

TEST(ArgumentText, TextsReadBackAsTheSameValue) {
  for (const char* text : {"7",
                           "-3",
                           "18446744073709551615",
                           "2.5",
                           "7.0",
                           "1e+300",
                           "-inf",
                           "i32:7",
                           "f64:2.5",
                           "bf16:-0.0",
                           "u8:255",
                           "hex:00ffa0",
                           "same:4",
                           "buffer:4096",
                           "buffer:4096:zeros",
                           "buffer:0:ones",
                           "buffer.i32:64:iota",
                           "buffer:64:random:3",
                           "buffer:64:random:3:-1:2.5",
                           "buffer.f64:64:fill:0.1",
                           "buffer:64:file:a:b.bin"}) {
    const auto value = parse_argument_value(text, "");
    ASSERT_TRUE(value) << text;
    EXPECT_EQ(text_of(*value), text);
  }
  EXPECT_EQ(text_of(BufferContent{}), "unknown");
}

}  // namespace
}  // namespace forewarp::tests
