// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/closed_form/closed_form.h"

namespace forewarp::model {

/// Models that add up counts: "voudouris" (model/aggregate_time.h), "counting" and "bsp"
/// (model/counted_time.h) on given numbers.
[[nodiscard]] std::vector<ClosedForm> counting_forms();

}  // namespace forewarp::model
