// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "measured/described/set_description.h"
#include "measured/points/measured_set.h"
#include "tuning/parameter_space.h"

namespace forewarp::tuning {

/// What to tune, as the command line gives it.
struct TuningRequest {
  std::string file;  ///< source, the community's description (T1, JSON) or a space (TOML)
  std::vector<std::string> parameters;    ///< --param NAME=VALUES; of a source alone
  std::vector<std::string> restrictions;  ///< --restrict; with every form
  std::string grid, block, shared;        ///< expressions, sizes with commas; of a source alone
  MeasuredOptions measured;               ///< defaults for what the file leaves open, folders
};

/// Configurations and the launch of each.
struct TuningTask {
  std::vector<std::string> parameters;
  std::vector<std::vector<std::string>> words;   ///< of each configuration
  std::vector<std::vector<std::string>> values;  ///< of each parameter, in their own order
  double whole = 0;                              ///< number of configurations without restrictions
  MeasuredSet set;                               ///< a point for each configuration, in order
  std::vector<std::string> problem_size;         ///< as a tuner would get it; empty: not known
};

/// Refuses a file that is none of the three, a space without configurations, and a task without
/// board, grid or block.
Expected<TuningTask> read_tuning_task(const TuningRequest& request);

/// Keeps `count` configurations, drawn by drawn_rows(); 0: all.
void draw_configurations(TuningTask& task, std::size_t count, std::uint64_t seed);

/// The space of a T1 file: its parameters, with its conditions as restrictions.
Expected<ParameterSpace> parse_t1_space(std::string_view json, const std::filesystem::path& file);

/// A space in TOML: a description whose rows are configurations.
struct SpaceFile {
  SetDescription about;
  ParameterSpace space;        ///< from `params` and `restrict`, or
  std::string configurations;  ///< a CSV file with one row per configuration
};
Expected<SpaceFile> parse_space_file(std::string_view toml, const std::filesystem::path& file);

}  // namespace forewarp::tuning
