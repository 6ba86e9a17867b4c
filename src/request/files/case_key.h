// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "request/case.h"

namespace forewarp::request {

/// Everything of a case that its prediction depends on, as text: equal texts give equal predictions
/// from the same files. Without its id and what was measured.
[[nodiscard]] std::string case_key_text(const Case& request);

}  // namespace forewarp::request
