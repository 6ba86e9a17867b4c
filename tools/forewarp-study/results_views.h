// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/expected.h"
#include "forewarp/study_host.h"

namespace forewarp::cli {

/// `forewarp results list|show|diff|export|merge`.
Expected<int> show_results(const ResultsOptions& order);

}  // namespace forewarp::cli
