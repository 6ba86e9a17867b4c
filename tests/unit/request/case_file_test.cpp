// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/files/case_file.h"

#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

Expected<Case> read(const std::string& json) {
  return parse_case({3, json, false}, "sets/cases.jsonl").parsed;
}

std::string message(const std::string& json) {
  const auto result = read(json);
  return result ? "no error" : result.error().line();
}

TEST(CaseFile, ReadsEveryKey) {
  const auto result = read(
      R"({"id": "conv/17", "input": "conv_17.sass", "kernel": "convolution", "gpu": "some-board",
      "grid": [128, 342, 1], "block": [32, 4, 1], "dynamic_shared": 512,
      "args": [{"buffer": 67108864, "content": "unknown"}, {"buffer": 64, "content": "random:1",
      "type": "u8"}, {"i32": 4096}, {"f32": 2.5}, 7, 1.5, {"same": 0}, {"hex": "00ff"}, true],
      "constants": {"filter": {"buffer": 900, "content": "zeros"}},
      "clock_mhz": 1560, "timing": "event", "repeat": "warm",
      "overhead_us": 16.5, "measured_ms": 1.234, "spread": 0.01, "group": "n=4096"})");
  ASSERT_TRUE(result) << result.error().line();
  EXPECT_EQ(result->id, "conv/17");
  EXPECT_EQ(result->input, "sets/conv_17.sass");
  EXPECT_EQ(result->kernel, "convolution");
  EXPECT_EQ(result->gpu, "some-board");
  EXPECT_EQ(result->launch.grid, (Extent{128, 342, 1}));
  EXPECT_EQ(result->launch.block, (Extent{32, 4, 1}));
  EXPECT_EQ(result->launch.dynamic_shared, 512U);
  EXPECT_TRUE(result->has_dynamic_shared);
  EXPECT_EQ(result->clock->megahertz, 1560);
  EXPECT_EQ(result->timing, Timing::event);
  EXPECT_EQ(result->repeat, Repeat::warm);
  EXPECT_EQ(result->overhead_us, 16.5);
  EXPECT_EQ(result->measured_ms, 1.234);
  EXPECT_EQ(result->spread, 0.01);
  EXPECT_EQ(result->group, "n=4096");

  const auto& arguments = result->launch.arguments;
  ASSERT_EQ(arguments.size(), 9U);
  EXPECT_EQ(arguments[0].value.buffer_bytes, 67108864U);
  EXPECT_EQ(arguments[1].value.content.kind, BufferContent::Kind::random);
  EXPECT_EQ(arguments[1].value.content.type, "u8");
  EXPECT_EQ(arguments[2].value.type, "i32");
  EXPECT_EQ(arguments[2].index, 2U);
  EXPECT_EQ(arguments[3].value.floating, 2.5);
  EXPECT_EQ(arguments[4].value.integer, 7);
  EXPECT_EQ(arguments[4].value.type, "");
  EXPECT_EQ(arguments[5].value.kind, Argument::Kind::floating);
  EXPECT_EQ(arguments[6].value.kind, Argument::Kind::same_buffer);
  EXPECT_EQ(arguments[7].value.bytes, (std::vector<std::uint8_t>{0, 255}));
  EXPECT_EQ(arguments[8].value.integer, 1);
  ASSERT_EQ(result->launch.constants.size(), 1U);
  EXPECT_EQ(result->launch.constants[0].name, "filter");
  EXPECT_EQ(result->launch.constants[0].value.buffer_bytes, 900U);
}

TEST(CaseFile, ArgumentsMayBeNamed) {
  const auto result = read(R"({"args": {"n": 4, "1": 2.5}})");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->launch.arguments[0].name, "n");
  EXPECT_EQ(result->launch.arguments[1].index, 1U);
}

TEST(CaseFile, TheOrderOfABuffersKeysDoesNotMatter) {
  const auto result = read(R"({"args": [{"type": "u8", "content": "ones", "buffer": 64}]})");
  ASSERT_TRUE(result);
  const Argument& argument = result->launch.arguments[0].value;
  EXPECT_EQ(argument.buffer_bytes, 64U);
  EXPECT_EQ(argument.content.kind, BufferContent::Kind::ones);
  EXPECT_EQ(argument.content.type, "u8");
}

TEST(CaseFile, NullLeavesOut) {
  const auto result = read(R"({"grid": null, "measured_ms": null, "args": [1, null, 3]})");
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->has_grid());
  EXPECT_FALSE(result->measured_ms);
  ASSERT_EQ(result->launch.arguments.size(), 2U);
  EXPECT_EQ(result->launch.arguments[1].index, 2U);
}

TEST(CaseFile, PathsStartAtTheFile) {
  EXPECT_EQ(read(R"({"input": "../a.sass"})")->input, "a.sass");
  EXPECT_EQ(read(R"({"input": "/x/a.sass"})")->input, "/x/a.sass");
  EXPECT_EQ(read(R"({"input": "-"})")->input, "-");
  EXPECT_EQ(read(R"({"gpu": "boards/mine.toml"})")->gpu, "sets/boards/mine.toml");
  EXPECT_EQ(read(R"({"gpu": "Some Board"})")->gpu, "Some Board");
  EXPECT_EQ(read(R"({"args": [{"buffer": 4, "content": "file:x.bin"}]})")
                ->launch.arguments[0]
                .value.content.path,
            "sets/x.bin");
  EXPECT_EQ(parse_case({1, R"({"input": "a.sass"})", false}, "cases.jsonl").parsed->input,
            "a.sass");
}

TEST(CaseFile, KeepsLargeNumbers) {
  const auto result = read(R"({"args": [18446744073709551615, {"u64": 18446744073709551615},
      -9223372036854775808, {"i64": 4096.0}]})");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->launch.arguments[0].value.integer, -1);
  EXPECT_EQ(result->launch.arguments[0].value.type, "u64");
  EXPECT_EQ(result->launch.arguments[1].value.integer, -1);
  EXPECT_EQ(result->launch.arguments[2].value.integer, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(result->launch.arguments[3].value.integer, 4096);
}

TEST(CaseFile, ACopyHasWholeBytes) {
  const auto copy = [](const std::string& bytes) {
    return message(R"({"copies": [{"bytes": )" + bytes + R"(, "direction": "h2d"}]})");
  };
  EXPECT_EQ(copy("64"), "no error");
  EXPECT_EQ(copy("0"), "no error");
  EXPECT_NE(copy("64.5").find("expected a size in bytes"), std::string::npos) << copy("64.5");
  EXPECT_NE(copy("-1").find("expected a size in bytes"), std::string::npos) << copy("-1");
}

TEST(CaseFile, UnknownKeysAreAnsweredWithTheClosest) {
  EXPECT_EQ(message(R"({"blok": 3})"),
            "sets/cases.jsonl:3: 'blok' is not a key here; expected id, input, gpu, kernel, grid, "
            "block, cluster, dynamic_shared, resident_blocks, compile_options, "
            "args, constants, copies, link, clock_mhz, timing, repeat, overhead_us, measured_ms, "
            "spread, group, count; did you mean 'block'?");
  EXPECT_EQ(message(R"({"args": [{"bufer": 3}]})"),
            "sets/cases.jsonl:3: 'args[0].bufer' is not a key here; expected i32, u32, i64, u64, "
            "f32, f64, hex, buffer, content, type, same, i8, u8, i16, u16, f16, bf16, tensor; did "
            "you mean "
            "'buffer'?");
  EXPECT_EQ(message(R"({"something_else": 3})"),
            "sets/cases.jsonl:3: 'something_else' is not a key here; expected id, input, gpu, "
            "kernel, grid, block, cluster, dynamic_shared, resident_blocks, compile_options, "
            "args, constants, copies, link, clock_mhz, timing, repeat, overhead_us, "
            "measured_ms, spread, group, count");
}

TEST(CaseFile, WrongValuesNameTheKey) {
  const std::pair<const char*, const char*> refusals[] = {
      {R"([1])", "it is a list of 1; expected an object with the keys of a case"},
      {R"({"id": 1.5})", "'id' is the number 1.5; expected a text"},
      {R"({"input": ""})", "'input' is the text ''; expected the path of a listing or a binary"},
      {R"({"input": "a\u0000b"})",
       "a text holds the character \\u0000; expected a text without it"},
      {R"({"clock_mhz": 0.5})",
       "'clock_mhz' is the number 0.5; expected a clock of 1 to 100000 MHz"},
      {R"({"kernel": 3})", "'kernel' is the number 3; expected a text"},
      {R"({"grid": []})", "'grid' is a list of 0; expected one to three sizes [x, y, z]"},
      {R"({"grid": [1,2,3,4]})", "'grid' is a list of 4; expected one to three sizes [x, y, z]"},
      {R"({"grid": "1"})", "'grid' is the text '1'; expected a list of sizes [x, y, z]"},
      {R"({"block": [32, 0]})",
       "'block[1]' is the number 0; expected a whole number from 1 to 4294967295"},
      {R"({"block": 4294967296})",
       "'block' is the number 4294967296; expected a whole number from 1 to 4294967295"},
      {R"({"block": [1.5]})",
       "'block[0]' is the number 1.5; expected a whole number from 1 to 4294967295"},
      {R"({"dynamic_shared": -1})",
       "'dynamic_shared' is the number -1; expected a whole number from 0 to 4294967295"},
      {R"({"args": 3})",
       "'args' is the number 3; expected a list in parameter order or an object by parameter name"},
      {R"({"args": ["x"]})",
       "'args[0]' is the text 'x'; expected a number, {TYPE: number}, {\"hex\": ..}, {\"buffer\": "
       "bytes}, {\"same\": index} or {\"tensor\": ..}"},
      {R"({"args": [{}]})",
       "'args[0]' is empty; expected a number, {TYPE: number}, {\"hex\": ..}, {\"buffer\": bytes}, "
       "{\"same\": index} or {\"tensor\": ..}"},
      {R"({"args": [{"i32": 1, "f32": 2}]})",
       "'args[0]' says more than one thing: i32, f32; expected one of them"},
      {R"({"args": [{"i32": 2147483648}]})",
       "'args[0].i32' is the number 2147483648; expected a whole number that fits i32"},
      {R"({"args": [{"u32": -1}]})",
       "'args[0].u32' is the number -1; expected a whole number that fits u32"},
      {R"({"args": [{"i32": 2.5}]})",
       "'args[0].i32' is the number 2.5; expected a whole number that fits i32"},
      {R"({"args": [{"f32": 1e300}]})",
       "'args[0].f32' is the number 1e+300; expected a value that fits f32"},
      {R"({"args": [{"f32": "x"}]})", "'args[0].f32' is the text 'x'; expected a number"},
      {R"({"args": {"n": {"hex": "0"}}})",
       "'args.n.hex' is the text '0'; expected two hexadecimal digits per byte"},
      {R"({"args": {"n": {"hex": 0}}})",
       "'args.n.hex' is the number 0; expected hexadecimal digits as a text"},
      {R"({"args": [{"same": -1}]})",
       "'args[0].same' is the number -1; expected the index of a buffer argument"},
      {R"({"args": [{"buffer": -1}]})",
       "'args[0].buffer' is the number -1; expected a size in bytes"},
      {R"({"args": [{"buffer": 18446744073709551615}]})",
       "'args[0].buffer' is the number 18446744073709551615; expected a size in bytes"},
      {R"({"args": [{"content": "zeros"}]})",
       "'args[0].content' stands without a buffer; expected {\"buffer\": bytes, \"content\": .., "
       "\"type\": ..}"},
      {R"({"args": [{"buffer": 4, "content": "zero"}]})",
       "'args[0].content': 'zero' is not a content; expected unknown, zeros, ones, iota, "
       "random, random:SEED, random:SEED:LOW:HIGH, fill:VALUE, chain:STRIDE, pointers:STRIDE or "
       "file:PATH"},
      {R"({"args": [{"buffer": 4, "content": 0}]})",
       "'args[0].content' is the number 0; expected the name of a content"},
      {R"({"args": [{"buffer": 4, "type": "float"}]})",
       "'args[0].type' is the text 'float'; expected i8, u8, i16, u16, i32, u32, i64, u64, f16, "
       "bf16, f32, f64"},
      {R"({"args": {"99999": 1}})",
       "'args.99999': '99999' is out of range; expected an index below 65536"},
      {R"({"constants": [1]})", "'constants' is a list of 1; expected an object by symbol name"},
      {R"({"constants": {"0": 1}})", "'constants.0' is a number; expected the name of a symbol"},
      {R"({"clock_mhz": 0})", "'clock_mhz' is the number 0; expected a clock of 1 to 100000 MHz"},
      {R"({"clock_mhz": "fast"})",
       "'clock_mhz': 'fast' is not a clock; expected 1 to 100000 MHz, base, boost, sustained or "
       "load"},
      {R"({"timing": "wall"})",
       "'timing' is the text 'wall'; expected device, event, stream, graph or host"},
      {R"({"repeat": true})", "'repeat' is true; expected cold or warm"},
      {R"({"measured_ms": 0})", "'measured_ms' is the number 0; expected a time in ms above 0"},
      {R"({"spread": -0.1})", "'spread' is the number -0.1; expected a share, 0 or more"},
      {R"({"group": {}})", "'group' is an object; expected a text"},
      {R"({"id": "a", "id": "b"})", "key 'id' stands twice in one object; expected each key once"},
      {R"({"args": [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]})",
       "the object is nested deeper than 16 levels; expected the keys of a case"}};
  for (const auto& [json, expected] : refusals) {
    EXPECT_EQ(message(json), std::string("sets/cases.jsonl:3: ") + expected) << json;
  }
}

TEST(CaseFile, BrokenJsonHasItsColumn) {
  EXPECT_EQ(message(R"({"id": )"),
            "sets/cases.jsonl:3:8: unexpected end of input; expected '[', '{', or a literal; "
            "expected one JSON object");
  EXPECT_EQ(message("\x01"),
            "sets/cases.jsonl:3:1: invalid literal; last read: '<U+0001>'; expected one JSON "
            "object");
}

TEST(CaseFile, LongTextsAreCutBetweenCharacters) {
  const std::string text(39, 'a');
  EXPECT_EQ(message(R"({"group": {}, "timing": ")" + text + "\u00e9\u00e9\"}"),
            "sets/cases.jsonl:3: 'group' is an object; expected a text");
  EXPECT_EQ(message(R"({"timing": ")" + text + "\u00e9\u00e9\"}"),
            "sets/cases.jsonl:3: 'timing' is the text '" + text +
                "..'; expected device, event, stream, graph or host");
}

TEST(CaseFile, TheIdOfARefusedCaseIsKept) {
  EXPECT_EQ(parse_case({1, R"({"blok": 1, "id": "a/1"})", false}, "f").id, "a/1");
  EXPECT_EQ(parse_case({1, R"({"blok": 1, "id": 12})", false}, "f").id, "12");
  EXPECT_EQ(parse_case({1, "{", false}, "f").id, "");
}

TEST(CaseFile, LinesAreNumberedAndBlankOnesSkipped) {
  std::istringstream input("\xef\xbb\xbf{}\n\n  \r\n{\"id\": 1}\r\nlast");
  CaseLines lines(input);
  CaseText line;
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line.line, 1U);
  EXPECT_EQ(line.text, "{}");
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line.line, 4U);
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line.line, 5U);
  EXPECT_EQ(line.text, "last");
  EXPECT_FALSE(lines.next(line));
}

TEST(CaseFile, LinesCrossTheReadSize) {
  const std::string first(70000, 'a');
  const std::string second(200000, 'b');
  std::istringstream input(first + "\n" + second + "\n");
  CaseLines lines(input);
  CaseText line;
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line.text, first);
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line.text, second);
  EXPECT_FALSE(lines.next(line));
}

/// A device that never ends a line.
class EndlessLine : public std::streambuf {
 protected:
  int_type underflow() override {
    setg(piece_.data(), piece_.data(), piece_.data() + piece_.size());
    return traits_type::to_int_type(piece_.front());
  }

 private:
  std::string piece_ = std::string(1 << 16, 'x');
};

TEST(CaseLines, NothingIsReadAfterALineThatDoesNotEnd) {
  EndlessLine endless;
  std::istream input(&endless);
  CaseLines lines(input);
  CaseText line;
  ASSERT_TRUE(lines.next(line));
  EXPECT_TRUE(line.text.empty());
  EXPECT_EQ(parse_case(line, "all.jsonl").parsed.error().line(),
            "all.jsonl:1: the line does not end; expected at most 16777216 bytes; the rest of the "
            "file is not read");
  EXPECT_FALSE(lines.next(line));
}

TEST(CaseFile, ALineThatIsTooLongIsOneBadCase) {
  std::istringstream input(std::string(CaseLines::longest + 100000, 'x') + "\n{}\n");
  CaseLines lines(input);
  CaseText line;
  ASSERT_TRUE(lines.next(line));
  EXPECT_TRUE(line.too_long);
  EXPECT_EQ(parse_case(line, "f").parsed.error().line(),
            "f:1: the line is too long; expected at most 16777216 bytes");
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line.line, 2U);
  EXPECT_EQ(line.text, "{}");
  EXPECT_FALSE(lines.next(line));
}

}  // namespace
}  // namespace forewarp::tests
