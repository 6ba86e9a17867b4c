// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
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
#include "program_run/launch_order.h"
#include "program_run/launch_selection.h"
#include "program_run/launch_series.h"
#include "program_run/own_work.h"
#include "program_run/recorder.h"
#include "program_run/repeated_launches.h"
#include "program_run/settings.h"
#include "program_run/status.h"

namespace forewarp::program_run {

/// What became of a launch.
struct LaunchOutcome {
  Status status = Status::success;
  std::string message;  ///< one line; empty: nothing to say
  std::string state = "executed";
  std::uint32_t prediction = 0;  ///< its record
  double device_ms = 0;
  double share = 1;  ///< of the device, 0..1
  std::uint64_t instructions = 0;
};

/// Predicts and executes launches. A kernel is predicted anew where its geometry is new, where an
/// execution took a considerably different number of instructions than any prediction knew (on the
/// memory as that execution left it), and for some of the values of its arguments (see tries());
/// between two predictions, the time follows the number of instructions.
class Launcher {
 public:
  Launcher(driver::Predictor& predictor, DeviceMemory& memory, CodeModules& modules,
           JournalWriter& journal, const Settings& settings)
      : predictor_(&predictor),
        memory_(&memory),
        modules_(&modules),
        journal_(&journal),
        settings_(&settings),
        repeated_(memory),
        work_(settings) {}

  LaunchOutcome launch(const LaunchOrder& order);
  /// The launches that are predicted; all others are executed only and take no time.
  void select(LaunchSelection selection) { selection_ = std::move(selection); }
  /// Whether a call of a library of this name is among them.
  [[nodiscard]] bool selects(const std::string& name) { return selection_.takes(name); }
  /// Whether calls of libraries are still computed; if not, results are from here on not.
  [[nodiscard]] bool begins_library_call();
  void ended_library_call(double operations, double seconds) {
    work_.computed(operations, seconds);
  }
  /// Keeps launches in a folder from now on.
  Expected<void> record_in(const std::string& folder) { return recorder_.open(folder); }
  /// What of the recording could not be written; empty: nothing.
  [[nodiscard]] const std::string& record_failure() const { return recorder_.failure(); }

  /// Textures and surfaces, by the low word of their handles. Counts as a change of them.
  [[nodiscard]] std::unordered_map<std::uint32_t, execution::Texture>& textures() {
    ++texture_changes_;
    return services_->textures;
  }

  /// Who writes what kernels print; `failure`: a failed assertion's line.
  using Printer = std::function<void(const std::string& text, bool failure)>;
  void set_printer(Printer printer) { printer_ = std::move(printer); }

  /// Memory that kernels may allocate; heard until the first kernel that may do so is launched.
  void set_heap_bytes(std::uint64_t bytes) { heap_bytes_ = bytes; }
  [[nodiscard]] std::uint64_t heap_bytes() const { return heap_bytes_; }
  /// The first device's allocations are gone; `all`: every device's, so that launches that were not
  /// computed leave nothing behind.
  void forget_memory(bool all) {
    services_->heap = {};
    sound_ = sound_ || all;
  }

  /// A launch failed because its code could not be had: what it would have written is missing.
  void failed() { lose_results(); }

  /// Whether the results of every launch so far are those of the kernels.
  [[nodiscard]] bool computed() const { return computed_; }
  [[nodiscard]] std::uint64_t executed() const { return work_.instructions(); }
  /// Launches that were not executed because they wrote what an earlier one had written.
  [[nodiscard]] std::uint64_t repeats() const { return repeats_; }
  [[nodiscard]] double execution_s() const { return work_.execution_s(); }
  [[nodiscard]] double prediction_s() const { return work_.prediction_s(); }

 private:
  /// Gives a size that nobody predicted the time of another one where no time is left to predict
  /// it, or where many sizes were predicted and one of them is near.
  void stand_in(const LaunchOrder& order, const SeriesKey& key);
  /// A launch that is not selected.
  LaunchOutcome launch_beside(const LaunchOrder& order);
  [[nodiscard]] bool executes_all() const;
  struct Predicted {
    LaunchPoint point;
    PredictionRecord record;  ///< for the journal
  };
  /// `budget_s`: of counted work. `id`: of the prediction.
  Predicted predict(const LaunchOrder& order, execution::ExecutionInput& input, double budget_s,
                    std::uint32_t id);
  /// What tells launches of a series apart before they are executed.
  struct Values {
    std::uint64_t number = 0;             ///< for the arguments, addresses apart
    std::vector<std::uint64_t> contents;  ///< of what they point at, where nothing is executed
  };
  [[nodiscard]] Values values_of(const LaunchOrder& order, bool whole) const;
  /// Predicts a launch that was executed, as it took a number of instructions that no prediction
  /// knows. False: it could not be predicted.
  bool predict_counted(const LaunchOrder& order, LaunchSeries& series, double count);
  /// Predicts the last launch of the series, which could not be predicted with `budget_s`, with
  /// more, now that it is known to end after `count` warp instructions. It stays without a time if
  /// on the memory that it left it is another launch.
  void predict_longer(const LaunchOrder& order, LaunchSeries& series, double count,
                      double budget_s);
  [[nodiscard]] RepeatedLaunches::Key key_of(const LaunchOrder& order) const;
  /// Does a launch that repeats an earlier one; false: it does not.
  bool repeat(const LaunchOrder& order, LaunchOutcome& outcome);
  void lose_results() { computed_ = sound_ = false; }
  /// `few`: its like had few instructions.
  void execute(const LaunchOrder& order, const execution::ExecutionInput& input, bool few,
               LaunchOutcome& outcome);
  void provide_heap();
  [[nodiscard]] execution::ExecutionInput input_of(const LaunchOrder& order) const;
  /// Says once of each kernel which of its calls of the driver cost nothing here.
  void tell_driver_calls(const Function& function, const Result& result);
  void judge(const LaunchOrder& order, const execution::GridRun& run, LaunchOutcome& outcome);

  driver::Predictor* predictor_;
  DeviceMemory* memory_;
  CodeModules* modules_;
  JournalWriter* journal_;
  const Settings* settings_;
  std::shared_ptr<execution::ProgramServices> services_ =
      std::make_shared<execution::ProgramServices>();
  AllSeries series_;
  RepeatedLaunches repeated_;
  Printer printer_;
  Recorder recorder_;
  LaunchSelection selection_;
  std::uint64_t launches_ = 0;
  std::map<std::uint32_t, std::uint64_t> recorded_;  ///< launch by prediction
  std::uint64_t heap_bytes_ = 8 << 20;               ///< the driver's default
  std::uint32_t records_ = 0;
  std::uint64_t serial_ = 0;
  /// Functions that the journal knows, and whether they may call the driver.
  std::map<std::uint32_t, bool> calls_driver_;
  bool computed_ = true;
  bool sound_ = true;  ///< memory holds what the launches so far wrote
  std::uint64_t repeats_ = 0, texture_changes_ = 0;
  OwnWork work_;
};

}  // namespace forewarp::program_run
