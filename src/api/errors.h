// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <forewarp/expected.h>
#include <new>
#include <utility>

#include "base/expected.h"

namespace forewarp::api {

[[nodiscard]] inline Error error_of(base::Diagnostic from) {
  return {std::move(from.place), std::move(from.found), std::move(from.expected),
          std::move(from.way_out), std::move(from.missing)};
}

[[nodiscard]] inline base::Diagnostic diagnostic_of(const Error& from) {
  return {from.place, from.found, from.expected, from.way_out, from.missing};
}

/// What `call` returns; whatever is thrown below becomes an error here, at the library's edge.
template <typename Call>
auto guarded(Call call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return Error{"this call", "needs more memory than there is", "", "a smaller grid or sample"};
  } catch (const std::exception& fault) {
    return Error{"this call", std::string("internal fault: ") + fault.what(), "", ""};
  }
}

}  // namespace forewarp::api
