// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Kernels whose threads work together, against the sequential computation.
#include <algorithm>
#include <array>
#include <numeric>

#include "differential.h"

namespace forewarp::tests {
namespace {

class Parallel : public Differential {};

TEST_P(Parallel, SumInSharedMemory) {
  Numbers numbers(31);
  const auto in = numbers.integers(5000, -1000, 1000);
  std::vector<int> expected(4);
  for (std::size_t i = 0; i < in.size(); ++i) expected[i / 256 % 4] += in[i];
  KernelRun run = kernel("parallel", "sum_shared");
  run.pass_buffer(in).pass_buffer(std::vector<int>(4)).pass(5000);
  if (runs(run, {4, 1, 1}, {256, 1, 1})) expect_equal(expected, run.result<int>(1));
}

TEST_P(Parallel, SumByShuffles) {
  Numbers numbers(32);
  const auto in = numbers.reals<float>(1000, -1, 1);
  std::vector<float> expected;
  for (std::size_t warp = 0; warp < 32; ++warp) {
    std::array<float, 64> x{};
    for (std::size_t k = 0; k < 32; ++k) x[k] = 32 * warp + k < in.size() ? in[32 * warp + k] : 0;
    for (std::size_t offset = 16; offset > 0; offset /= 2) {
      auto next = x;
      for (std::size_t k = 0; k < 32; ++k)
        next[k] = x[k] + (k + offset < 32 ? x[k + offset] : x[k]);
      x = next;
    }
    expected.push_back(x[0]);
  }
  KernelRun run = kernel("parallel", "sum_shuffle");
  run.pass_buffer(in).pass_buffer(std::vector<float>(32)).pass(1000);
  if (runs(run, {4, 1, 1}, {256, 1, 1})) expect_equal(expected, run.result<float>(1));
}

std::vector<int> scanned(const std::vector<int>& in, std::size_t block) {
  std::vector<int> out(in);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += i % block == 0 ? 0 : out[i - 1];
  return out;
}

TEST_P(Parallel, ScanInDynamicSharedMemory) {
  Numbers numbers(33);
  const auto in = numbers.integers(768, -100, 100);
  KernelRun run = kernel("parallel", "scan_shared");
  run.pass_buffer(in).pass_buffer(std::vector<int>(768));
  if (runs(run, {3, 1, 1}, {256, 1, 1}, 2 * 256 * 4))
    expect_equal(scanned(in, 256), run.result<int>(1));
}

TEST_P(Parallel, ScanByShuffles) {
  Numbers numbers(34);
  const auto in = numbers.integers(1024, -100, 100);
  KernelRun run = kernel("parallel", "scan_shuffle");
  run.pass_buffer(in).pass_buffer(std::vector<int>(1024));
  if (runs(run, {2, 1, 1}, {512, 1, 1})) expect_equal(scanned(in, 512), run.result<int>(1));
}

TEST_P(Parallel, Transposes) {
  constexpr int width = 70, height = 45;
  Numbers numbers(35);
  const auto in = numbers.reals<float>(width * height, -1, 1);
  std::vector<float> expected(in.size());
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) expected[x * height + y] = in[y * width + x];
  }
  for (const char* name : {"transpose_plain", "transpose_padded"}) {
    KernelRun run = kernel("parallel", name);
    run.pass_buffer(in).pass_buffer(std::vector<float>(in.size())).pass(width).pass(height);
    if (runs(run, {5, 3, 1}, {16, 16, 1})) expect_equal(expected, run.result<float>(1));
  }
}

TEST_P(Parallel, TiledMatrixProduct) {
  constexpr std::size_t n = 48;
  Numbers numbers(36);
  const auto a = numbers.reals<float>(n * n, -1, 1), b = numbers.reals<float>(n * n, -1, 1);
  std::vector<float> expected(n * n);
  for (std::size_t i = 0; i < n * n; ++i) {
    for (std::size_t k = 0; k < n; ++k)
      expected[i] = std::fma(a[i / n * n + k], b[k * n + i % n], expected[i]);
  }
  KernelRun run = kernel("parallel", "multiply_tiled");
  run.pass_buffer(a).pass_buffer(b).pass_buffer(std::vector<float>(n * n)).pass(int{n});
  if (runs(run, {3, 3, 1}, {16, 16, 1})) expect_equal(expected, run.result<float>(2));
}

TEST_P(Parallel, HistogramWithSharedAtomics) {
  Numbers numbers(37);
  const auto in = numbers.words<std::uint8_t>(6000);
  std::vector<int> expected(256);
  for (const std::uint8_t x : in) ++expected[x];
  KernelRun run = kernel("parallel", "histogram_shared");
  run.pass_buffer(in).pass_buffer(std::vector<int>(256)).pass(6000);
  if (runs(run, {5, 1, 1}, {128, 1, 1})) expect_equal(expected, run.result<int>(1));
}

TEST_P(Parallel, EveryAtomic) {
  Numbers numbers(38);
  const auto in = numbers.integers(700, -5000, 5000);
  std::vector<int> words{0, 0, 1 << 30, -(1 << 30), -1, 0, 0, 0, 0, 0};
  const std::vector<int> before = words;
  std::vector<std::uint64_t> longs(2);
  float sum = 0;
  std::uint32_t up = 0, down = 0, most = 0;
  for (const int x : in) {
    words[0] += x;
    words[1] -= x;
    words[2] = std::min(words[2], x);
    words[3] = std::max(words[3], x);
    words[4] &= x | 0xff;
    words[5] |= x & 0xff00;
    words[6] ^= x;
    up = up >= 100 ? 0 : up + 1;
    down = down == 0 || down > 50 ? 50 : down - 1;
    most = std::max(most, static_cast<std::uint32_t>(x));
    longs[0] += static_cast<std::uint64_t>(std::int64_t{x});
    longs[1] = std::max(longs[1], static_cast<std::uint64_t>(std::int64_t{x}) << 20);
    sum += static_cast<float>(x & 7);
  }
  words[7] = static_cast<int>(up);
  words[8] = static_cast<int>(down);
  words[9] = static_cast<int>(most);
  KernelRun run = kernel("parallel", "all_atomics");
  run.pass_buffer(in).pass_buffer(before).pass_buffer(std::vector<std::uint64_t>(2));
  run.pass_buffer(std::vector<float>(1)).pass(700);
  if (!runs(run, {3, 1, 1}, {256, 1, 1})) return;
  expect_equal(words, run.result<int>(1));
  expect_equal(longs, run.result<std::uint64_t>(2));
  expect_equal({sum}, run.result<float>(3));
}

TEST_P(Parallel, TicketsAreHandedOutOnce) {
  KernelRun run = kernel("parallel", "take_tickets");
  run.pass_buffer(std::vector<int>(1)).pass_buffer(std::vector<int>(500)).pass(500);
  if (!runs(run, {2, 1, 1}, {256, 1, 1})) return;
  auto owners = run.result<int>(1);
  std::sort(owners.begin(), owners.end());
  std::vector<int> expected(500);
  std::iota(expected.begin(), expected.end(), 0);
  expect_equal(expected, owners);
}

TEST_P(Parallel, CompareAndSwapLoop) {
  Numbers numbers(39);
  std::vector<double> in;
  for (const int x : numbers.integers(300, -1000, 1000)) in.push_back(x);
  KernelRun run = kernel("parallel", "add_doubles");
  run.pass_buffer(in).pass_buffer(std::vector<double>{0.5}).pass(300);
  const double expected = std::accumulate(in.begin(), in.end(), 0.5);
  if (runs(run, {2, 1, 1}, {160, 1, 1})) expect_equal({expected}, run.result<double>(1));
}

TEST_P(Parallel, FloatAtomicsInSharedMemory) {
  Numbers numbers(40);
  std::vector<float> in;
  for (const int x : numbers.integers(300, 0, 1000)) in.push_back(static_cast<float>(x));
  std::vector<float> expected(6);
  for (std::size_t i = 0; i < in.size(); ++i) {
    expected[i / 128 * 2] += in[i];
    expected[i / 128 * 2 + 1] = std::max(expected[i / 128 * 2 + 1], in[i]);
  }
  KernelRun run = kernel("parallel", "shared_float_atomics");
  run.pass_buffer(in).pass_buffer(std::vector<float>(6)).pass(300);
  if (runs(run, {3, 1, 1}, {128, 1, 1})) expect_equal(expected, run.result<float>(1));
}

TEST_P(Parallel, LineStencilWithHalo) {
  Numbers numbers(41);
  const auto in = numbers.reals<float>(600, -1, 1);
  std::vector<float> expected;
  for (int i = 0; i < 600; ++i) {
    float sum = 0;
    for (int k = i - 2; k <= i + 2; ++k) {
      sum = std::fma(k >= 0 && k < 600 ? in[static_cast<std::size_t>(k)] : 0.0F, 0.2F, sum);
    }
    expected.push_back(sum);
  }
  KernelRun run = kernel("parallel", "blur_line");
  run.pass_buffer(in).pass_buffer(std::vector<float>(600)).pass(600);
  if (runs(run, {3, 1, 1}, {256, 1, 1})) expect_equal(expected, run.result<float>(1));
}

TEST_P(Parallel, PlaneStencil) {
  constexpr std::size_t width = 50, height = 37;
  Numbers numbers(42);
  const auto in = numbers.reals<float>(width * height, -1, 1);
  std::vector<float> expected(in.size());
  for (std::size_t y = 1; y + 1 < height; ++y) {
    for (std::size_t x = 1; x + 1 < width; ++x) {
      const std::size_t i = y * width + x;
      expected[i] =
          std::fma(0.25F, (in[i - 1] + in[i + 1]) + (in[i - width] + in[i + width]), -in[i]);
    }
  }
  KernelRun run = kernel("parallel", "diffuse");
  run.pass_buffer(in).pass_buffer(std::vector<float>(in.size())).pass(int{width}).pass(int{height});
  if (runs(run, {4, 5, 1}, {16, 8, 1})) expect_equal(expected, run.result<float>(1));
}

TEST_P(Parallel, BitonicSort) {
  Numbers numbers(43);
  const auto in = numbers.words<int>(512);
  std::vector<int> expected(in);
  std::sort(expected.begin(), expected.begin() + 256);
  std::sort(expected.begin() + 256, expected.end());
  KernelRun run = kernel("parallel", "sort_shared");
  run.pass_buffer(in);
  if (runs(run, {2, 1, 1}, {256, 1, 1})) expect_equal(expected, run.result<int>(0));
}

TEST_P(Parallel, SparseRows) {
  Numbers numbers(44);
  std::vector<int> starts{0}, columns;
  for (int row = 0; row < 200; ++row) {
    for (int k = numbers.integer(0, 12); k > 0; --k) columns.push_back(numbers.integer(0, 99));
    starts.push_back(static_cast<int>(columns.size()));
  }
  const auto values = numbers.reals<float>(columns.size(), -1, 1),
             x = numbers.reals<float>(100, -1, 1);
  std::vector<float> expected(200);
  for (std::size_t row = 0; row < 200; ++row) {
    for (auto k = static_cast<std::size_t>(starts[row]);
         k < static_cast<std::size_t>(starts[row + 1]); ++k) {
      expected[row] = std::fma(values[k], x[static_cast<std::size_t>(columns[k])], expected[row]);
    }
  }
  KernelRun run = kernel("parallel", "sparse_rows");
  run.pass_buffer(starts).pass_buffer(columns).pass_buffer(values).pass_buffer(x);
  run.pass_buffer(std::vector<float>(200)).pass(200);
  if (runs(run, {2, 1, 1}, {128, 1, 1})) expect_equal(expected, run.result<float>(4));
}

TEST_P(Parallel, ManyBodies) {
  constexpr std::size_t n = 256;
  Numbers numbers(45);
  const auto bodies = numbers.reals<float>(4 * n, -1, 1);
  std::vector<Approximated> expected;
  for (std::size_t i = 0; i < n; ++i) {
    double f[3] = {}, size[3] = {};
    for (std::size_t k = 0; k < n; ++k) {
      float d[3];
      for (std::size_t c = 0; c < 3; ++c) d[c] = bodies[4 * k + c] - bodies[4 * i + c];
      const float distance =
          std::fma(d[0], d[0], std::fma(d[1], d[1], std::fma(d[2], d[2], 0.01F)));
      const double scale = bodies[4 * k + 3] / (std::sqrt(double{distance}) * distance);
      for (std::size_t c = 0; c < 3; ++c) {
        f[c] += d[c] * scale;
        size[c] += std::fabs(d[c] * scale);
      }
    }
    for (std::size_t c = 0; c < 3; ++c) expected.push_back({f[c], size[c]});
    expected.push_back({bodies[4 * i + 3], 0});
  }
  KernelRun run = kernel("parallel", "attract");
  run.pass_buffer(bodies).pass_buffer(std::vector<float>(4 * n)).pass(int{n});
  if (runs(run, {2, 1, 1}, {128, 1, 1})) expect_close(expected, run.result<float>(1), 4);
}

TEST_P(Parallel, Permutation) {
  constexpr std::size_t width = 40, height = 24;
  Numbers numbers(46);
  const auto in = numbers.integers(width * height, -9999, 9999);
  std::vector<int> order(width);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = width - 1; i > 0; --i) std::swap(order[i], order[numbers.bits() % (i + 1)]);
  std::vector<int> expected(in.size());
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      const auto to = static_cast<std::size_t>(order[x]),
                 from = static_cast<std::size_t>(order[y]) % height;
      expected[y * width + to] = in[from * width + x];
    }
  }
  KernelRun run = kernel("parallel", "permute");
  run.pass_buffer(in)
      .pass_buffer(order)
      .pass_buffer(std::vector<int>(in.size()))
      .pass(int{width})
      .pass(int{height});
  if (runs(run, {3, 6, 1}, {16, 4, 1})) expect_equal(expected, run.result<int>(2));
}

TEST_P(Parallel, VotesAndShuffles) {
  Numbers numbers(47);
  const auto in = numbers.integers(256, -100, 100);
  std::vector<std::uint32_t> expected;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::size_t first = i / 32 * 32;
    std::uint32_t ballot = 0;
    bool any = false, all = true;
    for (std::size_t k = 0; k < 32; ++k) {
      ballot |= std::uint32_t{in[first + k] > 0} << k;
      any = any || in[first + k] > 90;
      all = all && in[first + k] > -100;
    }
    const std::size_t segment = i / 8 * 8;
    expected.insert(expected.end(),
                    {ballot, any ? 1U : 0U, all ? 1U : 0U, static_cast<std::uint32_t>(in[i ^ 5]),
                     static_cast<std::uint32_t>(in[segment + (i % 32 * 3 & 31) % 8])});
  }
  KernelRun run = kernel("parallel", "votes");
  run.pass_buffer(in).pass_buffer(std::vector<std::uint32_t>(5 * in.size()));
  if (runs(run, {2, 1, 1}, {128, 1, 1})) expect_equal(expected, run.result<std::uint32_t>(1), 5);
}

TEST_P(Parallel, BarrierReductions) {
  Numbers numbers(48);
  const auto in = numbers.integers(384, -100, 100);
  std::vector<int> expected;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto first = in.begin() + static_cast<std::ptrdiff_t>(i / 96 * 96);
    const auto count = std::count_if(first, first + 96, [](int x) { return x > 0; });
    const bool all = std::all_of(first, first + 96, [](int x) { return x > -100; });
    const bool any = std::any_of(first, first + 96, [](int x) { return x > 98; });
    expected.push_back(static_cast<int>(count) * 4 + (all ? 2 : 0) + (any ? 1 : 0));
  }
  KernelRun run = kernel("parallel", "count_block");
  run.pass_buffer(in).pass_buffer(std::vector<int>(in.size()));
  if (runs(run, {4, 1, 1}, {96, 1, 1})) expect_equal(expected, run.result<int>(1));
}

TEST_P(Parallel, BlocksThatEndInsideAWarp) {
  Numbers numbers(49);
  const auto in = numbers.integers(100, 0, 50);
  std::vector<int> expected(3);
  for (std::size_t i = 0; i < 3 * 77; ++i) {
    if (i % 77 % 3 == 1) expected[i / 77] += in[i % 100];
  }
  KernelRun run = kernel("parallel", "partial_warps");
  run.pass_buffer(in).pass_buffer(std::vector<int>(3)).pass(100);
  if (runs(run, {3, 1, 1}, {77, 1, 1})) expect_equal(expected, run.result<int>(1));
}

TEST_P(Parallel, GenericPointers) {
  Numbers numbers(50);
  const auto in = numbers.reals<float>(64, -1, 1);
  std::vector<float> expected(128);
  for (std::size_t t = 0; t < 64; ++t) {
    expected[t] = in[63 - t] * 2 + in[(t + (t & 7)) & 63];
    expected[64 + t] = in[t];
  }
  KernelRun run = kernel("parallel", "generic_pointers");
  run.pass_buffer(in).pass_buffer(std::vector<float>(128)).pass(64);
  if (runs(run, {1, 1, 1}, {64, 1, 1})) expect_equal(expected, run.result<float>(1));
}

TEST_P(Parallel, Matches) {
  if (GetParam() < 70) GTEST_SKIP() << "not on this architecture (the instruction came with sm_70)";
  Numbers numbers(51);
  const auto in = numbers.integers(128, 0, 99);
  std::vector<std::uint32_t> expected;
  for (std::size_t i = 0; i < in.size(); ++i) {
    std::uint32_t same = 0;
    for (std::size_t k = 0; k < 32; ++k)
      same |= std::uint32_t{(in[i / 32 * 32 + k] & 7) == (in[i] & 7)} << k;
    expected.push_back(same);
    const bool all = i / 64 % 2 == 0 || same == 0xffffffffU;
    expected.push_back(all ? 0xffffffffU + 1 : 0);
  }
  KernelRun run = kernel("parallel", "matches");
  run.pass_buffer(in).pass_buffer(std::vector<std::uint32_t>(256));
  if (runs(run, {1, 1, 1}, {128, 1, 1})) expect_equal(expected, run.result<std::uint32_t>(1), 2);
}

TEST_P(Parallel, SpinLock) {
  if (GetParam() < 70)
    GTEST_SKIP()
        << "not on this architecture (lanes of a warp cannot wait for each other before sm_70)";
  KernelRun run = kernel("parallel", "spin_lock");
  run.pass_buffer(std::vector<int>(1)).pass_buffer(std::vector<int>{5}).pass(100);
  if (runs(run, {2, 1, 1}, {64, 1, 1})) expect_equal({5 + 3 * 100}, run.result<int>(1));
}

TEST_P(Parallel, WarpReductions) {
  if (GetParam() < 80) GTEST_SKIP() << "not on this architecture (the instruction came with sm_80)";
  Numbers numbers(52);
  const auto in = numbers.words<int>(64);
  std::vector<int> expected;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::size_t first = i / 32 * 32;
    std::uint32_t sum = 0, all = 0xffffffffU, odd = 0;
    int least = in[first], most = in[first];
    for (std::size_t k = first; k < first + 32; ++k) {
      const auto x = static_cast<std::uint32_t>(in[k]);
      sum += x;
      all &= x;
      odd ^= x;
      least = std::min(least, in[k]);
      most = std::max(most, in[k]);
    }
    for (const int v :
         {static_cast<int>(sum), least, most, static_cast<int>(all), static_cast<int>(odd)})
      expected.push_back(v);
  }
  KernelRun run = kernel("parallel", "warp_reductions");
  run.pass_buffer(in).pass_buffer(std::vector<int>(5 * 64));
  if (runs(run, {2, 1, 1}, {32, 1, 1})) expect_equal(expected, run.result<int>(1), 5);
}

INSTANTIATE_TEST_SUITE_P(Families, Parallel, ::testing::ValuesIn(fixture_architectures()),
                         architecture_name);

class Grid : public Differential {};

TEST_P(Grid, BlocksMeetAtTheGridsBarrier) {
  constexpr std::size_t n = 300;
  Numbers numbers(53);
  const auto in = numbers.integers(n, 0, 1000);
  std::vector<int> expected(in), second(n);
  for (int round = 0; round < 5; ++round) {
    for (std::size_t i = 0; i < n; ++i) second[(i + 97) % n] = expected[i] + 1;
    expected = second;
  }
  KernelRun run = kernel("grid", "rotate_grid");
  run.pass_buffer(in).pass_buffer(std::vector<int>(n)).pass(int{n}).pass(5);
  if (runs(run, {5, 1, 1}, {64, 1, 1})) expect_equal(expected, run.result<int>(0));
}

TEST_P(Grid, TheLastBlockSumsUp) {
  Numbers numbers(54);
  const auto in = numbers.integers(640, -10, 10);
  const auto positive =
      static_cast<int>(std::count_if(in.begin(), in.end(), [](int x) { return x > 0; }));
  KernelRun run = kernel("grid", "last_block");
  run.pass_buffer(in)
      .pass_buffer(std::vector<int>(10))
      .pass_buffer(std::vector<int>(1))
      .pass_buffer(std::vector<int>(1));
  if (runs(run, {10, 1, 1}, {64, 1, 1})) expect_equal({positive}, run.result<int>(2));
}

INSTANTIATE_TEST_SUITE_P(Families, Grid, ::testing::Values(61U, 70U, 75U, 80U, 86U, 90U),
                         architecture_name);

}  // namespace
}  // namespace forewarp::tests
