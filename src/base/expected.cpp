// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/expected.h"

#include <stdexcept>
#include <string>

namespace forewarp::base {

void misused(const char* sentence, const Diagnostic* failure) {
  std::string text(sentence);
  if (failure != nullptr) text += ": " + failure->line();
  throw std::logic_error(text);
}

}  // namespace forewarp::base
