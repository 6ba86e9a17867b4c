// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/expected.h"
#include "driver/predictor.h"
#include "execution/grid/grid_runner.h"
#include "execution/storage/program_services.h"
#include "program_run/code_modules.h"
#include "program_run/journal.h"
#include "program_run/settings.h"
#include "program_run/status.h"

namespace forewarp::program_run {

/// A launch as the program asked for it.
struct LaunchOrder {
  Function* function = nullptr;
  Extent grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t dynamic_shared = 0;
  std::vector<std::uint8_t> parameters;  ///< the whole area
  bool cooperative = false;
};

/// What became of a launch.
struct LaunchOutcome {
  Status status = Status::success;
  std::string message;           ///< one line; empty: nothing to say
  std::string state = "executed";
  std::uint32_t prediction = 0;  ///< its record
  double device_ms = 0;
  double share = 1;              ///< of the device, 0..1
  std::uint64_t instructions = 0;
};

/// Predicts and executes launches. A kernel is predicted anew where its geometry is new, or where
/// its last execution took a considerably different number of instructions than any prediction
/// knew; between two predictions, the time follows the number of instructions.
class Launcher {
 public:
  Launcher(driver::Predictor& predictor, DeviceMemory& memory, CodeModules& modules,
           JournalWriter& journal, const Settings& settings)
      : predictor_(&predictor),
        memory_(&memory),
        modules_(&modules),
        journal_(&journal),
        settings_(&settings) {}

  LaunchOutcome launch(const LaunchOrder& order);

  /// Textures and surfaces, by the low word of their handles.
  [[nodiscard]] std::unordered_map<std::uint32_t, execution::Texture>& textures() {
    return services_->textures;
  }

  /// Whether the results of every launch so far are those of the kernels.
  [[nodiscard]] bool computed() const { return computed_; }
  [[nodiscard]] std::uint64_t executed() const { return executed_; }
  [[nodiscard]] double execution_s() const { return execution_s_; }
  [[nodiscard]] double prediction_s() const { return prediction_s_; }

 private:
  /// A predicted launch: how long it takes with so many instructions.
  struct Point {
    std::uint32_t record = 0;
    double ms = 0, instructions = 0, share = 1;
    std::vector<std::uint8_t> parameters;
  };
  /// Launches of a kernel with one geometry.
  struct Series {
    std::vector<Point> points;
    std::uint64_t launches = 0;
    bool wanted = true;  ///< the next launch is to be predicted
    double last_instructions = 0;
  };
  using SeriesKey = std::array<std::uint64_t, 8>;

  [[nodiscard]] std::optional<Status> refused(const LaunchOrder& order,
                                              std::string& message) const;
  Point predict(const LaunchOrder& order, execution::ExecutionInput& input);
  void execute(const LaunchOrder& order, const execution::ExecutionInput& input,
               LaunchOutcome& outcome);
  [[nodiscard]] execution::ExecutionInput input_of(const LaunchOrder& order) const;
  void judge(const LaunchOrder& order, const execution::GridRun& run, LaunchOutcome& outcome);
  [[nodiscard]] static double time_of(const Series& series, double instructions);

  driver::Predictor* predictor_;
  DeviceMemory* memory_;
  CodeModules* modules_;
  JournalWriter* journal_;
  const Settings* settings_;
  std::shared_ptr<execution::ProgramServices> services_ =
      std::make_shared<execution::ProgramServices>();
  std::map<SeriesKey, Series> series_;
  std::uint32_t records_ = 0;
  std::uint64_t serial_ = 0;
  std::map<const Function*, bool> known_;  ///< kernels that the journal knows
  std::vector<std::string> told_;          ///< messages that were given once
  bool computed_ = true;
  std::uint64_t executed_ = 0;
  double execution_s_ = 0, prediction_s_ = 0;
};

}  // namespace forewarp::program_run
