// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "launch/prepared.h"

namespace forewarp::explain {

/// Adds the annotated listing of the latency path that a run used.
void add_listing(const Prepared& prepared, const ModelRun& run, Result& result);

/// Adds the hardware numbers that a prediction of this kernel depends on, with their sources.
void add_provenance(const Prepared& prepared, Result& result);

}  // namespace forewarp::explain
