// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/cache/content_key.h"

#include <algorithm>
#include <vector>

#include "base/file.h"
#include "base/own_file.h"
#include "base/sha256.h"

namespace forewarp::base {

std::string content_key(std::string_view content) {
  constexpr std::size_t digits = 24;
  return sha256_of(content).substr(0, digits);
}

std::string program_key(const std::filesystem::path& data_folder) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files{own_file()};
  std::error_code failure;
  for (fs::recursive_directory_iterator entry(data_folder, failure), end; entry != end;
       entry.increment(failure)) {
    if (failure) break;
    if (entry->is_regular_file(failure)) files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end());
  std::string all;
  for (const fs::path& file : files) {
    if (const auto content = read_file(file)) all += sha256_of(*content);
  }
  return content_key(all);
}

}  // namespace forewarp::base
