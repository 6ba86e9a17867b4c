// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "base/expected.h"
#include "execution/storage/execution_input.h"
#include "program_run/device_memory.h"

namespace forewarp::program_run {

struct LaunchOrder;

/// Keeps launches with the contents of memory before them, in a folder: launches.jsonl has a line
/// per launch, module-N the code, content-X what an allocation held (equal contents once, pages of
/// zeros as holes). docs/run.md describes it; driver/recorded_launch.h reads it.
class Recorder {
 public:
  /// Makes the folder; fails where there is a recording already.
  Expected<void> open(const std::string& folder);
  [[nodiscard]] bool on() const { return !folder_.empty(); }

  /// A launch with its memory as it is now; `gpu` is the board that it was predicted for.
  void launch(std::uint64_t number, const LaunchOrder& order,
              const execution::ExecutionInput& input, const DeviceMemory& memory,
              const std::string& gpu);
  /// A launch of the same kernel and geometry as launch `other`, from which its time is taken.
  void same(std::uint64_t number, std::uint64_t other);
  /// What could not be written; empty: nothing.
  [[nodiscard]] const std::string& failure() const { return failure_; }

 private:
  std::string module_file(const std::string& name, const std::string& bytes);
  std::string content_file(const Allocation& allocation);
  void line(const std::string& text);

  std::filesystem::path folder_;
  std::map<std::string, std::string> modules_;  ///< file by input name
  std::set<std::string> contents_;
  std::string failure_;
};

}  // namespace forewarp::program_run
