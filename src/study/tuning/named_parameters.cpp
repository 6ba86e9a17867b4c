// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "study/tuning/named_parameters.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <string_view>

#include "base/file.h"
#include "base/text.h"
#include "input/toolkit/source_content.h"

namespace forewarp::study {
namespace {

namespace fs = std::filesystem;

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

void add_words(std::string_view text, std::set<std::string>& words) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && in_word(text[end])) ++end;
    if (end > at) words.emplace(text.substr(at, end - at));
    at = end + 1;
  }
}

}  // namespace

Expected<void> check_named(const std::string& source, const Case& defaults,
                           const std::vector<std::string>& expressions,
                           const std::vector<std::string>& names) {
  const auto text = read_file(source);
  if (!text) return text.error();
  const std::string code = source_with_includes(*text, fs::absolute(source).parent_path());
  const auto includes = [](const std::string& option) { return option.starts_with("-I"); };
  // Names that are pasted together, or that lie in other folders, cannot be seen here.
  if (code.find("##") != std::string::npos ||
      std::ranges::any_of(defaults.compile_options, includes)) {
    return {};
  }
  std::set<std::string> known;
  add_words(code + ' ' + defaults.kernel + ' ' + join(defaults.compile_options, " "), known);
  for (const std::string& expression : expressions) add_words(expression, known);
  for (const std::string& name : names) {
    if (known.contains(name) || name.starts_with("block_size_")) continue;
    const auto meant = closest(name, {known.begin(), known.end()});
    return Diagnostic{"--param " + name,
                      "neither the source nor --grid, --block, --smem or --restrict names it",
                      "a macro of the source, or a name that one of these uses",
                      meant ? "did you mean '" + *meant + "'?" : ""};
  }
  return {};
}

std::string note_of_one_grid(const std::vector<MeasuredPoint>& points) {
  const auto differ = [&](auto extent) {
    return std::any_of(points.begin(), points.end(), [&](const MeasuredPoint& point) {
      return extent(point) != extent(points.front());
    });
  };
  const bool grids = differ([](const MeasuredPoint& point) { return point.request.launch.grid; });
  const bool blocks = differ([](const MeasuredPoint& point) { return point.request.launch.block; });
  if (grids || !blocks) return "";
  return "the grid is the same for blocks of every size, so that configurations may do different "
         "work; an expression such as --grid 'ceil(n / block_size_x)' follows the block";
}

}  // namespace forewarp::study
