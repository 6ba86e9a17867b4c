// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// How many warp instructions per second the executor runs on one core: bare, with the profile of
// paths, and with the record of accesses too.
#include <cstring>

#include <benchmark/benchmark.h>

#include "execution/access/access_run.h"
#include "execution/grid/needed_values.h"
#include "execution/lowering/kernel_lowering.h"
#include "input/kernel_choice.h"

namespace {

using namespace forewarp::bench;

enum Watching : std::int64_t { bare, paths, accesses };

struct NothingSink : NoSink {
  [[nodiscard]] NothingSink empty() const { return {}; }
  void merge(const NothingSink&) {}
};

Kernel listing(const std::string& name) {
  auto source =
      InputSource::open(std::string(FOREWARP_SOURCE_DIR) + "/tests/fixtures/listings/" + name);
  return *read_kernel(*source);
}

void add_buffer(ExecutionInput& input, std::uint64_t bytes, BufferContent::Kind kind) {
  ExecutionBuffer buffer;
  buffer.address = 0x7f0000000000U + (std::uint64_t{input.buffers.size()} << 32);
  buffer.bytes = bytes;
  buffer.content.kind = kind;
  const std::size_t at = (input.parameters.size() + 7) / 8 * 8;
  input.parameters.resize(at + 8);
  std::memcpy(input.parameters.data() + at, &buffer.address, 8);
  input.buffers.push_back(buffer);
}

void add_number(ExecutionInput& input, int value) {
  const std::size_t at = input.parameters.size();
  input.parameters.resize(at + 4);
  std::memcpy(input.parameters.data() + at, &value, 4);
}

Expected<std::uint64_t> execute(const Program& program, const ExecutionInput& input,
                                std::int64_t watching) {
  const SamplePlan plan = plan_all(input.grid);
  if (watching == bare) {
    NothingSink sink;
    const auto outcome = run_grid(program, input, plan.blocks(), {}, sink);
    if (!outcome) return outcome.error();
    return outcome->instructions;
  }
  if (watching == paths) {
    const auto profile = profile_plan(program, input, plan, {});
    if (!profile) return profile.error();
    return profile->executed_instructions;
  }
  AccessSink sink(program, input.grid, plan.size());
  const auto profile = profile_plan_with(program, input, plan, {}, sink);
  if (!profile) return profile.error();
  return profile->executed_instructions;
}

/// Figures count processor time: others may use the machine too.
void run(benchmark::State& state, const Kernel& kernel, const ExecutionInput& input) {
  auto program = lower_kernel(kernel);
  if (state.range(2) == 0) leave_out_values(*program);
  std::uint64_t executed = 0;
  for (auto _ : state) {
    const auto instructions = execute(*program, input, state.range(1));
    if (!instructions) return state.SkipWithError(instructions.error().line().c_str());
    executed += *instructions;
  }
  state.counters["warp instructions"] =
      benchmark::Counter(static_cast<double>(executed), benchmark::Counter::kIsRate);
}

/// Integer counting and float additions in a loop.
void loop(benchmark::State& state) {
  const Kernel kernel = listing("saxpy2.sm_" + std::to_string(state.range(0)) + ".sass");
  ExecutionInput input;
  input.grid = {16, 1, 1};
  input.block = {256, 1, 1};
  add_number(input, 4096);
  add_number(input, 1000);
  add_buffer(input, 16384, BufferContent::Kind::ones);
  add_buffer(input, 16384, BufferContent::Kind::ones);
  run(state, kernel, input);
}

/// Shared memory, barriers and fused multiply-adds; with data or without.
void matmul(benchmark::State& state) {
  const Kernel kernel = listing("matmul_tiled.sm_" + std::to_string(state.range(0)) + ".sass");
  ExecutionInput input;
  input.static_shared = kernel.resources.static_shared.value_or(0);
  input.grid = {8, 8, 1};
  input.block = {16, 16, 1};
  const auto kind = state.range(3) != 0 ? BufferContent::Kind::ones : BufferContent::Kind::unknown;
  for (int i = 0; i < 3; ++i) add_buffer(input, 128 * 128 * 4, kind);
  add_number(input, 128);
  run(state, kernel, input);
}

}  // namespace

// `values`: all are computed, as where a program runs; else those that predictions need.
BENCHMARK(loop)
    ->ArgNames({"sm", "watching", "values"})
    ->ArgsProduct({{52, 80}, {bare, paths, accesses}, {0, 1}});
BENCHMARK(matmul)
    ->ArgNames({"sm", "watching", "values", "known"})
    ->ArgsProduct({{52, 80}, {bare, paths, accesses}, {0, 1}, {0, 1}});

BENCHMARK_MAIN();
