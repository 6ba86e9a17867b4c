// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/kernel_analysis.h"

namespace forewarp::tests::testing {

/// One entry of a loop by one thread.
struct LoopRun {
  LoopId loop = no_loop;
  std::int64_t passes = 0;          ///< executions of the header
  std::int64_t back_edges = 0;      ///< executions of a latch that went back
  std::vector<std::int64_t> outer;  ///< iterations of all loops when it was entered
};

struct Walk {
  bool complete = false;  ///< false: a condition was not known, or too many steps
  std::vector<LoopRun> runs;
};

/// Follows one thread from block to block by the branch conditions, pass by pass.
[[nodiscard]] Walk walk(const KernelAnalysis& analysis, Binding binding,
                        std::size_t max_steps = 200'000);

}  // namespace forewarp::tests::testing
