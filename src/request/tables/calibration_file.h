// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/expected.h"
#include "request/tables/calibration.h"

namespace forewarp::request {

/// Refuses, with the place: invalid TOML, an unknown key, an entry without kernel, board, source or
/// points, an unknown model, option or number, a value that is not above 0, a share above 1, and a
/// second entry for the same thing.
Expected<Calibration> parse_calibration(std::string_view toml, std::string_view file);
Expected<std::shared_ptr<const Calibration>> read_calibration(const std::string& file);

[[nodiscard]] std::string calibration_text(const Calibration& calibration);

}  // namespace forewarp::request
