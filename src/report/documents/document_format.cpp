// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/documents/document_format.h"

#include "report/sinks/markdown_sink.h"
#include "report/sinks/text_sink.h"

namespace forewarp::report {

std::string as_text(const std::vector<Section>& sections, const TextStyle& style) {
  std::string out;
  for (const Section& section : sections) {
    if (!out.empty()) out += '\n';
    for (const std::string& line : text_lines(section, style)) out += line + '\n';
  }
  return out;
}

std::string as_markdown(const std::vector<Section>& sections) {
  std::string out;
  for (const Section& section : sections) out += (out.empty() ? "" : "\n") + markdown(section);
  return out;
}

}  // namespace forewarp::report
