// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace forewarp::input {

Expected<TemporaryFolder> TemporaryFolder::create() {
  std::error_code code;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(code);
  std::string name = (parent / "forewarp-XXXXXX").string();
  if (code || ::mkdtemp(name.data()) == nullptr) {
    return Diagnostic{parent.string(), std::string("no temporary folder: ") + std::strerror(errno),
                      "a folder that can be written", "set TMPDIR"};
  }
  return TemporaryFolder(name);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept {
  path_.swap(other.path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace forewarp::input
