// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <dlfcn.h>
#include <optional>
#include <string>

#include "base/expected.h"

namespace forewarp::cli {

/// A library that is opened while the program runs, so that it builds and starts without it.
class OpenedLibrary {
 public:
  explicit OpenedLibrary(const char* name) : handle_(::dlopen(name, RTLD_NOW)) {}
  OpenedLibrary(const OpenedLibrary&) = delete;
  OpenedLibrary& operator=(const OpenedLibrary&) = delete;
  ~OpenedLibrary() {
    if (handle_ != nullptr) ::dlclose(handle_);
  }

  [[nodiscard]] bool found() const { return handle_ != nullptr; }
  /// What the function answers; `absent` where the library lacks it. Arguments have the very types
  /// that the library's interface says.
  template <typename... Arguments>
  int call(const char* name, Arguments... arguments) const {
    constexpr int absent = -1;
    using Function = int (*)(Arguments...);
    void* symbol = handle_ == nullptr ? nullptr : ::dlsym(handle_, name);
    if (symbol == nullptr) return absent;
    return reinterpret_cast<Function>(symbol)(arguments...);
  }

 private:
  void* handle_;
};

/// A call of the driver that failed.
[[nodiscard]] Diagnostic driver_fault(const std::string& what, int code);

/// Clock and power of a board; nothing where its management library is missing, and before watch().
class BoardMonitor {
 public:
  BoardMonitor();
  /// The board at this place of the PCI bus: "0000:3b:00.0".
  void watch(const char* bus);
  [[nodiscard]] std::optional<double> clock_mhz() const;
  [[nodiscard]] std::optional<double> power_w() const;

 private:
  OpenedLibrary library_;
  void* board_ = nullptr;
};

}  // namespace forewarp::cli
