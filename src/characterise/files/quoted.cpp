// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/files/quoted.h"

#include "base/toml_text.h"

namespace forewarp::characterise {

std::string quoted(std::string_view text) {
  return toml_quoted(text, ControlCharacters::blank);
}

}  // namespace forewarp::characterise
