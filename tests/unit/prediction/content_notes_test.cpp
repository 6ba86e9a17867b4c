// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/content_notes.h"

#include <memory>

#include <gtest/gtest.h>

#include "request/argument_text.h"

namespace forewarp::tests {
namespace {

/// The notes on one buffer of 64 bytes whose parameter is declared so.
Notes notes_on(const std::string& type, const std::string& argument) {
  auto kernel = std::make_shared<Kernel>();
  kernel->name = "k";
  kernel->parameters_source = FactSource::section_info;
  kernel->parameters = {{"x", type, 0, 8, true}};
  auto bound = bind_arguments(*kernel, {*parse_argument(argument)});
  EXPECT_TRUE(bound) << bound.error().line();
  Launch launch;
  launch.code.kernel = std::move(kernel);
  launch.arguments = *std::move(bound);
  note_contents(launch);
  return launch.notes;
}

TEST(ContentNotes, SayWhichIntegersARandomContentHolds) {
  for (const auto& [declared, name] :
       {std::pair{"int*", "i32"}, std::pair{"const unsigned char*", "u8"},
        std::pair{"long long*", "i64"}, std::pair{"unsigned short*", "u16"}}) {
    const Notes notes = notes_on(declared, "x=buffer:64:random:3");
    ASSERT_EQ(notes.assumptions.size(), 1U) << declared;
    EXPECT_EQ(notes.assumptions[0].id, "random-integers");
    EXPECT_EQ(notes.assumptions[0].text,
              "random integers in x are 0 or 1, as no bounds were given: as indices they reach two "
              "elements");
    EXPECT_EQ(notes.assumptions[0].change_with,
              std::string("--arg x=buffer.") + name + ":64:random:3:LOW:HIGH");
  }
  // The type of the argument stands above that of the parameter.
  EXPECT_EQ(notes_on("float*", "x=buffer.i32:64:random").assumptions.size(), 1U);
}

TEST(ContentNotes, AreSilentWhereNothingIsAssumed) {
  for (const char* argument : {"x=buffer:64:random:3:0:9", "x=buffer:64:zeros", "x=buffer:64",
                               "x=buffer:64:iota", "x=buffer.f32:64:random"}) {
    EXPECT_TRUE(notes_on("int*", argument).assumptions.empty()) << argument;
  }
  EXPECT_TRUE(notes_on("float*", "x=buffer:64:random").assumptions.empty());
  EXPECT_TRUE(notes_on("const float4*", "x=buffer:64:random").assumptions.empty());
  EXPECT_TRUE(notes_on("bool*", "x=buffer:64:random").assumptions.empty());
}

TEST(ContentNotes, SayThatElementsOfUnknownTypeAreFloats) {
  for (const char* declared : {"", "uchar4*", "Node*"}) {
    const Notes notes = notes_on(declared, "x=buffer:64:iota");
    ASSERT_EQ(notes.assumptions.size(), 1U) << declared;
    EXPECT_EQ(notes.assumptions[0].id, "element-type");
    EXPECT_EQ(notes.assumptions[0].change_with, "--arg x=buffer.TYPE:64:iota, TYPE i32, f64 ..");
  }
  EXPECT_TRUE(notes_on("Node*", "x=buffer:64:zeros").assumptions.empty());
  EXPECT_TRUE(notes_on("Node*", "x=buffer.u8:64:iota").assumptions.empty());
}

}  // namespace
}  // namespace forewarp::tests
