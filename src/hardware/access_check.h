// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/expected.h"
#include "hardware/facts.h"

namespace forewarp::hardware {

/// Whether the rules of hardware/access_rules.h and the caches' masks hold for these numbers: whole
/// ones, at most 32 lanes and banks, words and sectors of four bytes or more, sectors and lines
/// that are powers of two, at most eight sectors of 64 bytes in a line. What is missing is not
/// looked at.
[[nodiscard]] Expected<void> check_access_facts(const Facts& facts);

}  // namespace forewarp::hardware
