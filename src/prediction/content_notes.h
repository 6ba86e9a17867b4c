// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "prediction/launch.h"

namespace forewarp::prediction {

/// Notes what the contents of buffers leave to assumptions: which integers a `random` without
/// bounds holds, and that elements of unknown type are written as f32.
void note_contents(Launch& made);

}  // namespace forewarp::prediction
