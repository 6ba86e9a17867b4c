// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/source_content.h"

#include <optional>
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
      const std::string* next = i + 1 < options.size() ? &options[i + 1] : nullptr;
      for (const std::string_view name :
           {"-isystem", "--system-include", "-I", "--include-path", "-idirafter", "-iquote"}) {
        if (const auto value = value_of(options[i], name, next)) folders_.emplace_back(*value);
      }
      for (const std::string_view name : {"-include", "--pre-include"}) {
        if (const auto value = value_of(options[i], name, next)) first_.emplace_back(*value);
      }
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
  // "-Ix", "-I x", "-I=x"; long names only with a blank or "=".
  static std::optional<std::string_view> value_of(std::string_view word, std::string_view name,
                                                  const std::string* next) {
    if (!word.starts_with(name)) return {};
    word.remove_prefix(name.size());
    if (word.empty())
      return next == nullptr ? std::nullopt : std::optional<std::string_view>(*next);
    if (word.front() == '=') return word.substr(1);
    const bool short_name = name == "-I";
    return short_name ? std::optional(word) : std::nullopt;
  }

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
