// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hand_over.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string>
#include <unistd.h>

#include "base/parts.h"

namespace forewarp::cli {

Expected<int> HandOver::hand_over(const Sibling& sibling) const {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::path beside = fs::read_symlink("/proc/self/exe", failure).parent_path();
  const fs::path file = beside / sibling.name;
  if (failure || !fs::exists(file, failure)) {
    return Diagnostic{sibling.name, "was not built beside " + (beside / "forewarp").string(),
                      "the program that " + std::string(sibling.purpose), build_all_parts};
  }
  // Signals were blocked for a thread of this program that waits for them.
  sigset_t none;
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  ::execv(file.c_str(), argv_);
  return Diagnostic{file.string(), std::string("cannot be run: ") + std::strerror(errno), "", ""};
}

}  // namespace forewarp::cli
