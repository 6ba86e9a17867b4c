// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <unordered_map>

#include "base/expected.h"
#include "program_run/settings.h"

namespace forewarp::program_run {

/// The launches that a SelectionText names.
class LaunchSelection {
 public:
  /// Takes every launch.
  LaunchSelection() = default;
  /// Refuses what is no selection.
  static Expected<LaunchSelection> of(const SelectionText& text);

  /// Whether the next launch, of the kernel with this name, is taken. Asked once for each of them.
  bool takes(const std::string& kernel);

 private:
  [[nodiscard]] bool names(const std::string& kernel);

  SelectionText text_;
  std::string name_;
  std::optional<std::regex> pattern_;
  std::unordered_map<std::string, bool> known_;  ///< by kernel: a program launches few very often
  std::uint64_t seen_ = 0;
};

}  // namespace forewarp::program_run
