// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What a prediction costs: on a bound kernel, and with everything but reading the listing.
#include <benchmark/benchmark.h>

#include "binding/bound_kernel.h"
#include "driver/predictor.h"
#include "driver/result_builder.h"
#include "hardware/database.h"

namespace {

using namespace forewarp::bench;

Case bundled_case() {
  Case request;
  request.input = FOREWARP_SOURCE_DIR "/examples/saxpy2.sass";
  request.gpu = "gtx970";
  request.launch.grid = {1562500, 1, 1};
  request.launch.block = {256, 1, 1};
  for (const auto& [name, value] : {std::pair{"n", 400000000}, std::pair{"a", 128}}) {
    NamedArgument argument;
    argument.name = name;
    argument.value.integer = value;
    request.launch.arguments.push_back(argument);
  }
  return request;
}

/// The chosen model's formula on a kernel that is bound already.
void OnePrediction(benchmark::State& state) {
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  const auto evaluation = predictor.evaluate(bundled_case(), "", {});
  if (!evaluation) return state.SkipWithError(evaluation.error().line().c_str());
  const ModelRun& run = (*evaluation)->runs.front();
  for (auto _ : state) {
    const Demand demand = (*evaluation)->bound->kernel->demand();
    benchmark::DoNotOptimize(predict_run(run, model_input(**evaluation, run, demand)));
  }
}
BENCHMARK(OnePrediction);

/// Every model on one bound kernel: its formula alone.
void AllModels(benchmark::State& state) {
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  PredictOptions options;
  options.models = {"all"};
  const auto evaluation = predictor.evaluate(bundled_case(), "", options);
  if (!evaluation) return state.SkipWithError(evaluation.error().line().c_str());
  const Demand demand = (*evaluation)->bound->kernel->demand();
  for (auto _ : state) {
    for (const ModelRun& run : (*evaluation)->runs) {
      benchmark::DoNotOptimize(predict_run(run, model_input(**evaluation, run, demand)));
    }
  }
}
BENCHMARK(AllModels)->Unit(benchmark::kMicrosecond);

/// Launch check, paths, binding and all models: what a new launch of a known kernel costs.
void OneLaunch(benchmark::State& state) {
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  const Case request = bundled_case();
  for (auto _ : state) {
    auto evaluation = predictor.evaluate(request, "", {});
    if (!evaluation) return state.SkipWithError(evaluation.error().line().c_str());
    benchmark::DoNotOptimize(build_result(**evaluation, {}));
  }
}
BENCHMARK(OneLaunch)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
