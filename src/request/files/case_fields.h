// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/expected.h"
#include "request/case.h"
#include "request/text/value_cursor.h"

namespace forewarp::request {

/// Which of a case's keys the file may have.
enum class CaseScope : std::uint8_t {
  launch,  ///< a launch file: not input, gpu and what was measured
  full_case,
};

/// The case that a table describes. `input` and `file:` contents are relative to the origin's
/// directory. Refuses, with the place and the key: an unknown key (suggests the closest valid one),
/// a value of the wrong kind, a number out of range, two types for one argument. No key is
/// required, as options may give the rest.
Expected<Case> read_case(const PlainValue& table, const ValueOrigin& origin, CaseScope scope);

}  // namespace forewarp::request
