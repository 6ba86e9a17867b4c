// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "comparison/case_pairs.h"

#include <algorithm>
#include <map>
#include <utility>

namespace forewarp::comparison {
namespace {

std::string place_of(const std::filesystem::path& file, std::size_t line) {
  return file.string() + ":" + std::to_string(line);
}

Expected<std::vector<Case>> cases_of(const std::filesystem::path& file) {
  auto input = open_cases(file);
  if (!input) return std::move(input).error();
  std::vector<Case> cases;
  std::map<std::string, std::size_t> lines;
  CaseLines reader(**input);
  for (CaseText text; reader.next(text);) {
    CaseLine line = parse_case(text, file);
    if (!line.parsed) return std::move(line.parsed).error();
    if (line.parsed->id.empty()) {
      return Diagnostic{place_of(file, line.line), "the case has no id",
                        "an \"id\": cases are matched by it", ""};
    }
    const auto [known, fresh] = lines.try_emplace(line.parsed->id, line.line);
    if (!fresh) {
      return Diagnostic{place_of(file, line.line),
                        "the id '" + line.parsed->id + "' stands on line " +
                            std::to_string(known->second) + " too",
                        "each id once", ""};
    }
    cases.push_back(std::move(*line.parsed));
  }
  return cases;
}

}  // namespace

Expected<CasePairs> pair_cases(const std::filesystem::path& a, const std::filesystem::path& b) {
  auto first = cases_of(a);
  if (!first) return std::move(first).error();
  auto second = cases_of(b);
  if (!second) return std::move(second).error();
  CasePairs pairs;
  std::map<std::string, Case*> by_id;
  for (Case& request : *second) by_id[request.id] = &request;
  for (Case& request : *first) {
    const auto found = by_id.find(request.id);
    if (found == by_id.end()) {
      pairs.vanished.push_back(request.id);
      continue;
    }
    pairs.pairs.push_back({std::move(request), std::move(*found->second)});
    by_id.erase(found);
  }
  for (const Case& request : *second) {  // in the order of the file
    if (by_id.contains(request.id)) pairs.added.push_back(request.id);
  }
  return pairs;
}

}  // namespace forewarp::comparison
