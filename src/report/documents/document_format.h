// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "base/text.h"
#include "report/content.h"
#include "report/text_style.h"

namespace forewarp::report {

/// The sections one after the other, a blank line between them.
[[nodiscard]] std::string as_text(const std::vector<Section>& sections, const TextStyle& style);
[[nodiscard]] std::string as_markdown(const std::vector<Section>& sections);

/// One way to write a table of results.
template <typename T>
struct DocumentFormat {
  std::string_view name;
  std::string (*write)(const T&, const TextStyle&);
};

/// By the format's name, the first one where none is named. `what`: "a table of boards".
template <typename T, std::size_t Formats>
Expected<std::string> render_as(const std::array<DocumentFormat<T>, Formats>& formats,
                                std::string_view format, const T& document, const TextStyle& style,
                                std::string_view what) {
  std::vector<std::string> names;
  for (const DocumentFormat<T>& known : formats) {
    if (known.name == (format.empty() ? formats.front().name : format))
      return known.write(document, style);
    names.emplace_back(known.name);
  }
  return Diagnostic{"--format",
                    "no format of " + std::string(what) + " is named '" + std::string(format) + "'",
                    join(names, ", "), ""};
}

}  // namespace forewarp::report
