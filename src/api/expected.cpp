// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <forewarp/expected.h>
#include <forewarp/version.h>

#include "api/errors.h"

namespace forewarp::api {

#define FOREWARP_TEXT(number) #number
#define FOREWARP_DOTTED(major, minor, patch) \
  FOREWARP_TEXT(major) "." FOREWARP_TEXT(minor) "." FOREWARP_TEXT(patch)

std::string_view version() noexcept {
  constexpr std::string_view of_headers =
      FOREWARP_DOTTED(FOREWARP_VERSION_MAJOR, FOREWARP_VERSION_MINOR, FOREWARP_VERSION_PATCH);
  static_assert(of_headers == FOREWARP_VERSION, "version.h and CMakeLists.txt differ");
  return of_headers;
}

std::string Error::line() const {
  return diagnostic_of(*this).line();
}

}  // namespace forewarp::api
