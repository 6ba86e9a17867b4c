// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/database.h"
#include "serve/api/router.h"
#include "serve/jobs/job_board.h"
#include "serve/work/input_store.h"
#include "serve/work/simulations.h"
#include "serve/work/worker_pool.h"

namespace forewarp::serve {

/// An example that a page offers, with a launch to begin with.
struct Example {
  std::string name, title, bytes;
  std::string kind;    ///< kernel, or system: a file of a simulation
  std::string launch;  ///< {"gpu": .., "case": ..} as JSON
};

/// What the API answers from.
struct ApiParts {
  HardwareDatabase database;
  WorkerPool& pool;
  InputStore& inputs;
  JobBoard& jobs;
  Simulations& simulations;
  std::string store;  ///< file
  std::vector<Example> examples;
  std::function<std::string(const Gpu&)> gpu_json;
  std::string_view openapi;
  std::string version, why_not_compile, why_not_simulate;
};

/// The routes under /api/v1; docs/serve.md and the OpenAPI file say what each takes and gives.
void add_hardware_routes(Router& router, const ApiParts& parts);
void add_input_routes(Router& router, const ApiParts& parts);
void add_job_routes(Router& router, const ApiParts& parts);
void add_result_routes(Router& router, const ApiParts& parts);
inline void add_api(Router& router, const ApiParts& parts) {
  add_hardware_routes(router, parts);
  add_input_routes(router, parts);
  add_job_routes(router, parts);
  add_result_routes(router, parts);
}

}  // namespace forewarp::serve
