// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/tuners/edited_source.h"

#include <cstdlib>

#include "base/file.h"
#include "base/sha256.h"
#include "measured/tuners/word_letters.h"

namespace forewarp::measured {

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

bool stands_at(std::string_view source, std::size_t at, std::string_view text) {
  if (text.empty() || source.substr(at, text.size()) != text) return false;
  const std::size_t end = at + text.size();
  const bool before = at > 0 && in_word(source[at - 1]) && in_word(text.front());
  const bool after = end < source.size() && in_word(source[end]) && in_word(text.back());
  return !before && !after;
}

/// The longest text that stands there; null where none does.
const std::pair<std::string, std::string>* longest_at(std::string_view source, std::size_t at,
                                                      const Replacements& replacements) {
  const std::pair<std::string, std::string>* found = nullptr;
  for (const auto& replacement : replacements) {
    const bool longer = found == nullptr || replacement.first.size() > found->first.size();
    if (longer && stands_at(source, at, replacement.first)) found = &replacement;
  }
  return found;
}

std::string replaced(std::string_view source, const Replacements& replacements) {
  std::string text;
  for (std::size_t at = 0; at < source.size();) {
    const auto* replacement = longest_at(source, at, replacements);
    text += replacement == nullptr ? std::string(1, source[at]) : replacement->second;
    at += replacement == nullptr ? 1 : replacement->first.size();
  }
  return text;
}

}  // namespace

bool has_whole(std::string_view source, std::string_view text) {
  for (std::size_t at = source.find(text); at != std::string_view::npos;
       at = source.find(text, at + 1)) {
    if (stands_at(source, at, text)) return true;
  }
  return false;
}

Expected<std::string> edited_source(const fs::path& file, const Replacements& replacements,
                                    const std::string& added) {
  auto text = read_file(file);
  if (!text) return std::move(text).error();
  return edited_copy(std::move(*text), file.string(), file.extension().string(), replacements, {},
                     added);
}

Expected<std::string> edited_copy(std::string text, const std::string& place,
                                  const std::string& extension, const Replacements& replacements,
                                  const std::string& before, const std::string& after) {
  for (const auto& [old, by] : replacements) {
    if (!has_whole(text, old)) {
      return Diagnostic{place, "has no text '" + old + "' to replace",
                        "the source that the description was written for", ""};
    }
  }
  text = before + replaced(text, replacements) + after;
  const fs::path folder = copies_folder();
  std::error_code failure;
  fs::create_directories(folder, failure);
  const fs::path copy = folder / (sha256_of(text) + extension);
  if (!fs::exists(copy, failure)) {
    if (auto written = write_file(copy, text); !written) return written.error();
  }
  return copy.string();
}

}  // namespace forewarp::measured
