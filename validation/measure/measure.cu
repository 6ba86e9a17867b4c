// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Runs the kernels of validation/kernels and some of tests/fixtures/kernels on the GPU at hand and
// prints a CSV table for validation/sets/measured.toml: every kernel in three sizes with up to four
// block sizes, the median of repetitions between two events each, with the clock and the power of
// the board while they ran (NVML where it is there, else the clock that the driver states).
// Buffers hold zeros. Stops after ten minutes; a size that does not fit the memory is left out.
//
//   nvcc -O3 -std=c++17 -arch=native -o measure validation/measure/measure.cu -ldl
//   ./measure [SECONDS] > measured.csv
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <cuda_runtime.h>
#include <dlfcn.h>

namespace house {
#include "../kernels/elementwise.cu"
#undef QUAD
#include "../kernels/streams.cu"
#undef STREAM
#undef ELEMENT
#include "../kernels/fma_chains.cu"
#undef CHAIN
#undef ELEMENTS
#include "../kernels/saxpy3.cu"
#undef SAXPY3
}  // namespace house

namespace fixture {
#include "../../tests/fixtures/kernels/accurate_functions.cu"
#include "../../tests/fixtures/kernels/atomics_histogram.cu"
#include "../../tests/fixtures/kernels/copy.cu"
#include "../../tests/fixtures/kernels/copy_wide.cu"
#include "../../tests/fixtures/kernels/doubles.cu"
#include "../../tests/fixtures/kernels/dynamic_shared.cu"
#include "../../tests/fixtures/kernels/fma_chain.cu"
#include "../../tests/fixtures/kernels/integers.cu"
#include "../../tests/fixtures/kernels/matmul_naive.cu"
#include "../../tests/fixtures/kernels/matmul_registers.cu"
#include "../../tests/fixtures/kernels/matmul_tiled.cu"
#include "../../tests/fixtures/kernels/reduction.cu"
#include "../../tests/fixtures/kernels/saxpy.cu"
#include "../../tests/fixtures/kernels/saxpy2.cu"
#include "../../tests/fixtures/kernels/scale.cu"
#include "../../tests/fixtures/kernels/special_functions.cu"
#include "../../tests/fixtures/kernels/stencil.cu"
#include "../../tests/fixtures/kernels/transpose.cu"
#include "../../tests/fixtures/kernels/transpose_conflicts.cu"
#include "../../tests/fixtures/kernels/transpose_plain.cu"
#include "../../tests/fixtures/kernels/triad.cu"
#include "../../tests/fixtures/kernels/triad_double.cu"
#include "../../tests/fixtures/kernels/vadd.cu"
}  // namespace fixture

namespace {

void check(cudaError_t code, const char *what) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "measure: %s: %s\n", what, cudaGetErrorString(code));
  std::exit(1);
}

/// Clock and power of the board through NVML, which is opened while the program runs so that it
/// is not needed.
class Board {
 public:
  explicit Board(int device) {
    int kilohertz = 0;
    check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device), "the clock");
    stated_mhz_ = kilohertz / 1000.0;
    char bus[32] = {};
    check(cudaDeviceGetPCIBusId(bus, sizeof bus, device), "the PCI address");
    library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (library_ == nullptr) return;
    auto *init = function<int()>("nvmlInit_v2");
    auto *find = function<int(const char *, void **)>("nvmlDeviceGetHandleByPciBusId_v2");
    clock_ = function<int(void *, int, unsigned *)>("nvmlDeviceGetClockInfo");
    power_ = function<int(void *, unsigned *)>("nvmlDeviceGetPowerUsage");
    const bool there = init != nullptr && find != nullptr && clock_ != nullptr && init() == 0;
    if (!there || find(bus, &handle_) != 0) handle_ = nullptr;
  }

  double clock_mhz() const {
    constexpr int of_the_sms = 1;
    unsigned mhz = 0;
    if (handle_ == nullptr || clock_(handle_, of_the_sms, &mhz) != 0 || mhz == 0) {
      return stated_mhz_;
    }
    return mhz;
  }

  /// Negative: not known.
  double power_w() const {
    unsigned milliwatts = 0;
    if (handle_ == nullptr || power_ == nullptr || power_(handle_, &milliwatts) != 0) return -1;
    return milliwatts / 1000.0;
  }

  const char *clock_source() const { return handle_ == nullptr ? "driver" : "nvml"; }

 private:
  template <typename F>
  F *function(const char *name) const {
    return reinterpret_cast<F *>(dlsym(library_, name));
  }

  double stated_mhz_ = 0;
  void *library_ = nullptr, *handle_ = nullptr;
  int (*clock_)(void *, int, unsigned *) = nullptr;
  int (*power_)(void *, unsigned *) = nullptr;
};

/// Zeros: kernels write the first buffer and only read the others.
struct Buffers {
  size_t bytes = 0;
  void *at[4] = {};

  explicit Buffers(size_t wanted) {
    size_t free_bytes = 0, all_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &all_bytes), "the memory");
    bytes = std::min(wanted, free_bytes / 5 / 4096 * 4096);
    for (void *&buffer : at) {
      check(cudaMalloc(&buffer, bytes), "a buffer");
      check(cudaMemset(buffer, 0, bytes), "a buffer");
    }
  }
  template <typename T>
  T *get(int index) const {
    return static_cast<T *>(at[index]);
  }
};

/// One row of the table.
struct Run {
  std::string kernel;
  long n = 0;
  dim3 grid, block;
  size_t shared = 0, buffer_bytes = 0;
  std::function<void()> launch;
};

struct Measured {
  double median_ms = 0, spread = 0, clock_mhz = 0, power_w = 0;
  int repetitions = 0;
};

double milliseconds(cudaEvent_t from, cudaEvent_t to) {
  float time = 0;
  check(cudaEventElapsedTime(&time, from, to), "a time");
  return time;
}

/// All repetitions are queued at once and the board is asked while they run.
Measured measure(const Run &run, const Board &board) {
  constexpr int most = 30, least = 5;
  constexpr double wanted_ms = 300;
  static std::vector<cudaEvent_t> events;
  while (events.size() < 2 * most) {
    check(cudaEventCreate(&events.emplace_back()), "an event");
  }
  check(cudaEventRecord(events[0]), "an event");
  run.launch();
  check(cudaEventRecord(events[1]), "an event");
  check(cudaGetLastError(), run.kernel.c_str());
  check(cudaEventSynchronize(events[1]), run.kernel.c_str());
  const double first = std::max(milliseconds(events[0], events[1]), 1e-3);
  Measured measured;
  measured.repetitions = std::min(most, std::max(least, static_cast<int>(wanted_ms / first)));
  for (int i = 0; i < measured.repetitions; ++i) {
    check(cudaEventRecord(events[2 * i]), "an event");
    run.launch();
    check(cudaEventRecord(events[2 * i + 1]), "an event");
  }
  measured.clock_mhz = board.clock_mhz();
  measured.power_w = board.power_w();
  check(cudaDeviceSynchronize(), run.kernel.c_str());
  std::vector<double> times;
  double sum = 0, squares = 0;
  for (int i = 0; i < measured.repetitions; ++i) {
    times.push_back(milliseconds(events[2 * i], events[2 * i + 1]));
    sum += times.back();
  }
  const double mean = sum / measured.repetitions;
  for (double time : times) squares += (time - mean) * (time - mean);
  std::sort(times.begin(), times.end());
  const size_t half = times.size() / 2;
  measured.median_ms = times.size() % 2 == 1 ? times[half] : (times[half - 1] + times[half]) / 2;
  measured.spread = std::sqrt(squares / (measured.repetitions - 1)) / mean;
  return measured;
}

constexpr long small = 1 << 18, medium = 1 << 22, large = 1 << 26;

unsigned groups(long n, long of) {
  return static_cast<unsigned>((n + of - 1) / of);
}

class Runs {
 public:
  explicit Runs(const Buffers &buffers) : b_(buffers) {
    for (long n : {small, medium, large}) {
      for (unsigned block : {64U, 128U, 256U, 512U}) one_dimension(static_cast<int>(n), block);
    }
    for (unsigned grid : {32U, 64U, 128U}) fixed_block(grid);
    for (int width : {512, 2048, 8192}) planes(width);
    for (int width : {256, 1024, 2048}) matrices(width);
  }

  const std::vector<Run> &all() const { return runs_; }

 private:
  void add(const char *kernel, long n, dim3 grid, dim3 block, size_t buffer_bytes,
           std::function<void()> launch, size_t shared = 0) {
    if (buffer_bytes > b_.bytes) return;
    runs_.push_back({kernel, n, grid, block, shared, buffer_bytes, std::move(launch)});
  }

  /// f: buffers of floats, d: of doubles, four at once as v.
  void one_dimension(int n, unsigned block) {
    streams(n, block);
    float *f0 = b_.get<float>(0), *f1 = b_.get<float>(1), *f2 = b_.get<float>(2);
    float4 *v0 = b_.get<float4>(0), *v1 = b_.get<float4>(1), *v2 = b_.get<float4>(2);
    double *d0 = b_.get<double>(0), *d1 = b_.get<double>(1), *d2 = b_.get<double>(2);
    const unsigned grid = groups(n, block), quads = groups(n / 4, block);
    const size_t floats = 4UL * n, doubles = 8UL * n;
    const auto each = [&](const char *name, size_t bytes, std::function<void()> launch) {
      add(name, n, grid, block, bytes, std::move(launch));
    };
    each("copy", floats, [=] { fixture::copy<<<grid, block>>>(f1, f0, n); });
    each("vadd", floats, [=] { fixture::vadd<<<grid, block>>>(f1, f2, f0); });
    each("scale", floats, [=] { fixture::scale<<<grid, block>>>(f1, f0, 2.0f, n); });
    each("saxpy", floats, [=] { fixture::saxpy<<<grid, block>>>(n, 2.0f, f1, f0); });
    each("saxpy2", floats, [=] { fixture::saxpy2<<<grid, block>>>(n, 64, f1, f0); });
    each("special_functions", floats,
         [=] { fixture::special_functions<<<grid, block>>>(f1, f0, n); });
    each("accurate_functions", floats,
         [=] { fixture::accurate_functions<<<grid, block>>>(f1, f0, n); });
    each("fma_chain", floats, [=] { fixture::fma_chain<<<grid, block>>>(f0, 1.5f, 0.5f, 16); });
    each("doubles", doubles, [=] { fixture::doubles<<<grid, block>>>(d1, d0, 0.5, n); });
    each("integers", doubles, [=] {
      fixture::integers<<<grid, block>>>(reinterpret_cast<unsigned long long *>(d1),
                                         reinterpret_cast<unsigned long long *>(d0), 7U, 5, n);
    });
    each("triad", floats, [=] { fixture::triad<<<grid, block>>>(f0, f1, f2, 2.0f, n); });
    each("triad_double", doubles,
         [=] { fixture::triad_double<<<grid, block>>>(d0, d1, d2, 2.0, n); });
    each("saxpy3_8", floats, [=] { house::saxpy3_8<<<grid, block>>>(n, 32, f0, 0); });
    const size_t scan = 8UL * block;
    add("dynamic_shared", n, grid, block, floats,
        [=] { fixture::dynamic_shared<<<grid, block, scan>>>(f1, f0, n); }, scan);
    add("copy_wide", n, quads, block, floats,
        [=] { fixture::copy_wide<<<quads, block>>>(v1, v0, n / 4); });
    add("elementwise_one", n, quads, block, floats,
        [=] { house::elementwise_one<<<quads, block>>>(v1, v2, v0, n / 4); });
    add("elementwise_two", n, quads, block, floats,
        [=] { house::elementwise_two<<<quads, block>>>(v1, v2, v0, n / 4); });
    const unsigned few = std::min(grid, 1024U);  // these walk in strides of the grid
    add("reduction", n, few, block, floats,
        [=] { fixture::reduction<<<few, block>>>(f1, f0, n); });
    add("atomics_histogram", n, few, block, n, [=] {
      fixture::atomics_histogram<<<few, block>>>(reinterpret_cast<unsigned char *>(f1),
                                                 reinterpret_cast<unsigned *>(f0), n);
    });
  }

  void streams(int n, unsigned block) {
    double *a = b_.get<double>(0), *b = b_.get<double>(1), *c = b_.get<double>(2),
           *d = b_.get<double>(3);
    const unsigned grid = groups(n, block);
    const auto each = [&](const char *name, auto kernel) {
      add(name, n, grid, block, 8UL * n, [=] { kernel<<<grid, block>>>(a, b, c, d, n); });
    };
    each("stream_init", house::stream_init);
    each("stream_read", house::stream_read);
    each("stream_scale", house::stream_scale);
    each("stream_triad", house::stream_triad);
    each("stream_triad2", house::stream_triad2);
    each("stream_3pt", house::stream_3pt);
    each("stream_5pt", house::stream_5pt);
  }

  /// 4000 values of each array per thread, 256 threads; the size is the number of blocks.
  void fixed_block(unsigned grid) {
    const size_t bytes = 4UL * 256 * 4000 * grid;
    const float *a = b_.get<float>(1), *b = b_.get<float>(2);
    float *out = b_.get<float>(0);
    const auto each = [&](const char *name, auto kernel) {
      add(name, grid, grid, 256, bytes, [=] { kernel<<<grid, 256>>>(a, b, out); });
    };
    each("fma_chains_0", house::fma_chains_0);
    each("fma_chains_8", house::fma_chains_8);
    each("fma_chains_64", house::fma_chains_64);
    each("fma_chains_512", house::fma_chains_512);
  }

  void planes(int width) {
    const size_t bytes = 4UL * width * width;
    const float *from = b_.get<float>(1);
    float *to = b_.get<float>(0);
    for (dim3 block : {dim3(16, 16), dim3(32, 4), dim3(32, 8), dim3(64, 8)}) {
      const dim3 grid(groups(width, block.x), groups(width, block.y));
      add("stencil", width, grid, block, bytes,
          [=] { fixture::stencil<<<grid, block>>>(from, to, width, width, 0.5f, 0.125f); });
      add("transpose_plain", width, grid, block, bytes,
          [=] { fixture::transpose_plain<<<grid, block>>>(from, to, width, width); });
    }
    const dim3 block(32, 8), grid(width / 32, width / 32);
    add("transpose", width, grid, block, bytes,
        [=] { fixture::transpose<<<grid, block>>>(from, to, width, width); });
    add("transpose_conflicts", width, grid, block, bytes,
        [=] { fixture::transpose_conflicts<<<grid, block>>>(from, to, width, width); });
  }

  void matrices(int width) {
    const size_t bytes = 4UL * width * width;
    const float *a = b_.get<float>(1), *b = b_.get<float>(2);
    float *c = b_.get<float>(0);
    for (dim3 block : {dim3(16, 16), dim3(32, 4), dim3(32, 8), dim3(64, 8)}) {
      const dim3 grid(groups(width, block.x), groups(width, block.y));
      add("matmul_naive", width, grid, block, bytes,
          [=] { fixture::matmul_naive<<<grid, block>>>(a, b, c, width); });
    }
    const dim3 tiles(width / 16, width / 16), parts(width / 64, width / 64);
    add("matmul_tiled", width, tiles, dim3(16, 16), bytes,
        [=] { fixture::matmul_tiled<<<tiles, dim3(16, 16)>>>(a, b, c, width); });
    add("matmul_registers", width, parts, 256, bytes,
        [=] { fixture::matmul_registers<<<parts, 256>>>(a, b, c, width); });
  }

  const Buffers &b_;
  std::vector<Run> runs_;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int count, char **words) {
  const double limit = count > 1 ? std::atof(words[1]) : 600;
  const auto start = std::chrono::steady_clock::now();
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0), "no GPU");
  const Board board(0);
  const Buffers buffers(8UL * large);
  const Runs runs(buffers);
  std::printf(
      "gpu,cc,kernel,n,block_x,block_y,grid_x,grid_y,dynamic_shared,measured_ms,spread,repetitions,"
      "clock_mhz,clock_source,power_w\n");
  size_t done = 0;
  for (const Run &run : runs.all()) {
    if (seconds_since(start) > limit) break;
    const Measured m = measure(run, board);
    std::printf("%s,%d.%d,%s,%ld,%u,%u,%u,%u,%zu,%.6g,%.4g,%d,%.0f,%s,", device.name, device.major,
                device.minor, run.kernel.c_str(), run.n, run.block.x, run.block.y, run.grid.x,
                run.grid.y, run.shared, m.median_ms, m.spread, m.repetitions, m.clock_mhz,
                board.clock_source());
    if (m.power_w >= 0) std::printf("%.1f", m.power_w);
    std::printf("\n");
    std::fflush(stdout);
    ++done;
  }
  std::fprintf(stderr, "measure: %zu of %zu rows in %.0f s\n", done, runs.all().size(),
               seconds_since(start));
  return 0;
}
