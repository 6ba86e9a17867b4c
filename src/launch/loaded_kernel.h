// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "analysis/kernel_analysis.h"

namespace forewarp::launch {

/// A kernel with its analysis, which needs no hardware: shared by every launch on every GPU.
struct LoadedKernel {
  std::shared_ptr<const Kernel> kernel;
  std::shared_ptr<const KernelAnalysis> analysis;
  std::string input;  ///< as the user named it
  std::string hash;   ///< SHA-256 of the kernel's text
  /// The whole input where it was given or came from standard input; null: its file has it.
  std::shared_ptr<const std::string> given;
};

}  // namespace forewarp::launch
