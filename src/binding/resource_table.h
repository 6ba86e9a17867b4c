// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "binding/access_pattern.h"
#include "binding/access_space.h"
#include "binding/atomic_rates.h"
#include "binding/block_replay.h"
#include "binding/demand.h"
#include "hardware/gpu.h"
#include "program/kernel.h"
#include "program/roles.h"

namespace forewarp::binding {

/// The throughput resources of one SM, and how long one warp instruction occupies each. Without
/// device memory, whose rate depends on the traffic mix and the clock.
class ResourceTable {
 public:
  /// `kernel` owns the instructions asked for; matrix instructions need it for their shapes.
  explicit ResourceTable(const Gpu& gpu, const Kernel* kernel = nullptr);

  [[nodiscard]] const std::vector<ResourceInfo>& resources() const { return resources_; }

  /// Demand of one execution by a full warp. `access` matters for memory instructions only.
  /// `second_of_pair`: it issues with its predecessor and takes no issue slot.
  [[nodiscard]] Demand demand_of(const Instruction& instruction, const AccessPattern& access,
                                 bool second_of_pair) const;

  /// The same demand as the sequence of units that the instruction passes in the SM. Register ports
  /// and the limit on requests in flight are left out: they are throughput bounds only.
  [[nodiscard]] std::vector<ResourceUse> uses_of(const Instruction& instruction,
                                                 const AccessPattern& access) const;
  /// The SM of these resources, for block_replay.
  [[nodiscard]] ReplayMachine machine() const;

  /// Adds the register-file reads of instruction `index` in a straight run that begins at `first`.
  /// An operand that the predecessor left in the operand cache is not read again.
  void add_register_reads(const Kernel& kernel, std::size_t first, std::size_t index,
                          Demand& demand) const;

  /// Whether it loads a constant whose place the code says.
  [[nodiscard]] bool loads_placed_constant(const Instruction& instruction) const;

  /// Adds the instructions fetched in vain around `jumps` taken branches.
  void add_jumps(double jumps, Demand& demand) const;

 private:
  static constexpr std::size_t no_resource = ~std::size_t{0};
  std::size_t add(ResourceInfo info);
  std::size_t add(ResourceRole role, ResourceScope scope = ResourceScope::sm) {
    return add(ResourceInfo(role, scope));
  }
  std::size_t pipe(const std::string& name, double cycles);
  void add_memory(const Instruction& instruction, const AccessPattern& access,
                  Demand& demand) const;
  void add_global(const AccessPattern& access, bool store, Demand& demand) const;
  [[nodiscard]] double reissues(const AccessPattern& access) const;
  void add_slices(const Instruction& instruction, const AccessPattern& access,
                  Demand& demand) const;
  [[nodiscard]] double shared_width() const;  ///< bytes per cycle
  void add_copy(const Instruction& instruction, const AccessPattern& access, Demand& demand) const;
  void add_local(const AccessPattern& access, bool store, Demand& demand) const;
  void add_shared(const Instruction& instruction, const AccessPattern& access,
                  Demand& demand) const;

  struct ClassUse {
    std::vector<std::pair<std::size_t, double>> pipes;  ///< resource, cycles per SM
  };

  const Gpu& gpu_;
  const Kernel* kernel_;
  std::vector<ResourceInfo> resources_;
  std::vector<ClassUse> classes_;
  std::size_t fetch_ = no_resource, network_ = no_resource;
  std::size_t issue_ = 0, lsu_ = 0, shared_ = 0, l1_return_ = 0, l1_fill_ = 0, store_path_ = 0;
  std::size_t l2_read_ = 0, l2_write_ = 0, requests_ = 0;
  std::size_t slices_ = 0;
  AtomicRates atomics_;
  std::size_t first_bank_ = 0;
};

}  // namespace forewarp::binding
