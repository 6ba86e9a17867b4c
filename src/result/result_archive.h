// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "result/result.h"

namespace forewarp::result {

/// A result as bytes, in the layout of this build: for this program's cache only, no exchange
/// format. Every member comes back bit for bit.
[[nodiscard]] std::string pack_result(const Result& result);

/// nullopt where the bytes are not those of a result. Allocates at most a few times their size.
[[nodiscard]] std::optional<Result> unpack_result(std::string_view bytes);

}  // namespace forewarp::result
