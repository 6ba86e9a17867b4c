// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/kernel_analysis.h"
#include "base/expected.h"
#include "binding/access_pattern.h"
#include "binding/path.h"
#include "driver/predict_options.h"
#include "driver/signature.h"
#include "result/result.h"

namespace forewarp {

/// What the warps of a typical block do, found from the code and the launch without running it.
struct FoundPaths {
  std::vector<WarpPath> paths;            ///< kinds of warps of one interior block, one loop table
  std::vector<AccessPattern> patterns;    ///< parallel to the kernel's instructions
  std::vector<Result::Assumption> assumptions;
};

/// Follows each warp of an interior block: a branch is decided by its symbolic condition for the
/// warp's threads, a loop by its trip formula; --trip and --assume-branch win. Fails with the loop
/// whose count nobody knows.
Expected<FoundPaths> find_paths(const Kernel& kernel, const KernelAnalysis& analysis,
                                const Gpu& gpu, const Launch& launch,
                                const BoundArguments& arguments, const PredictOptions& options);

}  // namespace forewarp
