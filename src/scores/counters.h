// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "result/result.h"
#include "result/validation.h"

namespace forewarp::scores {

/// One counter of a profiler, and where our profile has the same figure.
struct Counter {
  std::string name;
  std::vector<std::string> columns;  ///< columns of the measurement, summed
  std::vector<std::string> figures;  ///< keys of the profile, summed
  std::vector<std::string> opcodes;  ///< of threads_by_opcode, summed
  double unit = 1;                   ///< one count in the figure's unit
  double goal = 0;                   ///< allowed distance of the median ratio from 1; 0: not judged
  bool local = true;                 ///< false: compared only without traffic of local memory
  std::string local_columns;         ///< columns with this word count local memory's traffic
};

/// Every file of the data folder's counters/, in the order of the names. Refused: what is no list
/// of counters, a figure that no profile has.
Expected<std::vector<Counter>> load_counters(const std::filesystem::path& data_folder);
Expected<std::vector<Counter>> parse_counters(std::string_view toml, std::string_view file);

/// The counters that a measurement has, beside those of a profile of the same launch.
[[nodiscard]] std::vector<CountedFigure> counted_figures(
    const std::vector<Counter>& counters, const std::map<std::string, double, std::less<>>& numbers,
    const Result::Profile& profile);

/// Compares own / counted over the points of a set, judged ones before the others. Points where
/// both are 0 are left out.
void compare_counters(const std::vector<Counter>& counters, ValidatedSet& set);

/// "counter  median  mean  p10  p90  worst  rows  others: median  rows  goal": one table; empty
/// where the set has no counters.
[[nodiscard]] std::string counter_text(const ValidatedSet& set);

}  // namespace forewarp::scores
