// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "analysis/kernel_analysis.h"

namespace forewarp::cli {

/// What `forewarp analyze` prints of one kernel:
///
///   saxpy2 (sm_52) _Z6saxpy2iiPfS_
///     34 instructions in 5 blocks, 8 registers (stated), 0 bytes shared
///     parameters (mangled name)
///       0  n  int  4 bytes at c[0x0][0x140]
///     loops
///       0  0x0108-0x0130  depth 1  a times
///   ..
[[nodiscard]] std::string analysis_as_text(const KernelAnalysis& analysis);
[[nodiscard]] nlohmann::ordered_json analysis_as_json(const KernelAnalysis& analysis);

/// "header line": where a fact of the kernel comes from.
[[nodiscard]] std::string_view source_name(FactSource source);

}  // namespace forewarp::cli
