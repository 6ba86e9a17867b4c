// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/tuners/source_names.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "input/toolkit/source_content.h"
#include "measured/tuners/word_letters.h"

namespace forewarp::measured {
void SourceNames::add(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && in_word(text[end])) ++end;
    const bool number = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    if (end > at && !number) words.emplace(text.substr(at, end - at));
    at = end + 1;
  }
}

Expected<SourceNames> read_source_names(const std::string& source, const std::string& kernel,
                                        const std::vector<std::string>& compile_options) {
  const auto text = read_file(source);
  if (!text) return text.error();
  const std::string code =
      source_with_includes(*text, std::filesystem::absolute(source).parent_path());
  SourceNames names;
  names.unseen = code.find("##") != std::string::npos ||
                 std::ranges::any_of(compile_options, [](const std::string& option) {
                   return option.starts_with("-I");
                 });
  for (const std::string_view part : {std::string_view(code), std::string_view(kernel)}) {
    names.add(part);
  }
  names.add(join(compile_options, " "));
  return names;
}

}  // namespace forewarp::measured
