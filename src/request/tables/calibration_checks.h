// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "request/tables/calibration.h"
#include "request/text/value_cursor.h"

namespace forewarp::request {

/// What a calibration's entry says must exist and be possible: a model, its option, a number of a
/// board, a value above 0, where it comes from. `before` are the entries already read: none may
/// speak of the same thing. `cursor` is the entry, for the place.
Expected<void> check_factor(const ValueCursor& cursor, const CalibratedFactor& factor,
                            const Calibration& before);
Expected<void> check_number(const ValueCursor& cursor, const CalibratedNumber& number,
                            const Calibration& before);

}  // namespace forewarp::request
