// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "execution/grid/grid_runner.h"
#include "program_run/device_memory.h"

namespace forewarp::program_run {

/// Launches that need not be executed again: code, geometry and arguments are those of an earlier
/// one, and all memory that it read has the content that it had then. What such a launch writes is
/// in memory still, or is put there from a copy.
class RepeatedLaunches {
 public:
  /// Code, geometry and arguments of a launch, as words.
  using Key = std::vector<std::uint64_t>;

  explicit RepeatedLaunches(DeviceMemory& memory) : memory_(&memory) {}

  /// Does the launch if it repeats one, and returns its warp instructions.
  std::optional<std::uint64_t> repeat(const Key& key);

  /// A launch that was executed; `also_read` are further addresses that it depends on. The contents
  /// of what it wrote count as new from here on, whether or not it can be repeated.
  void executed(const Key& key, const execution::GridRun& run,
                const std::vector<std::uint64_t>& also_read);

 private:
  struct Use {
    std::uint64_t address = 0;
    std::uint64_t before = 0, after = 0;  ///< contents; see DeviceMemory
    std::uint8_t use = 0;                 ///< bits of execution::buffer_use
    std::vector<std::uint8_t> copy;       ///< of a written one, where kept
  };
  struct Launch {
    std::vector<Use> uses;
    std::uint64_t instructions = 0;
    bool wanted = false;  ///< it could have been repeated, had its copies been kept
  };

  enum class Match : std::uint8_t { none, without_copies, whole };
  [[nodiscard]] Match matches(const Launch& launch) const;
  void keep_copies(Launch& launch);

  DeviceMemory* memory_;
  std::map<Key, std::vector<Launch>> launches_;
  std::uint64_t kept_bytes_ = 0;
};

}  // namespace forewarp::program_run
