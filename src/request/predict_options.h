// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "execution/grid/sampling.h"
#include "hardware/database.h"
#include "request/case.h"

namespace forewarp::execution {
struct DeviceImage;
}

namespace forewarp::request {

struct Calibration;

/// Everything a user may ask of a prediction beyond the code and the launch. An unset option leaves
/// the choice to the case, then to the default, which is then an assumption.
struct PredictOptions {
  std::vector<std::string> gpus;    ///< --gpu: ids, names or paths; wins over the case's
  std::vector<std::string> models;  ///< --model; empty: auto
  std::vector<std::pair<std::string, std::string>> model_options;  ///< name, value as written
  std::vector<FactOverride> overrides;                             ///< --set hw.PATH=VALUE
  std::vector<FactOverride> link_overrides;                        ///< --set link.PATH=VALUE
  std::string link;                                                ///< --link; wins over the case's
  std::optional<ClockChoice> clock;                                ///< --clock
  std::optional<Repeat> repeat;                                    ///< --cold, --warm
  std::optional<Timing> timing;                                    ///< --timing
  std::shared_ptr<const Calibration> calibration;        ///< --calibration FILE; null: none
  std::map<std::uint32_t, double> trips;                 ///< --trip: loop head address -> passes
  std::map<std::uint32_t, double> branch_probabilities;  ///< --assume-branch: share taken, 0..1
  bool unknown_floats = false;  ///< floating buffers without content are unknown, not ordinary
  bool assume_isa = false;      ///< code of another architecture as if it ran there
  SampleChoice sample;          ///< --sample
  std::optional<double> budget_seconds;        ///< --budget, of counted work; usual_budget_seconds
  std::optional<std::uint64_t> most_replayed;  ///< lines to replay; default: by the budget
  bool fast = false;                           ///< --fast: auto never simulates
  bool cache = true;                           ///< false: --no-cache, executes launches seen before
  bool exact = false;
  bool worst_case = false;  ///< --wcet: an upper bound beside the prediction
  bool execute = true;      ///< false: --static, counts from the analysis alone
  unsigned jobs = 1;        ///< threads that one execution may use; changes no result
  std::string toolkit;      ///< --cuda: folder of the CUDA toolkit; empty: search
  /// Of a launch by a running program: its device's memory, instead of described buffers.
  std::shared_ptr<const DeviceImage> device;
  std::optional<std::uint32_t> registers;  ///< what-if: registers per thread
  std::optional<std::uint64_t> threads;    ///< --threads: total work; the grid follows the block
};

}  // namespace forewarp::request
