// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "request/case.h"

namespace forewarp::request {

/// The case as one line of a file of cases (docs/cases.md), without line end; reads back as the
/// same case. Relative paths become absolute, as the file may be written anywhere.
[[nodiscard]] std::string case_line(const Case& request);

}  // namespace forewarp::request
