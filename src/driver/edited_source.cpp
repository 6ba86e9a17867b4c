// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/edited_source.h"

#include <cstdlib>

#include "base/file.h"
#include "input/sha256.h"

namespace forewarp {

namespace {

namespace fs = std::filesystem;

fs::path copies_folder() {
  for (const char* variable : {"XDG_CACHE_HOME", "HOME"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value != '/') continue;
    const fs::path base = variable[0] == 'X' ? fs::path(value) : fs::path(value) / ".cache";
    return base / "forewarp" / "sources";
  }
  return fs::temp_directory_path() / "forewarp-sources";
}

}  // namespace

Expected<std::string> edited_source(const fs::path& file, const Replacements& replacements,
                                    const std::string& added) {
  auto text = read_file(file);
  if (!text) return std::move(text).error();
  for (const auto& [old, by] : replacements) {
    std::size_t at = old.empty() ? std::string::npos : text->find(old);
    if (at == std::string::npos) {
      return Diagnostic{file.string(), "has no text '" + old + "' to replace",
                        "the source that the description was written for", ""};
    }
    while (at != std::string::npos) {
      text->replace(at, old.size(), by);
      at = text->find(old, at + by.size());
    }
  }
  *text += added;
  const fs::path folder = copies_folder();
  std::error_code failure;
  fs::create_directories(folder, failure);
  const fs::path copy = folder / (sha256_of(*text) + file.extension().string());
  if (!fs::exists(copy, failure)) {
    if (auto written = write_file(copy, *text); !written) return written.error();
  }
  return copy.string();
}

}  // namespace forewarp
