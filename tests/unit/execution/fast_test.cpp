// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Kernels compiled with -use_fast_math, and half precision.
#include <array>

#include "differential.h"
#include "execution/state/half_number.h"

namespace forewarp::tests {
namespace {

constexpr int count = 400;
constexpr std::size_t rows = count;
const Extent grid{4, 1, 1}, block{128, 1, 1};

class Fast : public Differential {};

TEST_P(Fast, FunctionsWithin20Bits) {
  Numbers numbers(61);
  const auto a = numbers.reals<float>(rows, -5, 5), b = numbers.reals<float>(rows, 0.5, 4);
  std::vector<Approximated> expected;
  for (std::size_t i = 0; i < rows; ++i) {
    const double x = a[i], y = b[i], p = std::fabs(a[i]) + 0.01F;
    for (const double v : {std::exp(x), std::log(p), std::sin(x), std::cos(x), x / y, std::sqrt(p),
                           1 / y, 1 / std::sqrt(p), std::exp2(x), std::tanh(x)}) {
      expected.push_back({v, 0});
    }
  }
  KernelRun run = kernel("fast", "fast_functions");
  run.pass_buffer(a).pass_buffer(b).pass_buffer(std::vector<float>(10 * rows)).pass(count);
  if (runs(run, grid, block)) expect_close(expected, run.result<float>(2), 10);
}

float flush(float x) {
  return std::fabs(x) < 0x1p-126F ? std::copysign(0.0F, x) : x;
}

TEST_P(Fast, DenormalsAreFlushed) {
  Numbers numbers(62);
  auto a = numbers.reals<float>(rows, -1, 1), b = numbers.reals<float>(rows, -1, 1);
  for (std::size_t i = 0; i < rows; ++i) {
    a[i] *= std::ldexp(1.0F, numbers.integer(-140, -60));
    b[i] *= std::ldexp(1.0F, numbers.integer(-140, -60));
  }
  std::vector<float> expected;
  for (std::size_t i = 0; i < rows; ++i) {
    const float x = flush(a[i]), y = flush(b[i]);
    for (const float v : {x + y, x * y, std::fma(x, y, x), std::fmin(x, y)})
      expected.push_back(flush(v));
  }
  KernelRun run = kernel("fast", "flushed");
  run.pass_buffer(a).pass_buffer(b).pass_buffer(std::vector<float>(4 * rows)).pass(count);
  if (runs(run, grid, block)) expect_equal(expected, run.result<float>(2), 4);
}

/// The cumulated normal distribution as the kernel computes it.
double normal(double d) {
  const double k = 1 / (1 + double{0.2316419F} * std::fabs(d));
  double sum = 0;
  for (const float c : {1.330274429F, -1.821255978F, 1.781477937F, -0.356563782F, 0.31938153F}) {
    sum = k * (sum + double{c});
  }
  const double w = double{0.39894228F} * std::exp(-0.5 * d * d) * sum;
  return d > 0 ? 1 - w : w;
}

TEST_P(Fast, BlackScholes) {
  Numbers numbers(63);
  const auto price = numbers.reals<float>(rows, 5, 30), strike = numbers.reals<float>(rows, 1, 100);
  const auto years = numbers.reals<float>(rows, 0.25, 10);
  const double rate = 0.02F, volatility = 0.3F;
  std::vector<Approximated> expected;
  for (std::size_t i = 0; i < rows; ++i) {
    const double s = price[i], x = strike[i], t = years[i], root = std::sqrt(t);
    const double d1 =
        (std::log(s / x) + (rate + 0.5 * volatility * volatility) * t) / (volatility * root);
    const double d2 = d1 - volatility * root;
    expected.push_back({s * normal(d1) - x * std::exp(-rate * t) * normal(d2), std::max(s, x)});
  }
  KernelRun run = kernel("fast", "fast_black_scholes");
  run.pass_buffer(price).pass_buffer(strike).pass_buffer(years).pass_buffer(
      std::vector<float>(rows));
  run.pass(0.02F).pass(0.3F).pass(count);
  if (runs(run, grid, block)) expect_close(expected, run.result<float>(3));
}

INSTANTIATE_TEST_SUITE_P(Families, Fast, ::testing::ValuesIn(fixture_architectures()),
                         architecture_name);

class Halves : public Differential {};

using Half = std::uint16_t;

double number(Half x) {
  return half_to_float(x);
}

Half rounded(double x) {
  return static_cast<Half>(double_to_half(x));
}

TEST_P(Halves, Pairs) {
  Numbers numbers(64);
  std::vector<Half> a, b, expected;
  for (std::size_t i = 0; i < 2 * rows; ++i) {
    a.push_back(rounded(numbers.between(-8, 8)));
    b.push_back(rounded(numbers.between(-3, 3)));
  }
  for (std::size_t i = 0; i < 2 * rows; i += 2) {
    std::array<std::array<Half, 2>, 8> row{};
    for (std::size_t h = 0; h < 2; ++h) {
      const double x = number(a[i + h]), y = number(b[i + h]);
      row[0][h] = rounded(x + y);
      row[1][h] = rounded(x * y);
      row[2][h] = rounded(x * y + x);
      row[3][h] = rounded(-std::fabs(y));
      row[4][h] = rounded(x > y ? 1 : 0);
      row[5][h] = a[i + 1 - h];
      row[7][h] = rounded(number(a[i + 1]) - y);
    }
    row[6] = {rounded(static_cast<float>(number(a[i])) * 3.0F), b[i + 1]};
    for (const auto& pair : row) expected.insert(expected.end(), pair.begin(), pair.end());
  }
  KernelRun run = kernel("halves", "half_arithmetic");
  run.pass_buffer(a).pass_buffer(b).pass_buffer(std::vector<Half>(16 * rows)).pass(count);
  if (runs(run, grid, block)) expect_equal(expected, run.result<Half>(2), 16);
}

TEST_P(Halves, Sums) {
  Numbers numbers(65);
  std::vector<Half> a, expected;
  for (std::size_t i = 0; i < rows; ++i) a.push_back(rounded(numbers.between(-1, 1)));
  for (std::size_t i = 0; i < rows; ++i) {
    Half sum = 0;
    for (std::size_t k = 0; k < 8; ++k)
      sum = rounded(number(a[(i + k) % rows]) * static_cast<double>(k) + number(sum));
    expected.push_back(number(sum) < 1 ? static_cast<Half>(sum ^ 0x8000) : sum);
  }
  KernelRun run = kernel("halves", "half_sums");
  run.pass_buffer(a).pass_buffer(std::vector<Half>(rows)).pass(count);
  if (runs(run, grid, block)) expect_equal(expected, run.result<Half>(1));
}

INSTANTIATE_TEST_SUITE_P(Families, Halves, ::testing::Values(61U, 70U, 75U, 80U, 86U, 90U),
                         architecture_name);

}  // namespace
}  // namespace forewarp::tests
