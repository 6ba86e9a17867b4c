// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "hardware/fact_override.h"
#include "hardware/gpu.h"

namespace forewarp::hardware {

/// One result of `gpu check`.
struct DataFinding {
  bool error = false;  ///< false: a remark
  Diagnostic diagnostic;
};

/// The data folder: gpus/, capabilities/, isa/, memory/. Files are found by name, so a prediction
/// opens at most four of them; listing boards opens every board file.
class HardwareDatabase {
 public:
  explicit HardwareDatabase(std::filesystem::path data_directory);

  /// FOREWARP_DATA, else beside the program (../share/forewarp/data), else the source tree.
  static Expected<HardwareDatabase> locate();

  /// `name`: an id, ID@SET for a named parameter set, a path to a .toml file, or a marketing name
  /// in any case, also a part of it that only one board has (stored as Gpu::asked_as). Fails with
  /// the closest ids, or with the boards of that name and their differences.
  Expected<Gpu> load(std::string_view name, const std::vector<FactOverride>& overrides = {}) const;

  /// What a name stands for where several boards may be meant: itself where load() takes it, else
  /// the ids of all boards that have it. Fails as load() for a name that no board has.
  Expected<std::vector<std::string>> family(std::string_view name) const;

  /// Limits of a compute capability, without a board.
  Expected<SmLimits> limits(Capability capability) const;
  [[nodiscard]] std::vector<Capability> capabilities() const;

  /// All ids, in the order of file names.
  [[nodiscard]] std::vector<std::string> ids() const;

  /// Schema errors, missing numbers, contradictions (bandwidth against width x clock), unknown
  /// keys.
  std::vector<DataFinding> check(const std::filesystem::path& gpu_file) const;

  [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }

 private:
  std::filesystem::path directory_;
};

}  // namespace forewarp::hardware
