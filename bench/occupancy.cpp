// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/occupancy.h"

#include <benchmark/benchmark.h>

#include "hardware/database.h"

namespace {

void one_occupancy(benchmark::State& state) {
  const auto limits = forewarp::bench::HardwareDatabase(FOREWARP_DATA_DIR).limits({8, 0});
  if (!limits) {
    state.SkipWithError(limits.error().line().c_str());
    return;
  }
  forewarp::bench::BlockNeeds needs{.threads = 256, .dynamic_shared = 10000};
  for (auto _ : state) {
    needs.registers = (needs.registers + 1) % 128;
    benchmark::DoNotOptimize(forewarp::bench::occupancy(*limits, needs));
  }
}
BENCHMARK(one_occupancy);

}  // namespace

BENCHMARK_MAIN();
