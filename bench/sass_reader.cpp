// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// How fast one core reads listings: bytes of text per second, encodings included.
#include "input/sass/sass_reader.h"

#include <benchmark/benchmark.h>

#include "base/file.h"

namespace {

using forewarp::bench::InputSource;
using forewarp::bench::SassReader;

constexpr std::size_t text_bytes = 8U << 20U;

/// The fixture over and over, each time as another kernel of one file.
std::string long_listing(const std::string& fixture) {
  const auto one = forewarp::bench::read_file(std::string(FOREWARP_SOURCE_DIR) + "/" + fixture);
  std::string text;
  if (!one) return text;
  while (text.size() < text_bytes) text += *one;
  return text;
}

void read_listing(benchmark::State& state, const std::string& fixture) {
  const InputSource source = InputSource::of_text(fixture, long_listing(fixture));
  if (source.bytes().empty()) return state.SkipWithError("the fixture is missing");
  std::size_t instructions = 0;
  for (auto _ : state) {
    SassReader reader(source);
    for (;;) {
      const auto kernel = reader.next();
      if (!kernel) return state.SkipWithError(kernel.error().line().c_str());
      if (!*kernel) break;
      instructions += (*kernel)->instructions.size();
    }
  }
  const auto bytes = static_cast<std::int64_t>(source.bytes().size());
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * bytes);
  state.counters["instructions"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

}  // namespace

BENCHMARK_CAPTURE(read_listing, sm_35, "tests/fixtures/listings/spills.sm_35.sass");
BENCHMARK_CAPTURE(read_listing, sm_52, "tests/fixtures/listings/matmul_registers.sm_52.sass");
BENCHMARK_CAPTURE(read_listing, sm_80, "tests/fixtures/listings/matmul_registers.sm_80.sass");
BENCHMARK_CAPTURE(read_listing, sm_90, "tests/fixtures/listings/matmul_registers.sm_90.sass");

BENCHMARK_MAIN();
