// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace forewarp::input {
namespace {

namespace fs = std::filesystem;

constexpr const char* lock_name = ".forewarp-lock";

/// "forewarp-PID-NAMESPACE-": one process number may exist in several PID namespaces.
std::string own_prefix() {
  struct stat facts {};
  const bool known = ::stat("/proc/self/ns/pid", &facts) == 0;
  return "forewarp-" + std::to_string(::getpid()) + '-' + std::to_string(known ? facts.st_ino : 0) +
         '-';
}

/// Opens and locks a file in the folder, for the process's lifetime; negative if that fails.
int locked(const fs::path& folder, int flags) {
  const int descriptor =
      ::open((folder / lock_name).c_str(), flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  if (descriptor >= 0) ::close(descriptor);
  return -1;
}

/// Whether the folder was made by this program and user, not merely named like it.
bool is_ours(const fs::path& folder) {
  struct stat facts {
  }, lock{};
  return ::lstat(folder.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) &&
         facts.st_uid == ::geteuid() && (facts.st_mode & 0777U) == 0700U &&
         ::lstat((folder / lock_name).c_str(), &lock) == 0 && S_ISREG(lock.st_mode) &&
         lock.st_uid == ::geteuid() && lock.st_size == 0;
}

/// Whether the file that the descriptor locks is still in its folder: who cleans up may have taken
/// the folder between its creation and the lock.
bool is_still_there(int lock) {
  struct stat facts {};
  return ::fstat(lock, &facts) == 0 && facts.st_nlink > 0;
}

/// A file system without locks: its folders are removed by nobody else, as nobody can lock them.
bool has_no_locks(const fs::path& folder) {
  const int descriptor = ::open((folder / lock_name).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return errno != ENOENT;
  const bool none = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno != EWOULDBLOCK;
  ::close(descriptor);
  return none;
}

std::vector<fs::path> our_folders(const fs::path& parent, std::string_view prefix) {
  std::vector<fs::path> ours;
  std::error_code failure;
  for (fs::directory_iterator entry(parent, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const fs::path& folder = entry->path();
    if (folder.filename().string().starts_with(prefix) && is_ours(folder)) ours.push_back(folder);
  }
  return ours;
}

/// Removes folders of killed processes, whose locks have vanished with them. A lock is held until
/// its folder is gone, so that a process that is just making it sees that it has lost it.
void remove_those_of_ended(const fs::path& parent) {
  for (const fs::path& folder : our_folders(parent, "forewarp-")) {
    const int lock = locked(folder, 0);
    if (lock < 0) continue;
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    ::close(lock);
  }
}

}  // namespace

Expected<TemporaryFolder> TemporaryFolder::create() {
  std::error_code code;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(code);
  if (!code) remove_those_of_ended(parent);
  while (true) {
    std::string name = (parent / (own_prefix() + "XXXXXX")).string();
    if (code || ::mkdtemp(name.data()) == nullptr) {
      return Diagnostic{parent.string(),
                        std::string("no temporary folder: ") + std::strerror(errno),
                        "a folder that can be written", "set TMPDIR"};
    }
    TemporaryFolder folder(name);
    folder.lock_ = locked(folder.path_, O_CREAT | O_EXCL);
    if (folder.lock_ < 0 ? has_no_locks(folder.path_) : is_still_there(folder.lock_)) return folder;
  }
}

void TemporaryFolder::remove_own() {
  std::error_code code;
  const fs::path parent = fs::temp_directory_path(code);
  if (code) return;
  for (const fs::path& folder : our_folders(parent, own_prefix())) fs::remove_all(folder, code);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept {
  path_.swap(other.path_);
  std::swap(lock_, other.lock_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace forewarp::input
