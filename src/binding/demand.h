// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "binding/path.h"
#include "hardware/resource_role.h"
#include "program/opcode.h"

namespace forewarp::binding {

/// What is counted per warp, besides instruction classes and resources.
enum class Count : std::uint8_t {
  instructions,         ///< warp instructions, including predicated-off ones
  thread_instructions,  ///< warp instructions times their executing lanes
  dual_pairs,           ///< pairs that issue in one cycle
  memory_instructions,  ///< loads, stores and atomics in global, local or generic space
  reissues,  ///< additional issues of accesses to several lines or with several bank passes
  load_requests,
  load_sectors,
  store_requests,
  store_sectors,  ///< global space
  global_bytes,   ///< moved by global accesses, loads and stores
  read_bytes,
  write_bytes,
  local_device_bytes,  ///< read_bytes and write_bytes of local memory
  shared_instructions,
  shared_wavefronts,
  local_sectors,
  lsu_instructions,  ///< all that pass the SM's memory interface
  barriers,
  uncoalesced_instructions,  ///< of memory_instructions: those that access several lines
  line_reissues,             ///< of reissues: those of accesses to several lines
  l1_requests,               ///< of load_requests: served by L1
  l2_requests,               ///< of load_requests: missed by L1, served by L2
  passed_bytes,              ///< of global_bytes: those that pass L1
  shared_bytes,              ///< moved by lanes to and from shared memory
  additions,                 ///< warp instructions by operation
  multiplications,
  fused,            ///< multiply-adds
  divisions,        ///< operations of the special function units
  half_operations,  ///< per lane, FP16; a multiply-add counts twice
  single_operations,
  double_operations,
  integer_operations,
  matrix_operations,  ///< per warp, of tensor units
  dependent,          ///< arithmetic on the result of the preceding instruction
  device_places,      ///< where device memory moves a part of a line
  count_
};

inline constexpr std::size_t count_kinds = static_cast<std::size_t>(Count::count_);
inline constexpr std::size_t class_kinds = static_cast<std::size_t>(InstructionClass::count_);

/// Who shares a resource: the SM; the warps of one scheduler; the SM's memory interface, whose
/// queue is held while the resource is busy; or the whole chip, with cycles for an SM that has its
/// even share.
enum class ResourceScope : std::uint8_t { sm, scheduler, interface, chip };

/// A resource that a warp instruction occupies for some cycles of its SM, or another bound of a
/// model.
struct ResourceInfo {
  explicit ResourceInfo(ResourceRole its_role, ResourceScope its_scope = ResourceScope::sm);
  /// `its_name` decides the role.
  ResourceInfo(std::string_view its_name, std::string_view its_label,
               ResourceScope its_scope = ResourceScope::sm);

  std::string name;   ///< in results: "issue", "fma", "registers2"
  std::string label;  ///< "warp schedulers", for readers
  ResourceScope scope = ResourceScope::sm;
  ResourceRole role = ResourceRole::unit;  ///< what code asks for
};

/// Amounts per warp: counts, warp instructions by class, cycles by resource. They add up.
class Demand {
 public:
  Demand() = default;
  explicit Demand(std::size_t resources) : cycles_(resources, 0.0) {}

  [[nodiscard]] double count(Count kind) const { return counts_[static_cast<std::size_t>(kind)]; }
  double& count(Count kind) { return counts_[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] double of_class(InstructionClass c) const {
    return classes_[static_cast<std::size_t>(c)];
  }
  double& of_class(InstructionClass c) { return classes_[static_cast<std::size_t>(c)]; }
  [[nodiscard]] std::span<const double> cycles() const { return cycles_; }
  [[nodiscard]] double cycles(std::size_t resource) const { return cycles_[resource]; }
  double& cycles(std::size_t resource) { return cycles_[resource]; }

  void add(const Demand& other, double factor);
  bool operator==(const Demand&) const = default;

 private:
  std::array<double, count_kinds> counts_{};
  std::array<double, class_kinds> classes_{};
  std::vector<double> cycles_;
};

/// The demand of code inside the same loops; it counts once per combination of their iterations.
struct LoopContext {
  std::uint64_t loops = 0;  ///< bit set of indices of the path's loops
  double share = 1;         ///< of the warps that execute it
  Demand demand;
};

}  // namespace forewarp::binding
