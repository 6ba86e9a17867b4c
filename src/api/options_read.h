// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <forewarp/expected.h>
#include <forewarp/options.h>
#include <string_view>

#include "request/options/option_table.h"

namespace forewarp::api {

/// The row of an option that a launch may have. Refused: as option().
[[nodiscard]] Expected<const request::OptionRow*> option_row(std::string_view name);

}  // namespace forewarp::api
