// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// How many warp instructions per second the executor runs on one core.
#include <cstring>
#include <numeric>

#include <benchmark/benchmark.h>

#include "execution/grid_runner.h"
#include "input/kernel_choice.h"

namespace {

using namespace forewarp;

struct CountSink : NoSink {
  std::uint64_t total = 0;
  [[nodiscard]] CountSink empty() const { return {}; }
  void merge(const CountSink& other) { total += other.total; }
  void executed(const Warp&, std::uint32_t, LaneMask, LaneMask) { ++total; }
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

void run(benchmark::State& state, const Kernel& kernel, const ExecutionInput& input) {
  const auto program = lower_kernel(kernel);
  std::vector<std::uint64_t> blocks(input.blocks());
  std::iota(blocks.begin(), blocks.end(), std::uint64_t{0});
  std::uint64_t executed = 0;
  for (auto _ : state) {
    CountSink sink;
    const auto outcome = run_grid(*program, input, blocks, {}, sink);
    if (!outcome) return state.SkipWithError(outcome.error().line().c_str());
    executed += sink.total;
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

void matmul(benchmark::State& state) {
  const Kernel kernel = listing("matmul_tiled.sm_" + std::to_string(state.range(0)) + ".sass");
  ExecutionInput input;
  input.static_shared = kernel.resources.static_shared.value_or(0);
  input.grid = {8, 8, 1};
  input.block = {16, 16, 1};
  const auto kind = state.range(1) != 0 ? BufferContent::Kind::ones : BufferContent::Kind::unknown;
  for (int i = 0; i < 3; ++i) add_buffer(input, 128 * 128 * 4, kind);
  add_number(input, 128);
  run(state, kernel, input);
}

}  // namespace

BENCHMARK(loop)->Arg(52)->Arg(80);
BENCHMARK(matmul)->ArgsProduct({{52, 80}, {0, 1}});

BENCHMARK_MAIN();
