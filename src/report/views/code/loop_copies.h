// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "result/result.h"

namespace forewarp::report {

/// How often the body of a source loop stands in one pass of the loop of the code, as the compiler
/// unrolled it; 1: once, or it cannot be told. Told from the listing: a loop that is unrolled by F
/// has F of each of a line's memory accesses and floating point operations, or a multiple, and
/// its passes are a count over F. Where the passes are a number, several kinds of instructions have
/// to occur alike and at least four times.
[[nodiscard]] std::uint32_t loop_copies(const Result& result, const Result::SourceLoop& loop);

}  // namespace forewarp::report
