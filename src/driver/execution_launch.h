// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/expected.h"
#include "driver/predict_options.h"
#include "driver/signature.h"
#include "execution/execution_input.h"
#include "program/kernel.h"
#include "program/launch.h"

namespace forewarp {

/// A launch as the executor takes it: the parameter area, the buffers with their content, the
/// constant banks and the branches that the user decided. Buffers of an unstated size get the room
/// that bind_arguments() reserved for them, and unknown content. Where the listing does not state
/// the static shared memory, a block has `most_shared` bytes in all. Fails with the file that a
/// buffer's content cannot be read from.
Expected<ExecutionInput> execution_input(const Kernel& kernel, const Launch& launch,
                                         const BoundArguments& arguments,
                                         const PredictOptions& options, std::uint32_t most_shared);

}  // namespace forewarp
