// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Libraries that a program loads late and by path, as Python's packages do, preloaded into it: one
// of CUDA's that has a substitute is the substitute, which lies beside this library. It has no
// other part of Forewarp in it.
#include <cctype>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <string_view>
#include <unistd.h>

#include <climits>

#define FOREWARP_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

constexpr std::string_view suffix = ".so";

std::string folder() {
  Dl_info own{};
  if (::dladdr(reinterpret_cast<const void*>(&folder), &own) == 0) return {};  // NOLINT
  const std::string_view path(own.dli_fname);
  return std::string(path.substr(0, path.find_last_of('/') + 1));
}

bool is_readable(const std::string& path) {
  return ::access(path.c_str(), R_OK) == 0;
}

/// The number behind ".so."; empty: the name has none.
std::string major_of(std::string_view name) {
  const std::size_t at = name.find(suffix);
  std::string digits;
  for (std::size_t i = at + suffix.size() + 1; i < name.size() && std::isdigit(name[i]) != 0; ++i)
    digits += name[i];
  return digits;
}

/// The substitute for a library; empty: it has none.
std::string substitute_of(const char* asked) {
  constexpr std::string_view ours[] = {"libcuda.so",     "libcudart.so", "libcublas.so",
                                       "libcublasLt.so", "libcufft.so",  "libcurand.so"};
  std::string_view name(asked);
  name = name.substr(name.find_last_of('/') + 1);
  const std::string_view stem = name.substr(0, name.find(suffix) + suffix.size());
  bool known = false;
  for (const std::string_view each : ours) known = known || stem == each;
  if (name.find(suffix) == std::string_view::npos || !known) return {};
  // A name without a version is a link to one that has it.
  std::string major = major_of(name);
  if (stem == "libcuda.so") major = "1";  // the driver's own files have its release there
  char resolved[PATH_MAX];
  if (major.empty() && ::realpath(asked, resolved) != nullptr) {
    const std::string_view full(resolved);
    major = major_of(full.substr(full.find_last_of('/') + 1));
  }
  const std::string beside = folder() + std::string(stem) + '.';
  for (const std::string& version :
       {major, std::string("12"), std::string("11"), std::string("10"), std::string("1")}) {
    if (version.empty()) continue;
    for (const char* minor : {"", ".0"}) {
      const std::string path = beside + version + minor;
      if (is_readable(path)) return path;
    }
    if (!major.empty()) break;  // of another version is another interface
  }
  return {};
}

}  // namespace

FOREWARP_EXPORT void* dlopen(const char* path, int mode) noexcept {
  using Open = void* (*)(const char*, int) noexcept;
  static const auto open = reinterpret_cast<Open>(::dlsym(RTLD_NEXT, "dlopen"));  // NOLINT
  if (path != nullptr) {
    const std::string substitute = substitute_of(path);
    if (!substitute.empty()) return open(substitute.c_str(), mode);
  }
  // As the last thing: the loader finds the folders of the caller by where this call returns to.
  return open(path, mode);
}
