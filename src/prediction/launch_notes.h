// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "prediction/launch.h"
#include "prediction/paths/path_finder.h"

namespace forewarp::prediction {

/// Notes what a launch assumes before it is executed: its clock, what launching adds, registers and
/// shared memory that the listing does not state, arguments, unknown opcodes, branches that leave
/// the listed code.
void note_launch(const Query& query, Launch& made);

/// Notes that counts follow from the static analysis, and why; `unexecuted`: what stopped the
/// execution, if it was tried. Adds what the paths assume, a finding that asks for the arguments
/// that an execution lacked, and one that names the first access whose address depends on data.
void note_static_profile(const Query& query, const Launch& launch, const FoundPaths& foreseen,
                         const std::optional<Diagnostic>& unexecuted, Notes& notes);

}  // namespace forewarp::prediction
