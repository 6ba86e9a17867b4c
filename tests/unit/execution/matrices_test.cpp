// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Products of matrix units: D = A B + C over integers that every format holds exactly. Which lane
// holds which element is the compiler's choice in the listings, not this test's.
#include <cstdint>

#include "differential.h"
#include "execution/state/half_number.h"

namespace forewarp::tests {
namespace {

struct Shape {
  std::size_t m, n, k;
};

/// Row-major A, column-major B, row-major C.
std::vector<int> product(Shape s, const std::vector<int>& a, const std::vector<int>& b,
                         const std::vector<int>& c) {
  std::vector<int> d = c;
  for (std::size_t row = 0; row < s.m; ++row) {
    for (std::size_t column = 0; column < s.n; ++column) {
      for (std::size_t i = 0; i < s.k; ++i)
        d[row * s.n + column] += a[row * s.k + i] * b[column * s.k + i];
    }
  }
  return d;
}

/// The same matrix with rows and columns exchanged; `rows` of the result.
std::vector<int> across(const std::vector<int>& of, std::size_t rows) {
  const std::size_t columns = of.size() / rows;
  std::vector<int> result(of.size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column)
      result[row * columns + column] = of[column * rows + row];
  }
  return result;
}

template <class To, class F>
std::vector<To> as(const std::vector<int>& numbers, F convert) {
  std::vector<To> result;
  for (const int number : numbers) result.push_back(static_cast<To>(convert(number)));
  return result;
}

std::uint16_t half(int number) {
  return static_cast<std::uint16_t>(execution::double_to_half(number));
}
std::uint16_t bfloat(int number) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(number)) >> 16);
}
int same(int number) {
  return number;
}

class Matrices : public Differential {
 protected:
  static std::vector<int> draw(std::size_t count, int lowest, int highest) {
    static std::uint32_t state = 1;
    std::vector<int> result(count);
    for (int& number : result) {
      state = state * 1664525U + 1013904223U;
      number =
          lowest + static_cast<int>((state >> 8) % static_cast<unsigned>(highest - lowest + 1));
    }
    return result;
  }
  /// One warp; inputs of type In and sums of type Sum.
  template <class In, class Sum, class ToIn, class ToSum>
  void check(const std::string& name, Shape s, int lowest, int highest, ToIn in, ToSum sum) {
    const auto a = draw(s.m * s.k, lowest, highest), b = draw(s.n * s.k, lowest, highest);
    const auto c = draw(s.m * s.n, -9, 9);
    KernelRun run = kernel("matrices", name);
    run.pass_buffer(as<In>(a, in)).pass_buffer(as<In>(b, in)).pass_buffer(as<Sum>(c, sum));
    run.pass_buffer(std::vector<Sum>(c.size()));
    if (runs(run, {1, 1, 1}, {32, 1, 1}))
      expect_equal(as<Sum>(product(s, a, b, c), sum), run.template result<Sum>(3), s.n);
  }
  [[nodiscard]] bool has_newer_formats() const { return GetParam() >= 80; }
};

TEST_P(Matrices, HalvesWithSumsOfFloats) {
  check<std::uint16_t, float>("half_sums_float", {16, 16, 16}, -60, 60, half, same);
}

// Sums up to 2048 are exact in half precision.
TEST_P(Matrices, HalvesWithSumsOfHalves) {
  check<std::uint16_t, std::uint16_t>("half_sums_half", {32, 8, 16}, -11, 11, half, half);
}

TEST_P(Matrices, MatricesAcross) {
  const Shape s{16, 16, 16};
  const auto a = draw(256, -9, 9), b = draw(256, -9, 9), c = draw(256, -9, 9);
  KernelRun run = kernel("matrices", "half_across");
  run.pass_buffer(as<std::uint16_t>(across(a, 16), half));
  run.pass_buffer(as<std::uint16_t>(across(b, 16), half));
  run.pass_buffer(as<float>(c, same)).pass_buffer(std::vector<float>(256));
  if (runs(run, {1, 1, 1}, {32, 1, 1}))
    expect_equal(as<float>(product(s, a, b, c), same), run.result<float>(3), 16);
}

TEST_P(Matrices, SignedBytes) {
  check<std::int8_t, std::int32_t>("bytes_signed", {16, 16, 16}, -128, 127, same, same);
}

TEST_P(Matrices, UnsignedBytes) {
  check<std::uint8_t, std::int32_t>("bytes_unsigned", {8, 32, 16}, 0, 255, same, same);
}

TEST_P(Matrices, SignedNibbles) {
  if (GetParam() >= 90) GTEST_SKIP() << "not on this architecture (compiled to other instructions)";
  const Shape s{8, 8, 32};
  const auto a = draw(256, -8, 7), b = draw(256, -8, 7), c = draw(64, -9, 9);
  const auto packed = [](const std::vector<int>& numbers) {
    std::vector<std::uint32_t> words(numbers.size() / 8);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      words[i / 8] |= (static_cast<std::uint32_t>(numbers[i]) & 15U) << 4 * (i % 8);
    return words;
  };
  KernelRun run = kernel("matrices", "nibbles");
  run.pass_buffer(packed(a)).pass_buffer(packed(b)).pass_buffer(as<std::int32_t>(c, same));
  run.pass_buffer(std::vector<std::int32_t>(64));
  if (runs(run, {1, 1, 1}, {32, 1, 1}))
    expect_equal(product(s, a, b, c), run.result<std::int32_t>(3), 8);
}

TEST_P(Matrices, Bfloats) {
  if (!has_newer_formats()) GTEST_SKIP() << "not on this architecture (the format came with sm_80)";
  check<std::uint16_t, float>("bfloats", {16, 16, 16}, -120, 120, bfloat, same);
}

TEST_P(Matrices, ShortFloats) {
  if (!has_newer_formats()) GTEST_SKIP() << "not on this architecture (the format came with sm_80)";
  check<float, float>("short_floats", {16, 16, 8}, -1000, 1000, same, same);
}

TEST_P(Matrices, Doubles) {
  if (!has_newer_formats()) GTEST_SKIP() << "not on this architecture (the format came with sm_80)";
  check<double, double>("doubles", {8, 8, 4}, -20000, 20000, same, same);  // sums fit into an int
}

// A sum is lost where one of its numbers is unknown.
TEST_P(Matrices, UnknownNumbersMakeUnknownSums) {
  KernelRun run = kernel("matrices", "half_sums_float");
  run.pass_buffer(std::vector<std::uint16_t>(256)).pass_buffer(std::vector<std::uint16_t>(256));
  run.pass_buffer(std::vector<float>(256)).pass_buffer(std::vector<float>(256));
  run.input().buffers[0].content = {};
  ASSERT_TRUE(runs(run, {1, 1, 1}, {32, 1, 1}));
  EXPECT_TRUE(run.result<float>(3).empty());
}

INSTANTIATE_TEST_SUITE_P(AllArchitectures, Matrices, ::testing::Values(75, 80, 86, 90),
                         architecture_name);

}  // namespace
}  // namespace forewarp::tests
