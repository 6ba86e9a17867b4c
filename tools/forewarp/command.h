// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/expected.h"

namespace CLI {
class App;
}

namespace forewarp::cli {

/// A command declares its options on its subcommand and returns what to run once they are parsed.
/// The action returns the exit code (0 done, 1 could not) or the diagnostic that stopped it.
using Action = std::function<Expected<int>()>;

Action add_predict(CLI::App& app);
Action add_explain(CLI::App& app);
Action add_profile(CLI::App& app);
Action add_trace(CLI::App& app);
Action add_analyze(CLI::App& app);
Action add_occupancy(CLI::App& app);
Action add_gpu(CLI::App& app);
Action add_link(CLI::App& app);
Action add_model(CLI::App& app);
Action add_validate(CLI::App& app);
Action add_evaluate(CLI::App& app);
Action add_compare(CLI::App& app);
Action add_calibrate(CLI::App& app);
Action add_runs(CLI::App& app);

}  // namespace forewarp::cli
