// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/expected.h"
#include "execution/storage/execution_input.h"
#include "prediction/arguments/module_image.h"
#include "prediction/arguments/signature.h"
#include "program/kernel.h"
#include "program/launch.h"
#include "request/predict_options.h"

namespace forewarp::prediction {

/// A launch as input of the executor, with the kernel's module.
struct ExecutionLaunch {
  ExecutionInput input;
  ModuleImage module;
};

/// Puts together the parameter area, the buffers with their content, the constant banks and the
/// branches that the user decided. Buffers of unknown size get the room that bind_arguments()
/// reserved for them, and unknown content. If the listing does not state the static shared memory,
/// a block has `most_shared` bytes in total. Fails if a file with a buffer's content cannot be
/// read, and as module_image() does.
Expected<ExecutionLaunch> execution_launch(const Kernel& kernel, const LaunchConfig& launch,
                                           const BoundArguments& arguments,
                                           const PredictOptions& options,
                                           std::uint32_t most_shared);

}  // namespace forewarp::prediction
