// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/expected.h"
#include "serve/process/sandbox.h"

namespace forewarp::serve {

/// An application and a system as a request brings them.
struct SimulationRequest {
  std::map<std::string, std::string> files;  ///< plain names: system.toml, application.lua, others
  std::map<std::string, std::string> set;    ///< variables of the application
};

/// Runs forewarp-system in a folder of its own that holds just these files.
class Simulations {
 public:
  Simulations(ChildOrder program, View view, Sandbox sandbox, bool confine)
      : program_(std::move(program)),
        view_(std::move(view)),
        sandbox_(std::move(sandbox)),
        confine_(confine) {}

  /// The outcome as JSON, "forewarp.simulation/1", with its timeline under "trace".
  Expected<std::string> run(const SimulationRequest& request,
                            const std::shared_ptr<const std::atomic<bool>>& stop) const;

 private:
  ChildOrder program_;
  View view_;
  Sandbox sandbox_;
  bool confine_;
};

/// Refused: names with more than letters, digits, _, - and dots; no system.toml or application.lua.
[[nodiscard]] Expected<void> check_simulation(const SimulationRequest& request);

}  // namespace forewarp::serve
