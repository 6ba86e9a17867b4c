// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "request/tables/calibration.h"
#include "request/text/value_cursor.h"

namespace forewarp::request {

/// Refuse an entry of a calibration whose model, option or number does not exist, whose value is
/// not above 0, that does not say where it comes from, or that repeats one of `before`, the entries
/// already read. `cursor` is the entry, for the place.
Expected<void> check_factor(const ValueCursor& cursor, const CalibratedFactor& factor,
                            const Calibration& before);
Expected<void> check_number(const ValueCursor& cursor, const CalibratedNumber& number,
                            const Calibration& before);

}  // namespace forewarp::request
