// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/samples/device.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace forewarp::characterise {
namespace {

using Json = nlohmann::json;

/// A text or a number as one; empty where it is neither.
std::string text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return {};
  if (found->is_string()) return found->get<std::string>();
  return found->is_number() ? found->dump() : std::string();
}

}  // namespace

Expected<MeasuredDevice> parse_device(std::string_view text, std::string_view file) {
  const auto fault = [&](std::string found, std::string expected) {
    return Diagnostic{std::string(file), std::move(found), std::move(expected),
                      "see docs/characterise.md"};
  };
  const Json root = Json::parse(text, nullptr, false);
  if (!root.is_object())
    return fault("no JSON object", "{\"name\": .., \"cc\": .., \"facts\": ..}");
  MeasuredDevice device;
  device.source = "the driver, as forewarp-bench asked it";
  device.name = text_at(root, "name");
  if (device.name.empty()) return fault("no name", "\"name\": \"..\"");
  const std::string cc = text_at(root, "cc");
  const auto capability = parse_capability(cc);
  if (!capability) return fault("the capability '" + cc + "'", "\"cc\": \"8.6\"");
  device.cc = *capability;
  device.backend = text_at(root, "backend");
  device.date = text_at(root, "date");
  device.driver = text_at(root, "driver");
  device.runtime = text_at(root, "runtime");
  device.toolkit = text_at(root, "toolkit");
  device.flags = text_at(root, "flags");
  if (const auto asked = root.find("asked"); asked != root.end() && asked->is_object()) {
    for (const auto& [test, count] : asked->items()) {
      if (count.is_number_unsigned()) device.asked.emplace(test, count.get<std::uint64_t>());
    }
  }
  const auto facts = root.find("facts");
  if (facts == root.end()) return device;
  if (!facts->is_object()) return fault("'facts' is no object", "\"facts\": {\"sm.count\": 80}");
  for (const auto& [path, value] : facts->items()) {
    if (value.is_number() && std::isfinite(value.get<double>())) {
      device.numbers.emplace(path, value.get<double>());
    } else if (value.is_string()) {
      device.words.emplace(path, value.get<std::string>());
    } else {
      return fault("the fact '" + path + "' is neither a number nor a text", "");
    }
  }
  return device;
}

}  // namespace forewarp::characterise
