// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/source_content.h"

#include <set>
#include <utility>

#include "base/file.h"
#include "base/text.h"

namespace forewarp::input {
namespace {

namespace fs = std::filesystem;

class Collector {
 public:
  explicit Collector(fs::path folder) : root_(std::move(folder)) {}

  void add(std::string_view text, const fs::path& folder) {
    content_ += text;
    for (const std::string_view line : split(text, '\n')) {
      if (const std::string_view name = included_by(line); !name.empty()) add_file(name, folder);
    }
  }
  [[nodiscard]] std::string take() { return std::move(content_); }

 private:
  // `#include "x"` and `#include <x>`: -I can make the second mean a file here.
  static std::string_view included_by(std::string_view line) {
    line = trim(line);
    if (!line.starts_with('#')) return {};
    line = trim(line.substr(1));
    if (!line.starts_with("include")) return {};
    line = trim(line.substr(7));
    if (line.size() < 2 || (line[0] != '"' && line[0] != '<')) return {};
    const std::size_t end = line.find(line[0] == '"' ? '"' : '>', 1);
    return end == std::string_view::npos ? std::string_view{} : line.substr(1, end - 1);
  }

  void add_file(std::string_view name, const fs::path& folder) {
    for (const fs::path& base : {folder, root_}) {
      std::error_code ignored;
      const fs::path path = fs::weakly_canonical(base / name, ignored);
      if (!fs::is_regular_file(path, ignored)) continue;
      if (!seen_.insert(path).second) return;
      const auto text = read_file(path);
      if (!text) return;
      (content_ += '\0') += name;
      content_ += '\0';
      add(*text, path.parent_path());
      return;
    }
  }

  fs::path root_;
  std::set<fs::path> seen_;
  std::string content_;
};

}  // namespace

std::string source_with_includes(std::string_view source, const fs::path& folder) {
  Collector collector(folder);
  collector.add(source, folder);
  return collector.take();
}

}  // namespace forewarp::input
