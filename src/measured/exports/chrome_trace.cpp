// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "measured/exports/device_trace.h"
#include "measured/exports/export_values.h"

namespace forewarp::measured {
namespace {

using Json = nlohmann::json;

constexpr double per_micro = 1e-6;

std::uint64_t number_of(const Json& args, const char* key, std::uint64_t otherwise) {
  const auto found = args.find(key);
  return found != args.end() && found->is_number_unsigned() ? found->get<std::uint64_t>()
                                                            : otherwise;
}

std::optional<Extent> extent_of(const Json& args, const char* key) {
  const auto found = args.find(key);
  if (found == args.end() || !found->is_array()) return std::nullopt;
  std::string text;
  for (const Json& item : *found) text += (text.empty() ? "" : ",") + item.dump();
  return exported_extent(text);
}

std::string text_of(const Json& event, const char* key) {
  const auto found = event.find(key);
  return found != event.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Whether the event is an operation of a device, which is then read.
std::optional<DeviceOperation> operation_of(const Json& event) {
  if (!event.is_object() || text_of(event, "ph") != "X") return std::nullopt;
  const std::string kind = text_of(event, "cat");
  if (kind != "kernel" && kind != "gpu_memcpy" && kind != "gpu_memset") return std::nullopt;
  const auto begin = event.find("ts"), took = event.find("dur");
  if (begin == event.end() || took == event.end() || !begin->is_number() || !took->is_number()) {
    return std::nullopt;
  }
  const Json none = Json::object();
  const auto given = event.find("args");
  const Json& args = given != event.end() && given->is_object() ? *given : none;
  DeviceOperation one;
  one.name = text_of(event, "name");
  one.begin_s = begin->get<double>() * per_micro;
  one.end_s = one.begin_s + took->get<double>() * per_micro;
  one.device = number_of(args, "device", 0);
  one.stream = number_of(args, "stream", number_of(event, "tid", 0));
  if (kind == "kernel") {
    one.name = exported_kernel_name(one.name);
    one.grid = extent_of(args, "grid");
    one.block = extent_of(args, "block");
  } else if (kind == "gpu_memcpy") {
    name_copy(one, one.name);
    const auto bytes = args.find("bytes");
    if (bytes != args.end() && bytes->is_number()) one.bytes = bytes->get<double>();
  }
  return one;
}

}  // namespace

Expected<DeviceTrace> parse_chrome_trace(std::string_view text, const std::string& file) {
  const Json json = Json::parse(text, nullptr, false);
  const Json* events = &json;
  if (json.is_object() && json.contains("traceEvents")) events = &json["traceEvents"];
  if (json.is_discarded() || !events->is_array()) {
    return Diagnostic{file, "is no trace of events", "JSON with a list traceEvents", ""};
  }
  DeviceTrace trace;
  trace.file = file;
  for (const Json& event : *events) {
    if (auto one = operation_of(event)) trace.operations.push_back(*std::move(one));
  }
  return finished_trace(std::move(trace));
}

}  // namespace forewarp::measured
