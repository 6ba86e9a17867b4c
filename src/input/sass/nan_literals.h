// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Literals that are no numbers: a disassembler prints every one of them as QNAN.
#pragma once

#include "program/kernel.h"

namespace forewarp::input {

/// Gives literals that are no numbers the bits that their instructions' words hold, where a
/// listing has the words.
void restore_nan_literals(Kernel& kernel);

}  // namespace forewarp::input
