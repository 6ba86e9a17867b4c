// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// A kernel's instructions with their worst-case costs on Fermi, after Voudouris 2014 (sections 2 to
// 5 of his model): arithmetic issues 6 cycles after the instruction before and is read 18 or 22
// cycles later, 2 more after a multiply-add; every access holds its warp until it is done: a load
// for the longest latency seen, a store for its issue and a full write buffer, both longer by each
// further transaction or conflict. Numbers: data/isa, model.wcet.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/expected.h"
#include "hardware/gpu.h"
#include "program/kernel.h"
#include "timing/wcet/predictability.h"

namespace forewarp::timing {

/// The constants of one generation, in cycles unless noted.
struct WorstRules {
  double warps = 0;       ///< most warps per SM
  double schedulers = 1;  ///< schedulers that the warps are divided among
  double slot = 0, spacing = 0;
  double raw = 0, raw_sfu = 0, multiply_add = 0;
  double shared_load = 0, shared_store = 0;
  double load = 0, store = 0, store_penalty = 0;
  double unit = 0, sfu_unit = 0, transaction = 0;
  double unknown_degree = 0;  ///< transactions or passes of an access with unknown addresses
  double branch = 0, barrier = 0;
  /// By class: for how long an instruction holds its unit beyond its issue slot.
  std::array<double, static_cast<std::size_t>(InstructionClass::count_)> held{};
};

/// Refuses GPUs whose data files do not have these numbers.
Expected<WorstRules> worst_rules(const Gpu& gpu);

/// The most transactions and passes of one execution of an access.
struct WorstAccess {
  bool known = false;
  double transactions = 1;  ///< in global or local memory
  double passes = 1;        ///< through the banks of shared memory
};

/// Which share of a region's time an instruction belongs to.
enum class WorkPart : std::uint8_t { compute, load, store };

struct WorstInstruction {
  std::vector<std::uint16_t> reads, writes;  ///< numbers below WorstKernel::registers
  double spacing = 0;                        ///< to the warp's next issue
  double latency = 0;                        ///< to a reader's issue
  double unit = 0;                           ///< for which other warps may wait for its unit
  Component component = Component::arithmetic;
  WorkPart part = WorkPart::compute;
  bool barrier = false, clock = false;
};

struct WorstKernel {
  static constexpr std::uint16_t registers = 384;  ///< general, predicate, condition code

  const Kernel* kernel = nullptr;
  WorstRules rules;
  std::vector<WorstInstruction> instructions;  ///< parallel to the kernel's
};

/// `accesses` and `reached` are parallel to the instructions; those that are not reached may be
/// anything. Refuses an instruction that has no worst case, and names the component that has none.
Expected<WorstKernel> bind_worst(const Kernel& kernel, const WorstRules& rules,
                                 std::span<const WorstAccess> accesses,
                                 std::span<const std::uint8_t> reached);

/// "(COMPONENT, CLASS: reason)".
[[nodiscard]] std::string blame(Component component);

}  // namespace forewarp::timing
