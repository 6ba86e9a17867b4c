// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/expected.h"
#include "hardware/facts.h"

namespace forewarp::hardware {

/// Whether hardware/access_rules.h and the caches' masks support these numbers: integers, at most
/// 32 lanes and banks, words and sectors of at least four bytes, sectors and lines that are powers
/// of two, at most eight sectors of 64 bytes per line. Ignores missing numbers.
[[nodiscard]] Expected<void> check_access_facts(const Facts& facts);

}  // namespace forewarp::hardware
