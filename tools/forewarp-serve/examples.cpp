// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "examples.h"

#include <nlohmann/json.hpp>

#include "base/file.h"

namespace forewarp::cli {

std::vector<Example> examples_of(const std::filesystem::path& folder) {
  std::vector<Example> examples;
  const auto text = read_file(folder / "workbench.json");
  const auto list = nlohmann::ordered_json::parse(text ? *text : "[]", nullptr, false);
  if (!list.is_array()) return examples;
  for (const auto& entry : list) {
    auto bytes = read_file(folder / entry.value("file", ""));
    if (!bytes) continue;
    Example example;
    example.name = std::filesystem::path(entry.value("file", "")).filename().string();
    example.title = entry.value("title", example.name);
    example.kind = entry.value("kind", "kernel");
    example.bytes = *std::move(bytes);
    example.launch = entry.value("launch", nlohmann::ordered_json::object()).dump();
    examples.push_back(std::move(example));
  }
  return examples;
}

}  // namespace forewarp::cli
