// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "execution/state/memory_access.h"
#include "program/launch.h"

namespace forewarp::execution {

/// A memory access that would fault on a GPU or that misses every buffer. One finding per
/// instruction and kind: the first occurrence, and how many lanes did the same.
struct AccessFinding {
  enum class Kind : std::uint8_t { out_of_bounds, misaligned };
  Kind kind = Kind::out_of_bounds;
  std::uint32_t instruction = 0;
  MemorySpace space = MemorySpace::global;
  std::uint32_t bytes = 4;
  std::uint64_t address = 0;
  Extent block{};
  std::uint32_t thread = 0;  ///< linear index in the block
  std::uint64_t lanes = 0;   ///< accesses by lanes, in all
  std::uint64_t end = 0;     ///< one past their highest byte
};

class Findings {
 public:
  void add(const AccessFinding& finding) {
    for (AccessFinding& known : list_) {
      if (known.instruction != finding.instruction || known.kind != finding.kind) continue;
      known.lanes += finding.lanes;
      known.end = std::max(known.end, finding.end);
      return;
    }
    list_.push_back(finding);
  }
  [[nodiscard]] const std::vector<AccessFinding>& list() const { return list_; }

 private:
  std::vector<AccessFinding> list_;
};

}  // namespace forewarp::execution
