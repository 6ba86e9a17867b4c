// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/quantities.h"
#include "binding/bound_instruction.h"

namespace forewarp::binding {

/// Latencies of loads by memory space, in cycles at the clock in use.
struct MemoryLatencies {
  double global = 0, shared = 0, local = 0, constant = 0;
};

/// The GPU's own figures; global loads come from device memory at `clock`.
[[nodiscard]] MemoryLatencies memory_latencies(const Gpu& gpu, Megahertz clock);

/// Latency of one class under a rule set; if the set has none, the generation's own figure.
[[nodiscard]] double class_latency(const Gpu& gpu, const LatencyRules& rules,
                                   const MemoryLatencies& memory,
                                   InstructionClass instruction_class);

/// Lowers all instructions of a kernel. The result keeps a pointer to `rules`.
[[nodiscard]] BoundTiming bind_timing(const Kernel& kernel, const Gpu& gpu,
                                      const LatencyRules& rules, const MemoryLatencies& memory);

/// A register as readers know it: "R5", "P0", "UR4..UR5", "CC".
[[nodiscard]] std::string register_name(const RegisterRange& range);

}  // namespace forewarp::binding
