// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "program/kernel.h"

namespace forewarp::memory {
struct MemoryProfile;
}

namespace forewarp::prediction {

/// The code as a launch executed it: generic accesses that all led to shared memory are accesses to
/// shared memory. The same kernel where there is none, or where nothing was executed (null).
std::shared_ptr<const Kernel> executed_code(std::shared_ptr<const Kernel> kernel,
                                            const memory::MemoryProfile* memory);

}  // namespace forewarp::prediction
