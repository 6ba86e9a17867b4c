// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/expected.h"
#include "execution/storage/execution_input.h"
#include "launch/arguments/module_image.h"
#include "launch/arguments/signature.h"
#include "program/kernel.h"
#include "program/launch.h"
#include "request/predict_options.h"

namespace forewarp::launch {

/// A launch as the executor takes it, with the module that it finds.
struct ExecutionLaunch {
  ExecutionInput input;
  ModuleImage module;
};

/// The parameter area, the buffers with their content, the constant banks and the branches that the
/// user decided. Buffers of an unstated size get the room that bind_arguments() reserved for them,
/// and unknown content. Where the listing does not state the static shared memory, a block has
/// `most_shared` bytes in all. Fails with the file that a buffer's content cannot be read from, and
/// as module_image().
Expected<ExecutionLaunch> execution_launch(const Kernel& kernel, const Launch& launch,
                                           const BoundArguments& arguments,
                                           const PredictOptions& options,
                                           std::uint32_t most_shared);

}  // namespace forewarp::launch
