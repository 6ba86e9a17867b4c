// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "input/sass/kernel_facts.h"
#include "program/kernel.h"

namespace forewarp::input {

/// Gives a kernel whose code is read its names, parameters and resources.
void complete_kernel(Kernel& kernel, const FactStore& facts);

/// The highest general register that the code names, plus one.
[[nodiscard]] std::uint32_t registers_used(const Kernel& kernel);

}  // namespace forewarp::input
