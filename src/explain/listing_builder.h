// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "prediction/evaluation.h"

namespace forewarp::explain {

/// Adds the annotated listing of the latency path that a run used.
void add_listing(const Evaluation& evaluation, const ModelRun& run, Result& result);

/// Adds the hardware numbers that a prediction of this kernel depends on, with their sources.
void add_provenance(const Evaluation& evaluation, Result& result);

/// ", L1 50 %, L2 75 %": shares of what is asked for, and of what passes L1; nothing for a rate of
/// 0.
[[nodiscard]] std::string hit_rates_text(double l1, double l2);

}  // namespace forewarp::explain
