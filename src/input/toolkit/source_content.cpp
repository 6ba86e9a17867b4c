// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/source_content.h"

#include <set>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/text.h"

namespace forewarp::input {
namespace {

namespace fs = std::filesystem;

class Collector {
 public:
  Collector(fs::path folder, const std::vector<std::string>& options) : root_(std::move(folder)) {
    for (std::size_t i = 0; i < options.size(); ++i) {
      const std::string& word = options[i];
      const bool more = i + 1 < options.size();
      if (word.starts_with("-I") && word.size() > 2) folders_.emplace_back(word.substr(2));
      if (word == "-I" && more) folders_.emplace_back(options[i + 1]);
      if (word == "-include" && more) first_.push_back(options[i + 1]);
      if (word.starts_with("-include=")) first_.push_back(word.substr(9));
    }
  }
  /// Adds the files that options include before the source.
  void add_first() {
    for (const std::string& name : first_) add_file(name, fs::current_path());
  }

  void add(std::string_view text, const fs::path& folder) {
    content_ += text;
    for (const std::string_view line : split(text, '\n')) {
      if (const std::string_view name = included_by(line); !name.empty()) add_file(name, folder);
    }
  }
  [[nodiscard]] std::string take() { return std::move(content_); }

 private:
  // `#include "x"` and `#include <x>`: with -I the latter, too, may name a file here.
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
    std::vector<fs::path> bases{folder, root_};
    bases.insert(bases.end(), folders_.begin(), folders_.end());
    for (const fs::path& base : bases) {
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
  std::vector<fs::path> folders_;
  std::vector<std::string> first_;
  std::set<fs::path> seen_;
  std::string content_;
};

}  // namespace

std::string source_with_includes(std::string_view source, const fs::path& folder,
                                 const std::vector<std::string>& options) {
  Collector collector(folder, options);
  collector.add_first();
  collector.add(source, folder);
  return collector.take();
}

}  // namespace forewarp::input
