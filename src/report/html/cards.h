// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "result/result.h"

namespace forewarp::report::html {

/// The head of one result: what was predicted, what changes its meaning, and the answer on four
/// cards (time with its range and the other models, limit, occupancy, latency).
[[nodiscard]] std::string head_markup(const Result& result);
[[nodiscard]] std::string alerts_markup(const Result& result);
[[nodiscard]] std::string cards_markup(const Result& result);

}  // namespace forewarp::report::html
