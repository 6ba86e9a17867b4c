// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "input/sass/kernel_facts.h"
#include "input/sass/kernel_module.h"
#include "program/kernel.h"

namespace forewarp::input {

/// Gives a kernel its names, parameters and resources, after its code was read, which ends with
/// that of the `functions`.
void complete_kernel(Kernel& kernel, const FactStore& facts,
                     std::span<const PlacedFunction> functions = {});

/// One more than the highest general register that the code names.
[[nodiscard]] std::uint32_t registers_used(const Kernel& kernel);

}  // namespace forewarp::input
