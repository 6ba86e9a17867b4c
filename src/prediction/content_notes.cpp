// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/content_notes.h"

#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "program/scalar_type.h"
#include "request/argument_text.h"

namespace forewarp::prediction {
namespace {

using Kind = BufferContent::Kind;

/// A buffer with content, as the option that gives it names it.
struct GivenContent {
  std::string option, name;  ///< "--arg ", "idx"
  std::string type;          ///< as declared: "const float4*"; empty: not known
  std::uint64_t bytes = 0;
  BufferContent content;
};

std::vector<GivenContent> given_contents(const Launch& made) {
  std::vector<GivenContent> given;
  const std::vector<Parameter>& parameters = made.code.kernel->parameters;
  for (const BoundBuffer& buffer : made.arguments.buffers) {
    GivenContent one{"--arg ", std::to_string(buffer.parameter), {}, buffer.bytes, buffer.content};
    if (buffer.parameter < parameters.size()) {
      const Parameter& parameter = parameters[buffer.parameter];
      if (!parameter.name.empty()) one.name = parameter.name;
      one.type = parameter.type;
    }
    given.push_back(std::move(one));
  }
  for (const NamedArgument& constant : made.config.constants) {
    if (constant.value.kind != Argument::Kind::buffer) continue;
    given.push_back(
        {"--constant ", constant.name, {}, constant.value.buffer_bytes, constant.value.content});
  }
  return given;
}

/// One kind of element for every buffer of a launch that it is assumed of.
struct Assumed {
  std::vector<std::string> names, ways_out;

  void add(const GivenContent& given, const std::string& type, const std::string& content) {
    names.push_back(given.name);
    ways_out.push_back(given.option + given.name + "=buffer" + type + ":" +
                       std::to_string(given.bytes) + ":" + content);
  }
};

bool is_bounded(const BufferContent& content) {
  const BufferContent free;
  return content.low != free.low || content.high != free.high;
}

/// Truth values are 0 and 1 by what they are.
bool is_truth(const GivenContent& given) {
  return given.type.find("bool") != std::string::npos;
}

/// Whether the content says values rather than bytes, so that their type matters.
bool says_values(const BufferContent& content) {
  switch (content.kind) {
    case Kind::ones:
    case Kind::iota:
    case Kind::random:
    case Kind::fill:
    case Kind::chain:
      return true;
    default:
      return false;
  }
}

}  // namespace

void note_contents(Launch& made) {
  Assumed truths, untyped;
  for (const GivenContent& given : given_contents(made)) {
    const BufferContent& content = given.content;
    const auto type = short_scalar_type(content.type);
    if (!type && says_values(content) && given.type.find("float") == std::string::npos) {
      untyped.add(given, ".TYPE", text_of(content));
    }
    if (!type || type->is_floating() || content.kind != Kind::random) continue;
    if (is_bounded(content) || is_truth(given)) continue;
    truths.add(given, "." + content.type, "random:" + std::to_string(content.seed) + ":LOW:HIGH");
  }
  if (!truths.names.empty()) {
    made.notes.assumptions.push_back(
        {"random-integers",
         "random integers in " + join(truths.names, ", ") +
             " are 0 or 1, as no bounds were given: as indices they reach two elements",
         join(truths.ways_out, " ")});
  }
  if (!untyped.names.empty()) {
    made.notes.assumptions.push_back({"element-type",
                                      "the type of the elements of " + join(untyped.names, ", ") +
                                          " is not known: their content is written as f32",
                                      join(untyped.ways_out, " ") + ", TYPE i32, f64 .."});
  }
}

}  // namespace forewarp::prediction
