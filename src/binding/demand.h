// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "binding/path.h"
#include "program/opcode.h"

namespace forewarp::binding {

/// What is counted per warp, apart from classes and resources.
enum class Count : std::uint8_t {
  instructions,         ///< warp instructions, predicated-off ones included
  thread_instructions,  ///< times the lanes that execute it
  dual_pairs,           ///< pairs that issue together
  memory_instructions,  ///< loads, stores and atomics of global, local or generic space
  reissues,             ///< further issues of accesses that touch several lines or bank passes
  load_requests,
  load_sectors,
  store_requests,
  store_sectors,  ///< global space
  global_bytes,   ///< moved by global accesses, loads and stores
  read_bytes,
  write_bytes,
  local_device_bytes,  ///< of the two above: local memory's
  shared_instructions,
  shared_wavefronts,
  local_sectors,
  lsu_instructions,  ///< whatever passes the SM's memory interface
  barriers,
  uncoalesced_instructions,  ///< of memory_instructions: those that touch several lines
  line_reissues,             ///< of reissues: of accesses that touch several lines
  l1_requests,               ///< of load_requests: that L1 serves
  l2_requests,               ///< of load_requests: that go beyond L1 and L2 serves
  passed_bytes,              ///< of global_bytes: beyond L1
  shared_bytes,              ///< that lanes move to and from shared memory
  additions,                 ///< warp instructions by what they calculate
  multiplications,
  fused,            ///< multiply-adds
  divisions,        ///< what the special function units calculate
  half_operations,  ///< of a lane, FP16; a multiply-add is two
  single_operations,
  double_operations,
  integer_operations,
  matrix_operations,  ///< of the warp, tensor units
  dependent,          ///< arithmetic on a result of the instruction just before
  count_
};

inline constexpr std::size_t count_kinds = static_cast<std::size_t>(Count::count_);
inline constexpr std::size_t class_kinds = static_cast<std::size_t>(InstructionClass::count_);

/// Who shares a resource: the SM, the warps of one scheduler, the SM's memory interface, which
/// holds its queue while this is busy, or the whole chip: cycles are then those of an SM that has
/// its even share of it.
enum class ResourceScope : std::uint8_t { sm, scheduler, interface, chip };

/// A resource that a warp occupies for some cycles of its SM.
struct ResourceInfo {
  std::string name;   ///< "issue", "fma", "shared", "registers", "l2_read"
  std::string label;  ///< "warp schedulers", for people
  ResourceScope scope = ResourceScope::sm;
};

/// Amounts per warp: counts, warp instructions by class, cycles by resource. Additive.
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

/// The demand of what lies inside the same loops: it counts once per product of their trips.
struct LoopContext {
  std::uint64_t loops = 0;  ///< bit set of indices into the path's loops
  double share = 1;         ///< of the warps that come here
  Demand demand;
};

}  // namespace forewarp::binding
