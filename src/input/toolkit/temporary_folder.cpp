// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/temporary_folder.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "base/text.h"

namespace forewarp::input {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view first_word = "forewarp-";

std::string prefix_of(pid_t process) {
  return std::string(first_word) + std::to_string(process) + '-';
}

/// Whose folder it is by its name; 0: nobody's.
pid_t process_of(const std::string& name) {
  if (!name.starts_with(first_word)) return 0;
  const std::size_t end = name.find('-', first_word.size());
  if (end == std::string::npos) return 0;
  const auto number =
      parse_integer(std::string_view(name).substr(first_word.size(), end - first_word.size()));
  return number && *number > 0 ? static_cast<pid_t>(*number) : 0;
}

template <typename Which>
void remove_folders(const fs::path& parent, const Which& goes) {
  std::error_code failure;
  for (fs::directory_iterator entry(parent, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const pid_t process = process_of(entry->path().filename().string());
    struct stat facts {};
    if (process == 0 || !goes(process) || ::lstat(entry->path().c_str(), &facts) != 0) continue;
    if (!S_ISDIR(facts.st_mode) || facts.st_uid != ::geteuid()) continue;
    std::error_code ignored;
    fs::remove_all(entry->path(), ignored);
  }
}

/// A process that was killed could not do it itself.
void remove_those_of_ended(const fs::path& parent) {
  remove_folders(parent, [](pid_t process) {
    return process != ::getpid() && ::kill(process, 0) != 0 && errno == ESRCH;
  });
}

}  // namespace

Expected<TemporaryFolder> TemporaryFolder::create() {
  std::error_code code;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(code);
  if (!code) remove_those_of_ended(parent);
  std::string name = (parent / (prefix_of(::getpid()) + "XXXXXX")).string();
  if (code || ::mkdtemp(name.data()) == nullptr) {
    return Diagnostic{parent.string(), std::string("no temporary folder: ") + std::strerror(errno),
                      "a folder that can be written", "set TMPDIR"};
  }
  return TemporaryFolder(name);
}

void TemporaryFolder::remove_own() {
  std::error_code code;
  const fs::path parent = fs::temp_directory_path(code);
  if (!code) remove_folders(parent, [](pid_t process) { return process == ::getpid(); });
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept {
  path_.swap(other.path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace forewarp::input
