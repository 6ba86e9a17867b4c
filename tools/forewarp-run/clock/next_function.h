// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

namespace forewarp_clock {

/// The function of the library behind this one; `version` where programs are linked with one of
/// several.
template <auto Own>
auto next(const char* name, const char* version = nullptr) {
  using Function = decltype(Own);
  static const auto found = [&] {
    void* at = version != nullptr ? ::dlvsym(RTLD_NEXT, name, version) : nullptr;
    if (at == nullptr) at = ::dlsym(RTLD_NEXT, name);
    return reinterpret_cast<Function>(at);  // NOLINT
  }();
  return found;
}

}  // namespace forewarp_clock

#define NEXT(name, ...) forewarp_clock::next<&::name>(#name __VA_OPT__(, ) __VA_ARGS__)
