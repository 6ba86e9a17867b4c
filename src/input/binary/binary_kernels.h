// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "input/binary/gpu_code.h"
#include "input/reader.h"

namespace forewarp::input {

/// The kernels of machine code of one architecture, in the parts' order, as the disassembler would
/// list them: functions that kernels call are among them. The parts' bytes must outlive the stream.
/// Fails where encoding_for() has no table for the architecture. `wanted`: ReadOptions.
Expected<std::unique_ptr<KernelStream>> kernels_of(std::vector<CodePart> parts,
                                                   std::string file_name, KernelFilter wanted = {});

}  // namespace forewarp::input
