// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Floating-point kernels against the C++ library, which rounds correctly or nearly so.
#include <array>
#include <cfenv>

#include "differential.h"
#include "execution/lowering/kernel_lowering.h"
#include "input/kernel_choice.h"

namespace forewarp::tests {
namespace {

constexpr int count = 400;
constexpr std::size_t rows = count;
const Extent grid{4, 1, 1}, block{128, 1, 1};

class Floats : public Differential {};

TEST_P(Floats, Arithmetic) {
  Numbers numbers(21);
  const auto a = numbers.reals<float>(rows, -6, 6), b = numbers.reals<float>(rows, -4, 4);
  std::vector<float> expected;
  for (std::size_t i = 0; i < rows; ++i) {
    const float x = a[i], y = b[i];
    const auto row =
        std::to_array<float>({x + y,
                              x - y,
                              x * y,
                              std::fma(x, y, 1.5F),
                              x / y,
                              std::sqrt(std::fabs(x)),
                              1.0F / y,
                              std::fmin(x, y),
                              std::fmax(x, -y),
                              std::floor(x),
                              std::ceil(y),
                              std::trunc(x),
                              std::rint(y),
                              x < y ? x : -y,
                              std::fabs(x) >= 2 ? 1.0F : std::copysign(0.25F, y),
                              std::fmin(std::fmax(x, 0.0F), 1.0F),
                              std::fma(-x, y, x),
                              static_cast<float>(1 / std::sqrt(double{std::fabs(x) + 1})),
                              x != y && !(x > 3 || y < -3) ? 2.0F : 3.0F,
                              std::round(x)});
    expected.insert(expected.end(), row.begin(), row.end());
  }
  KernelRun run = kernel("floats", "float_arithmetic");
  run.pass_buffer(a).pass_buffer(b).pass_buffer(std::vector<float>(20 * rows)).pass(count);
  if (runs(run, grid, block)) expect_within(expected, run.result<float>(2), 2, 20);
}

/// f with every rounding of the four.
template <class F>
std::array<float, 3> directed(F f) {
  std::array<float, 3> result{};
  constexpr std::array<int, 3> modes{FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  for (std::size_t k = 0; k < 3; ++k) {
    std::fesetround(modes[k]);
    volatile float value = f();
    std::fesetround(FE_TONEAREST);
    result[k] = value;
  }
  return result;
}

TEST_P(Floats, DirectedRounding) {
  Numbers numbers(22);
  const auto a = numbers.reals<float>(rows, -9, 9), b = numbers.reals<float>(rows, -1e-3, 1e-3);
  std::vector<float> expected;
  for (std::size_t i = 0; i < rows; ++i) {
    volatile float x = a[i], y = b[i], c = 0.1F;
    const auto add = directed([&] { return x + y; }), multiply = directed([&] { return x * y; });
    const auto fused = directed([&] { return std::fma(float{x}, float{y}, float{c}); });
    for (const auto& three : {add, multiply, fused})
      expected.insert(expected.end(), three.begin(), three.end());
    expected.push_back(x / y);
    expected.push_back(std::sqrt(std::fabs(float{y})));
    expected.push_back(1.0F / x);
  }
  KernelRun run = kernel("floats", "directed_rounding");
  run.pass_buffer(a).pass_buffer(b).pass_buffer(std::vector<float>(12 * rows)).pass(count);
  if (runs(run, grid, block)) expect_within(expected, run.result<float>(2), 0, 12);
}

int bits(float x) {
  return std::bit_cast<int>(x);
}

/// To a float with the rounding that is set by the caller.
float narrow(double x, int mode) {
  volatile double from = x;
  std::fesetround(mode);
  volatile float to = static_cast<float>(from);
  std::fesetround(FE_TONEAREST);
  return to;
}

TEST_P(Floats, Conversions) {
  Numbers numbers(23);
  const auto a = numbers.reals<float>(rows, -300, 300);
  const auto b = numbers.words<int>(rows);
  std::vector<int> expected;
  for (std::size_t i = 0; i < rows; ++i) {
    const float x = a[i];
    const int k = b[i];
    const auto u = static_cast<std::uint32_t>(k);
    const std::int64_t big = std::int64_t{k} * 1234567891;
    const auto row = std::to_array<int>(
        {static_cast<int>(std::trunc(x)), static_cast<int>(std::rint(x)),
         static_cast<int>(std::floor(x)), static_cast<int>(std::ceil(x)),
         x > 0 ? static_cast<int>(x) : 0, bits(static_cast<float>(k)), bits(static_cast<float>(u)),
         bits(narrow(k, FE_TOWARDZERO)), bits(narrow(u, FE_UPWARD)), bits(static_cast<float>(big)),
         bits(static_cast<float>(static_cast<std::uint64_t>(big))),
         static_cast<int>(static_cast<std::int64_t>(x * 1e6F)),
         bits(static_cast<float>(static_cast<std::int8_t>(k))),
         bits(static_cast<float>(static_cast<std::uint16_t>(k))),
         x > 0 ? static_cast<int>(static_cast<std::uint8_t>(static_cast<std::uint32_t>(x))) : 0,
         bits(static_cast<float>(double{x} * 3.0)), static_cast<int>(double(k) * 0.37),
         static_cast<int>(std::rint(double{x} * 0.1))});
    expected.insert(expected.end(), row.begin(), row.end());
  }
  KernelRun run = kernel("floats", "conversions");
  run.pass_buffer(a).pass_buffer(b).pass_buffer(std::vector<int>(18 * rows)).pass(count);
  if (runs(run, grid, block)) expect_equal(expected, run.result<int>(2), 18);
}

TEST_P(Floats, Functions) {
  Numbers numbers(24);
  const auto a = numbers.reals<float>(rows, -5, 5);
  std::vector<float> expected;
  for (const float value : a) {
    const double x = value, p = std::fabs(value) + 0.01F;
    const auto row = std::to_array<double>(
        {std::exp(x), std::log(p), std::sin(x), std::cos(x), std::exp2(x), std::log2(p),
         std::tanh(x), std::erf(x), std::log1p(p), std::expm1(x), std::cbrt(x), std::atan2(x, p)});
    for (const double y : row) expected.push_back(static_cast<float>(y));
  }
  KernelRun run = kernel("floats", "functions");
  run.pass_buffer(a).pass_buffer(std::vector<float>(12 * rows)).pass(count);
  if (runs(run, grid, block)) expect_within(expected, run.result<float>(1), 2, 12);
}

/// The table of 2/pi is a module variable whose address cuobjdump leaves open: the slow path runs
/// but its results are not known.
TEST_P(Floats, LargeAnglesTakeTheSlowPath) {
  Numbers numbers(25);
  const auto small = numbers.reals<float>(rows, -100, 100),
             large = numbers.reals<float>(rows, 1e6, 1e9);
  const auto count_for = [&](const std::vector<float>& a) {
    KernelRun run = kernel("floats", "large_angles");
    run.pass_buffer(a).pass_buffer(std::vector<float>(rows)).pass(count);
    EXPECT_TRUE(runs(run, grid, block));
    if (a[0] > 1e5F) {
      EXPECT_TRUE(run.result<float>(1).empty());
    } else {
      std::vector<float> expected;
      for (const float x : a) expected.push_back(static_cast<float>(std::sin(double{x})));
      expect_within(expected, run.result<float>(1), 2);
    }
    return run.counts().total;
  };
  EXPECT_GT(count_for(large), 2 * count_for(small));
}

std::array<double, 3> directed_doubles(double x, double y) {
  volatile double u = x, v = y;
  std::array<double, 3> result{};
  std::fesetround(FE_UPWARD);
  volatile double sum = u + v;
  std::fesetround(FE_DOWNWARD);
  volatile double product = u * v;
  std::fesetround(FE_TOWARDZERO);
  volatile double fused = std::fma(double{u}, double{v}, double{u});
  std::fesetround(FE_TONEAREST);
  result = {sum, product, fused};
  return result;
}

TEST_P(Floats, Doubles) {
  Numbers numbers(26);
  const auto a = numbers.reals<double>(rows, -50, 50), b = numbers.reals<double>(rows, -9, 9);
  std::vector<double> expected;
  for (std::size_t i = 0; i < rows; ++i) {
    const double x = a[i], y = b[i];
    const auto three = directed_doubles(x, y);
    const auto row = std::to_array<double>(
        {x + y, x * y, std::fma(x, y, 0.3), x / y, std::sqrt(std::fabs(x)), std::fmin(x, y),
         std::fmax(x, y), std::floor(x), x < y ? -x : y, static_cast<double>(static_cast<float>(x)),
         static_cast<double>(static_cast<std::int64_t>(y * 1000.0)), std::rint(x), three[0],
         three[1], three[2], std::trunc(std::fabs(x)) + std::trunc(std::fabs(y))});
    expected.insert(expected.end(), row.begin(), row.end());
  }
  KernelRun run = kernel("floats", "double_arithmetic");
  run.pass_buffer(a).pass_buffer(b).pass_buffer(std::vector<double>(16 * rows)).pass(count);
  if (runs(run, grid, block)) expect_within(expected, run.result<double>(2), 0, 16);
}

TEST_P(Floats, DoubleFunctions) {
  Numbers numbers(27);
  const auto a = numbers.reals<double>(rows, -20, 20);
  std::vector<double> expected;
  for (const double x : a) {
    const double p = std::fabs(x) + 0.01;
    for (const double y : {std::exp(x), std::log(p), 1 / std::sqrt(p)}) expected.push_back(y);
  }
  KernelRun run = kernel("floats", "double_functions");
  run.pass_buffer(a).pass_buffer(std::vector<double>(3 * rows)).pass(count);
  if (runs(run, grid, block)) expect_within(expected, run.result<double>(1), 2, 3);
}

TEST_P(Floats, BlackScholes) {
  Numbers numbers(28);
  const auto price = numbers.reals<float>(rows, 5, 30), strike = numbers.reals<float>(rows, 1, 100);
  const auto years = numbers.reals<float>(rows, 0.25, 10);
  const double rate = 0.02F, volatility = 0.3F;
  std::vector<Approximated> calls, puts;
  for (std::size_t i = 0; i < rows; ++i) {
    const double s = price[i], x = strike[i], t = years[i], root = std::sqrt(t);
    const double d1 =
        (std::log(s / x) + (rate + volatility * volatility / 2) * t) / (volatility * root);
    const double d2 = d1 - volatility * root, discount = std::exp(-rate * t);
    const double n1 = std::erfc(-d1 * std::sqrt(0.5)) / 2, n2 = std::erfc(-d2 * std::sqrt(0.5)) / 2;
    calls.push_back({s * n1 - x * discount * n2, std::max(s, x)});
    puts.push_back({x * discount * (1 - n2) - s * (1 - n1), std::max(s, x)});
  }
  KernelRun run = kernel("floats", "black_scholes");
  run.pass_buffer(price).pass_buffer(strike).pass_buffer(years).pass_buffer(
      std::vector<float>(rows));
  run.pass_buffer(std::vector<float>(rows)).pass(0.02F).pass(0.3F).pass(count);
  if (!runs(run, grid, block)) return;
  expect_close(calls, run.result<float>(3));
  expect_close(puts, run.result<float>(4));
}

TEST_P(Floats, MandelbrotIterations) {
  constexpr int width = 70, height = 50, most = 60;
  std::vector<int> expected;
  for (int py = 0; py < height; ++py) {
    for (int px = 0; px < width; ++px) {
      const float cr = static_cast<float>(px) * (3.0F / 64) - 2,
                  ci = static_cast<float>(py) * (2.0F / 64) - 1;
      float zr = 0, zi = 0;
      int k = 0;
      for (; k < most; ++k) {
        const float rr = zr * zr, ii = zi * zi;
        if (rr + ii > 4) break;
        zi = std::fma(2 * zr, zi, ci);
        zr = (rr - ii) + cr;
      }
      expected.push_back(k);
    }
  }
  KernelRun run = kernel("floats", "mandelbrot");
  run.pass_buffer(std::vector<int>(width * height)).pass(width).pass(height).pass(most);
  if (runs(run, {5, 4, 1}, {16, 16, 1})) expect_equal(expected, run.result<int>(0), width);
}

TEST_P(Floats, Normalise) {
  Numbers numbers(29);
  const auto vectors = numbers.reals<float>(3 * rows, -10, 10);
  std::vector<float> expected;
  for (std::size_t i = 0; i < rows; ++i) {
    const float x = vectors[3 * i], y = vectors[3 * i + 1], z = vectors[3 * i + 2];
    const float length = std::sqrt(std::fma(x, x, std::fma(y, y, z * z)));
    for (const float v : {x, y, z}) expected.push_back(v / length);
  }
  KernelRun run = kernel("floats", "normalise");
  run.pass_buffer(vectors).pass_buffer(std::vector<float>(3 * rows)).pass(count);
  if (runs(run, grid, block)) expect_within(expected, run.result<float>(1), 0, 3);
}

INSTANTIATE_TEST_SUITE_P(Families, Floats, ::testing::ValuesIn(fixture_architectures()),
                         architecture_name);

/// Instructions that are executed where two put a condition into P0, on sm_80: five if it is true,
/// four if it is not. The block has four threads in x, one in y.
std::size_t executed_by(const std::string& instructions) {
  const std::string text = "\tcode for sm_80\n\t\tFunction : k\n" + instructions +
                           "        /*00d0*/ @P0 BRA 0xf0 ;\n        /*00e0*/ EXIT ;\n"
                           "        /*00f0*/ NOP ;\n        /*0100*/ EXIT ;\n";
  const auto kernel = read_kernel(InputSource::of_text("test.sass", text));
  EXPECT_TRUE(kernel);
  ExecutionInput input;
  input.block = {4, 1, 1};
  const auto program = lower_kernel(*kernel);
  CountingSink sink;
  const std::vector<std::uint64_t> blocks{0};
  const auto outcome = run_grid(*program, input, blocks, {}, sink);
  EXPECT_TRUE(outcome) << outcome.error().line();
  return sink.total;
}

/// Both words of a pair in constant memory: blockDim is 4 and, in the word behind it, 1, so that
/// the number is 4 + 2^32.
TEST(ConstantPairs, AreConvertedWhole) {
  constexpr auto code = R"(
        /*0000*/ I2F.F64.S64 R2, c[0x0][0x0] ;
        /*0010*/ DSETP.GT.AND P0, PT, R2, 4294967296, PT ;
)";
  EXPECT_EQ(executed_by(code), 5U);
  constexpr auto halves = R"(
        /*0000*/ I2F.F64.U64 R2, c[0x0][0x0] ;
        /*0010*/ DSETP.GT.AND P0, PT, R2, 4294971392, PT ;
)";
  EXPECT_EQ(executed_by(halves), 4U);
}

/// 0 / -2: the short sequence would give +0.
TEST(DivisionCheck, SendsAZeroTheLongWay) {
  constexpr auto code = R"(
        /*0000*/ MOV R2, 0xc0000000 ;
        /*0010*/ FCHK P0, RZ, R2 ;
)";
  EXPECT_EQ(executed_by(code), 5U);
  constexpr auto usual = R"(
        /*0000*/ MOV R2, 0xc0000000 ;
        /*0010*/ FCHK P0, R2, R2 ;
)";
  EXPECT_EQ(executed_by(usual), 4U);
}

}  // namespace
}  // namespace forewarp::tests
