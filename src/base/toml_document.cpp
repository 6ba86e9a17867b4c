// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/toml_document.h"

#include <string>

#include "base/toml_depth.h"

namespace forewarp::base {

Expected<toml::table> parse_toml_document(std::string_view text, std::string_view file,
                                          std::string_view expected, std::string_view way_out) {
  if (const std::size_t line = line_of_deep_key(text); line != 0) {
    return Diagnostic{place_in_file(file, line), "a key has more than 64 parts", "a key of a few",
                      std::string(way_out)};
  }
  // The library throws, unlike all other code here.
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    return Diagnostic{place_in_file(file, at.line, at.column), std::string(error.description()),
                      std::string(expected), std::string(way_out)};
  }
}

}  // namespace forewarp::base
