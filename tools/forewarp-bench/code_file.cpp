// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "code_file.h"

#include <algorithm>
#include <charconv>

#include "base/file.h"

namespace forewarp::cli {

std::uint32_t listed_architecture(std::string_view listing, std::uint32_t sm) {
  constexpr std::string_view heading = "code for sm_";
  constexpr std::uint32_t generation = 10;
  std::uint32_t newest = 0;
  for (std::size_t at = listing.find(heading); at != listing.npos;
       at = listing.find(heading, at + 1)) {
    const std::string_view rest = listing.substr(at + heading.size());
    std::uint32_t found = 0;
    std::from_chars(rest.data(), rest.data() + rest.size(), found);
    if (found <= sm && found / generation == sm / generation) newest = std::max(newest, found);
  }
  return newest;
}

CodeFile code_file(const std::filesystem::path& source, std::uint32_t sm) {
  std::filesystem::path listing = source;
  listing.replace_extension(".sass");
  const auto text = read_file(listing);
  const std::uint32_t listed = text ? listed_architecture(*text, sm) : 0;
  return listed > 0 ? CodeFile{listing, listed, true} : CodeFile{source, sm, false};
}

}  // namespace forewarp::cli
