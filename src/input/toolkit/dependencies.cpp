// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/dependencies.h"

#include <algorithm>
#include <sys/stat.h>

#include "base/file.h"
#include "base/sha256.h"

namespace forewarp::input {
namespace {

namespace fs = std::filesystem;

/// Below a folder; both are absolute.
bool lies_in(const fs::path& file, const fs::path& folder) {
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return end == folder.end() || (end->empty() && std::next(end) == folder.end());
}

fs::path absolute_folder(const fs::path& folder) {
  std::error_code ignored;
  return fs::weakly_canonical(fs::absolute(folder.empty() ? "." : folder, ignored), ignored);
}

/// Empty where the file is not there.
std::string identity_of(const std::string& path, const fs::path& folder) {
  if (!path.starts_with('/')) {
    const auto text = read_file(folder / path);
    return text ? sha256_of(*text) : std::string();
  }
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return {};
  return std::to_string(facts.st_size) + '-' + std::to_string(facts.st_mtim.tv_sec) + '.' +
         std::to_string(facts.st_mtim.tv_nsec);
}

/// The words behind the rule's colon; a blank in a name is written with a backslash.
std::vector<std::string> named_in(std::string_view rule) {
  std::vector<std::string> names;
  const std::size_t colon = rule.find(": ");
  if (colon == std::string_view::npos) return names;
  std::string name;
  const auto end_name = [&] {
    if (!name.empty()) names.push_back(name);
    name.clear();
  };
  for (std::size_t i = colon + 2; i < rule.size(); ++i) {
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\n';
    if (rule[i] == '\\' && next == '\n') {
      ++i;
      end_name();
    } else if (rule[i] == '\\' || (rule[i] == '$' && next == '$')) {
      name += next;
      ++i;
    } else if (rule[i] == '\n') {
      end_name();
      break;  // further rules name nothing new
    } else if (rule[i] == ' ' || rule[i] == '\t') {
      end_name();
    } else {
      name += rule[i];
    }
  }
  end_name();
  return names;
}

}  // namespace

std::vector<Dependency> dependencies_in(std::string_view rule, const fs::path& folder,
                                        const std::vector<fs::path>& left_out) {
  const fs::path own = absolute_folder(folder);
  std::vector<fs::path> others;
  for (const fs::path& other : left_out) others.push_back(absolute_folder(other));
  std::vector<Dependency> found;
  for (const std::string& name : named_in(rule)) {
    std::error_code ignored;
    const fs::path file = fs::weakly_canonical(fs::absolute(name, ignored), ignored);
    if (std::ranges::any_of(others, [&](const fs::path& o) { return lies_in(file, o); })) continue;
    const std::string path =
        lies_in(file, own) ? file.lexically_relative(own).string() : file.string();
    std::string identity = identity_of(path, own);
    const bool known =
        std::ranges::any_of(found, [&](const Dependency& one) { return one.path == path; });
    if (!identity.empty() && !known) found.push_back({path, std::move(identity)});
  }
  return found;
}

bool all_unchanged(const std::vector<Dependency>& dependencies, const fs::path& folder) {
  const fs::path own = absolute_folder(folder);
  return std::ranges::all_of(dependencies, [&](const Dependency& one) {
    return identity_of(one.path, own) == one.identity;
  });
}

}  // namespace forewarp::input
