// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "binding/bound_instruction.h"

namespace forewarp::binding {

/// Where loads of a space are served, as far as latency goes. Cycles at the clock in use.
struct MemoryLatencies {
  double global = 0, shared = 0, local = 0, constant = 0;
};

/// The GPU's own figures: global loads from device memory at `clock_mhz`.
[[nodiscard]] MemoryLatencies memory_latencies(const Gpu& gpu, double clock_mhz);

/// Latency of one class under a rule set, falling back to the generation's own figure.
[[nodiscard]] double class_latency(const Gpu& gpu, const LatencyRules& rules,
                                   const MemoryLatencies& memory,
                                   InstructionClass instruction_class);

/// Lowers every instruction of the kernel once. The result keeps a pointer to `rules`.
[[nodiscard]] BoundTiming bind_timing(const Kernel& kernel, const Gpu& gpu,
                                      const LatencyRules& rules, const MemoryLatencies& memory);

/// "R5", "P0", "UR4..UR5", "CC": a register as people write it.
[[nodiscard]] std::string register_name(const RegisterRange& range);

}  // namespace forewarp::binding
