// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "compare_sides.h"

#include <array>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "request/option_text.h"

namespace forewarp::cli {
namespace {

constexpr std::string_view argument_key = "arg.", constant_key = "constant.", fact_key = "hw.";

/// Options of a side as text, and what only a case can hold.
struct Side {
  PredictionOptions options;
  std::vector<std::string> compile_options;
  std::uint32_t resident_blocks = 0;
};

struct Key {
  std::string_view name;
  bool (*set)(Side&, const std::string&);
};

template <auto Member>
bool set_text(Side& side, const std::string& value) {
  side.options.*Member = value;
  return !value.empty();
}

template <auto Member>
bool set_list(Side& side, const std::string& value) {
  (side.options.*Member).clear();
  for (const std::string_view part : split(value, ',')) {
    (side.options.*Member).emplace_back(trim(part));
  }
  return !value.empty();
}

template <typename T>
bool set_number(const std::string& value, T& number) {
  const auto parsed = parse_natural(value);
  if (!parsed || *parsed > 0xffffffffU) return false;
  number = static_cast<T>(*parsed);
  return true;
}

bool set_shared(Side& side, const std::string& value) {
  side.options.has_dynamic_shared = true;
  return set_number(value, side.options.dynamic_shared);
}

bool set_repeat(Side& side, const std::string& value) {
  side.options.cold = value == "cold";
  side.options.warm = value == "warm";
  return side.options.cold || side.options.warm;
}

bool set_compile(Side& side, const std::string& value) {
  side.compile_options.clear();
  for (const std::string_view part : split(value, ' ')) {
    if (!trim(part).empty()) side.compile_options.emplace_back(trim(part));
  }
  return true;
}

bool set_assumed(Side& side, const std::string& value) {
  side.options.assume_isa = value == "true";
  return value == "true" || value == "false";
}

using P = PredictionOptions;
constexpr std::array<Key, 19> keys{{
    {"input", set_text<&P::input>},
    {"launch", set_text<&P::launch>},
    {"gpu", set_list<&P::gpus>},
    {"kernel", set_text<&P::kernel>},
    {"grid", set_text<&P::grid>},
    {"block", set_text<&P::block>},
    {"threads", [](Side& s, const std::string& v) { return set_number(v, s.options.threads); }},
    {"smem", set_shared},
    {"dynamic_shared", set_shared},
    {"regs", [](Side& s, const std::string& v) { return set_number(v, s.options.registers); }},
    {"clock", set_text<&P::clock>},
    {"clock_mhz", set_text<&P::clock>},
    {"timing", set_text<&P::timing>},
    {"repeat", set_repeat},
    {"model", set_list<&P::models>},
    {"sample", set_text<&P::sample>},
    {"assume_isa", set_assumed},
    {"compile_options", set_compile},
    {"resident_blocks",
     [](Side& s, const std::string& v) { return set_number(v, s.resident_blocks); }},
}};

std::vector<std::string> key_names() {
  std::vector<std::string> names;
  for (const Key& key : keys) names.emplace_back(key.name);
  for (const char* name : {"arg.NAME", "constant.SYMBOL", "hw.PATH"}) names.emplace_back(name);
  return names;
}

Expected<void> set_key(Side& side, const std::string& text, const std::string& option) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (equals == std::string::npos || name.empty()) {
    return Diagnostic{option, "'" + text + "'", "KEY=VALUE", "keys: " + side_keys()};
  }
  const std::string value = text.substr(equals + 1);
  if (name.starts_with(argument_key)) {
    side.options.arguments.push_back(name.substr(argument_key.size()) + "=" + value);
    return {};
  }
  if (name.starts_with(constant_key)) {
    side.options.constants.push_back(name.substr(constant_key.size()) + "=" + value);
    return {};
  }
  if (name.starts_with(fact_key)) {
    side.options.overrides.push_back(text);
    return {};
  }
  for (const Key& key : keys) {
    if (key.name != name) continue;
    if (key.set(side, value)) return {};
    return Diagnostic{option, "'" + value + "' is no value of '" + name + "'", "",
                      "as on the command line of predict"};
  }
  const auto near = closest(name, key_names());
  return Diagnostic{option, "no key '" + name + "'", side_keys(),
                    near ? "did you mean '" + *near + "'?" : ""};
}

Expected<Side> side_of(const PredictionOptions& common, const std::vector<std::string>& own,
                       const std::string& option) {
  Side side{common, {}, 0};
  for (const std::string& text : own) {
    if (auto ok = set_key(side, text, option); !ok) return ok.error();
  }
  return side;
}

Expected<ComparedSide> finish(const Side& side, Case request) {
  auto choices = side.options.choices();
  if (!choices) return std::move(choices).error();
  if (!side.compile_options.empty()) request.compile_options = side.compile_options;
  if (side.resident_blocks > 0) request.resident_blocks = side.resident_blocks;
  return ComparedSide{std::move(request), std::move(*choices), ""};
}

}  // namespace

std::string side_keys() {
  return join(key_names(), ", ");
}

Expected<ComparedSide> read_side(const PredictionOptions& common, const std::string& input,
                                 const std::vector<std::string>& own, const std::string& option) {
  PredictionOptions with_input = common;
  (input.ends_with(".toml") ? with_input.launch : with_input.input) = input;
  auto side = side_of(with_input, own, option);
  if (!side) return std::move(side).error();
  auto request = side->options.request();
  if (!request) return std::move(request).error();
  return finish(*side, std::move(*request));
}

Expected<ComparedSide> read_case_side(const PredictionOptions& common, Case request,
                                      const std::vector<std::string>& own,
                                      const std::string& option) {
  auto side = side_of(common, own, option);
  if (!side) return std::move(side).error();
  auto given = side->options.request();
  if (!given) return std::move(given).error();
  if (!given->input.empty()) request.input = given->input;
  if (!given->kernel.empty()) request.kernel = given->kernel;
  if (given->has_grid()) request.launch.grid = given->launch.grid;
  if (given->has_block()) request.launch.block = given->launch.block;
  if (side->options.has_dynamic_shared) {
    request.launch.dynamic_shared = given->launch.dynamic_shared;
    request.has_dynamic_shared = true;
  }
  for (NamedArgument& argument : given->launch.arguments) {
    request.launch.arguments.push_back(std::move(argument));
  }
  for (NamedArgument& constant : given->launch.constants) {
    request.launch.constants.push_back(std::move(constant));
  }
  return finish(*side, std::move(request));
}

}  // namespace forewarp::cli
