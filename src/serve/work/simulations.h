// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "serve/process/sandbox.h"

namespace forewarp::serve {

/// An application and a system as a request brings them.
struct SimulationRequest {
  std::map<std::string, std::string> files;  ///< plain names: system.toml, application.lua, others
  std::map<std::string, std::string> set;    ///< variables of the application
  /// Values of a variable, or of system.NAME.KEY; one or more: each combination is simulated.
  std::map<std::string, std::string> sweep;
};

/// Runs forewarp-system, or forewarp-study for a sweep, in a folder of its own that holds just
/// these files.
class Simulations {
 public:
  /// `program`: forewarp-system; `suite_program`: forewarp-study.
  Simulations(ChildOptions program, std::string suite_program, View view, Sandbox sandbox,
              bool confine)
      : program_(std::move(program)),
        suite_program_(std::move(suite_program)),
        view_(std::move(view)),
        sandbox_(std::move(sandbox)),
        confine_(confine) {}

  /// The outcome as JSON, "forewarp.simulation/1", with its timeline under "trace"; of a sweep
  /// "forewarp.suite/1", the table's rows under "rows".
  Expected<std::string> run(const SimulationRequest& request,
                            const std::shared_ptr<const std::atomic<bool>>& stop) const;

  /// What is wrong with the files, in one line; empty: nothing. Nothing of them is run.
  Expected<std::string> fault_of(const SimulationRequest& request) const;

 private:
  /// What forewarp-system prints, asked with `words` behind the names of the two files.
  struct Said {
    std::string text, how;
  };
  Expected<Said> ask(const SimulationRequest& request, std::vector<std::string> words,
                     const std::filesystem::path& folder, std::chrono::seconds most,
                     const std::atomic<bool>* stop) const;

  ChildOptions program_;
  std::string suite_program_;
  View view_;
  Sandbox sandbox_;
  bool confine_;
};

/// Refused: names with more than letters, digits, _, - and dots; no system.toml or application.lua.
[[nodiscard]] Expected<void> check_simulation(const SimulationRequest& request);

}  // namespace forewarp::serve
