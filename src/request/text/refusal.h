// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace forewarp::request {

/// "PLACE: 'TEXT' FAULT; expected EXPECTED; WAY_OUT": the message for an option's value that cannot
/// be read.
[[nodiscard]] inline Diagnostic refusal(std::string_view place, std::string_view text,
                                        std::string_view fault, std::string_view expected,
                                        std::string_view way_out = {}) {
  return {std::string(place), "'" + std::string(text) + "' " + std::string(fault),
          std::string(expected), std::string(way_out)};
}

}  // namespace forewarp::request
