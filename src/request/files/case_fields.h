// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/expected.h"
#include "request/case.h"
#include "request/text/value_cursor.h"

namespace forewarp::request {

/// Which of a case's keys may stand in the file.
enum class CaseScope : std::uint8_t {
  launch,  ///< a launch file: not input, gpu and what was measured
  full_case,
};

/// The case that a table describes. `input` and `file:` contents are taken relative to the
/// origin's directory. Refused, with the place and the key: an unknown key (with the closest valid
/// one), a value of the wrong kind, a number out of range, two types for one argument.
/// `launch` asks for nothing to be present; a full case needs no key either, as options may give
/// it.
Expected<Case> read_case(const PlainValue& table, const ValueOrigin& origin, CaseScope scope);

}  // namespace forewarp::request
