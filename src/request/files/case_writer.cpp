// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/files/case_writer.h"

#include <filesystem>
#include <string_view>

#include "base/text.h"
#include "request/argument_text.h"
#include "request/option_text.h"
#include "request/tensor_text.h"
#include "result/json_token.h"

namespace forewarp::request {
namespace {

std::string json_text(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string absolute_path(const std::string& path) {
  if (path == "-") return path;
  std::error_code failure;
  const auto absolute = std::filesystem::absolute(path, failure);
  return failure ? path : absolute.lexically_normal().string();
}

/// The name of a listed board stays; a file's path becomes absolute, to hold from any folder.
std::string board_text(const std::string& name) {
  return name.ends_with(".toml") ? absolute_path(name) : name;
}

std::string buffer_text(const Argument& argument) {
  BufferContent content = argument.content;
  if (content.kind == BufferContent::Kind::file) content.path = absolute_path(content.path);
  std::string text = "{\"buffer\": " + std::to_string(argument.buffer_bytes) +
                     ", \"content\": " + json_text(text_of(content));
  if (!content.type.empty()) text += ", \"type\": " + json_text(content.type);
  return text + "}";
}

std::string number_text(const Argument& argument) {
  if (argument.kind == Argument::Kind::integer) {
    const bool high = argument.type == "u64" && argument.integer < 0;
    return high ? std::to_string(static_cast<std::uint64_t>(argument.integer))
                : std::to_string(argument.integer);
  }
  std::string text = exact_text(argument.floating);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";  // or it reads as a whole one
  return text;
}

std::string argument_json(const Argument& argument) {
  switch (argument.kind) {
    case Argument::Kind::buffer:
      return buffer_text(argument);
    case Argument::Kind::same_buffer:
      return "{\"same\": " + std::to_string(argument.same_as) + "}";
    case Argument::Kind::bytes:
      if (is_tensor(argument))
        return "{\"tensor\": " + json_text(std::string(tensor_text(argument))) + "}";
      return "{\"hex\": " + json_text(text_of(argument).substr(4)) + "}";  // behind "hex:"
    default:
      break;
  }
  if (argument.type.empty()) return number_text(argument);
  return "{" + json_text(argument.type) + ": " + number_text(argument) + "}";
}

std::string arguments_json(const std::vector<NamedArgument>& arguments) {
  std::vector<std::string> items;
  for (const NamedArgument& argument : arguments) {
    items.push_back(json_text(name_text(argument)) + ": " + argument_json(argument.value));
  }
  return "{" + join(items, ", ") + "}";
}

std::string extent_json(const Extent& extent) {
  return "[" + std::to_string(extent[0]) + ", " + std::to_string(extent[1]) + ", " +
         std::to_string(extent[2]) + "]";
}

std::string copies_json(const std::vector<CopyRequest>& copies) {
  std::vector<std::string> items;
  for (const CopyRequest& copy : copies) {
    const std::string bytes =
        copy.same.empty() ? std::to_string(copy.bytes) : "{\"same\": " + json_text(copy.same) + "}";
    items.push_back(
        "{\"bytes\": " + bytes +
        ", \"direction\": " + (copy.direction == CopyDirection::to_device ? "\"h2d\"" : "\"d2h\"") +
        ", \"memory\": " + (copy.memory == HostMemory::pinned ? "\"pinned\"" : "\"pageable\"") +
        "}");
  }
  return "[" + join(items, ", ") + "]";
}

std::string clock_json(const ClockChoice& clock) {
  const std::string text = clock_text(clock);
  return clock.kind == ClockChoice::Kind::stated ? text : json_text(text);
}

}  // namespace

std::string case_line(const Case& request) {
  std::vector<std::string> keys;
  const auto add = [&](std::string_view key, std::string value) {
    keys.push_back(json_text(key) + ": " + std::move(value));
  };
  const auto add_text = [&](std::string_view key, const std::string& text) {
    if (!text.empty()) add(key, json_text(text));
  };
  const LaunchConfig& launch = request.launch;
  add_text("id", request.id);
  if (!request.input.empty()) add("input", json_text(absolute_path(request.input)));
  add_text("kernel", request.kernel);
  if (!request.gpu.empty()) add("gpu", json_text(board_text(request.gpu)));
  if (request.has_grid()) add("grid", extent_json(launch.grid));
  if (request.has_block()) add("block", extent_json(launch.block));
  if (launch.cluster[0] != 0) add("cluster", extent_json(launch.cluster));
  if (request.has_dynamic_shared || launch.dynamic_shared != 0) {
    add("dynamic_shared", std::to_string(launch.dynamic_shared));
  }
  if (request.resident_blocks != 0) add("resident_blocks", std::to_string(request.resident_blocks));
  std::vector<std::string> compiling;
  for (const std::string& option : request.compile_options) compiling.push_back(json_text(option));
  if (!compiling.empty()) add("compile_options", "[" + join(compiling, ", ") + "]");
  if (!launch.arguments.empty()) add("args", arguments_json(launch.arguments));
  if (!launch.constants.empty()) add("constants", arguments_json(launch.constants));
  if (!request.copies.empty()) add("copies", copies_json(request.copies));
  if (!request.link.empty()) add("link", json_text(board_text(request.link)));
  if (request.clock) add("clock_mhz", clock_json(*request.clock));
  if (request.timing) add("timing", json_text(timing_name(*request.timing)));
  if (request.repeat) add("repeat", json_text(repeat_name(*request.repeat)));
  if (request.overhead_us) add("overhead_us", exact_text(*request.overhead_us));
  if (request.measured_ms) add("measured_ms", exact_text(*request.measured_ms));
  if (request.spread) add("spread", exact_text(*request.spread));
  add_text("group", request.group);
  if (request.count) add("count", exact_text(*request.count));
  return "{" + join(keys, ", ") + "}";
}

}  // namespace forewarp::request
