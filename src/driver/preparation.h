// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "analysis/kernel_analysis.h"
#include "driver/prepared.h"

namespace forewarp {

/// A kernel with its hardware-free analysis, shared by every launch on every GPU.
struct LoadedKernel {
  std::shared_ptr<const Kernel> kernel;
  std::shared_ptr<const KernelAnalysis> analysis;
  std::string input;  ///< as the user named it
  std::string hash;   ///< SHA-256 of the kernel's text
};

/// The launch alone: extents, arguments, occupancy and whether the GPU would accept it.
Expected<LaunchDraft> draft_launch(const LoadedKernel& loaded, const Gpu& gpu, const Case& request,
                                   const PredictOptions& options);

/// Joins a kernel, a GPU and a launch: occupancy, launch check, paths, bound kernel, model runs.
/// Fails with the one line of what stops the prediction.
Expected<Prepared> prepare(const LoadedKernel& loaded, std::shared_ptr<const Gpu> gpu,
                           const Case& request, const PredictOptions& options);

}  // namespace forewarp
