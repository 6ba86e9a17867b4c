// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What the vendor's libraries document about unusual arguments: steps below zero, content that is
// not read, statuses, layouts of transforms, places in random sequences. Each test a word of the
// command line; lines of what is wrong, and PASS where there are none.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "libraries.h"
#include "runtime.h"

namespace {

int wrong = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("MISS %s\n", what);
  ++wrong;
}
void check(int code, const char* what) {
  if (code == 0) return;
  std::printf("MISS %s: status %d\n", what, code);
  ++wrong;
}
#define CHECK(call) check(call, #call)
#define EXPECT(condition) expect(condition, #condition)

template <class T>
T* on_device(const std::vector<T>& values) {
  void* made = nullptr;
  CHECK(cudaMalloc(&made, values.size() * sizeof(T)));
  CHECK(cudaMemcpy(made, values.data(), values.size() * sizeof(T), to_device));
  return static_cast<T*>(made);
}
template <class T>
std::vector<T> on_host(const T* values, std::size_t count) {
  std::vector<T> made(count);
  CHECK(cudaMemcpy(made.data(), values, count * sizeof(T), to_host));
  return made;
}
void* library() {
  void* handle = nullptr;
  CHECK(cublasCreate_v2(&handle));
  return handle;
}

using Complex = std::complex<float>;
using Doubles = std::vector<double>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr int not_initialized = 1, invalid_value = 7, not_supported = 15;
constexpr int f32 = 0, f64 = 1, c32 = 4, single_sums = 68, wide_sums = 70;

/// Norms, sums and places of vectors: nothing for steps that are not above zero.
void reductions() {
  void* const handle = library();
  double* const x = on_device(Doubles{3, -4, 12});
  double result = 7;
  int place = 7;
  for (const int step : {0, -1}) {
    CHECK(cublasDnrm2_v2(handle, 3, x, step, &result));
    EXPECT(result == 0);
    result = 7;
    CHECK(cublasDasum_v2(handle, 3, x, step, &result));
    EXPECT(result == 0);
    CHECK(cublasIdamax_v2(handle, 3, x, step, &place));
    EXPECT(place == 0);
    place = 7;
    CHECK(cublasIdamin_v2(handle, 3, x, step, &place));
    EXPECT(place == 0);
  }
  CHECK(cublasDnrm2_v2(handle, -1, x, 1, &result));
  EXPECT(result == 0);
  CHECK(cublasDnrm2_v2(handle, 3, x, 1, &result));
  EXPECT(result == 13);
  double *const large = on_device(Doubles{3e200, 4e200}), *const small =
                                                              on_device(Doubles{3e-200, 4e-200});
  CHECK(cublasDnrm2_v2(handle, 2, large, 1, &result));
  EXPECT(std::fabs(result / 5e200 - 1) < 1e-15);
  CHECK(cublasDnrm2_v2(handle, 2, small, 1, &result));
  EXPECT(std::fabs(result / 5e-200 - 1) < 1e-15);
  double* const y = on_device(Doubles{1, 10, 100});
  CHECK(cublasDdot_v2(handle, 3, x, -1, y, 1, &result));  // the last of x first
  EXPECT(result == 12 - 40 + 300);
  CHECK(cublasDdot_v2(handle, 3, x, 0, y, 1, &result));
  EXPECT(result == 333);
  CHECK(cublasDdot_v2(handle, 0, x, 1, y, 1, &result));
  EXPECT(result == 0);
  Complex* const z = on_device(std::vector<Complex>{{3, 4}, {-8, 0}, {0, 6}});
  CHECK(cublasIcamax_v2(handle, 3, z, 1, &place));
  EXPECT(place == 2);
  Complex inner;
  CHECK(cublasCdotc_v2(handle, 3, z, 1, z, 1, &inner));
  EXPECT(inner == Complex(125, 0));
  CHECK(cublasCdotu_v2(handle, 3, z, 1, z, 1, &inner));
  EXPECT(inner == Complex(-7 + 64 - 36, 24));
}

/// Statuses: the handle before everything else, and arguments that are refused.
void statuses() {
  void* const handle = library();
  double *x = on_device(Doubles{1, 2, 3, 4}), *y = on_device(Doubles{1, 2, 3, 4});
  const double one = 1;
  int other = 0;
  EXPECT(cublasDaxpy_v2(&other, 0, &one, x, 1, y, 1) == not_initialized);
  EXPECT(cublasDscal_v2(&other, 0, &one, x, 1) == not_initialized);
  EXPECT(cublasDcopy_v2(&other, 0, x, 1, y, 1) == not_initialized);
  EXPECT(cublasDswap_v2(&other, 0, x, 1, y, 1) == not_initialized);
  EXPECT(cublasDgemv_v2(&other, 0, 0, 0, &one, x, 1, x, 1, &one, y, 1) == not_initialized);
  EXPECT(cublasDgeam(&other, 0, 0, 0, 0, &one, x, 1, &one, y, 1, y, 1) == not_initialized);
  EXPECT(cublasDger_v2(&other, 0, 0, &one, x, 1, y, 1, x, 1) == not_initialized);
  EXPECT(cublasDaxpy_v2(handle, 2, nullptr, x, 1, y, 1) == invalid_value);
  EXPECT(cublasDscal_v2(handle, 2, nullptr, x, 1) == invalid_value);
  EXPECT(cublasDger_v2(handle, 2, 2, &one, x, 0, y, 1, x, 2) == invalid_value);
  EXPECT(cublasDger_v2(handle, 2, 2, nullptr, x, 1, y, 1, x, 2) == invalid_value);
  EXPECT(cublasDgemv_v2(handle, 7, 2, 2, &one, x, 2, y, 1, &one, y, 1) == invalid_value);
  EXPECT(cublasDgeam(handle, 0, 5, 2, 2, &one, x, 2, &one, y, 2, y, 2) == invalid_value);
  EXPECT(cublasDgeam(handle, 0, 0, 2, 2, &one, x, 1, &one, y, 2, y, 2) == invalid_value);
  EXPECT(cublasDgeam(handle, 1, 0, 1, 2, &one, x, 1, &one, y, 1, y, 1) == invalid_value);
  EXPECT(cublasDgemm_v2(handle, 0, 0, 2, 2, 2, &one, x, 1, x, 2, &one, y, 2) == invalid_value);
  EXPECT(cublasDgemm_v2(handle, 0, 0, -1, 2, 2, &one, x, 2, x, 2, &one, y, 2) == invalid_value);
  // Types that no product has.
  EXPECT(cublasGemmEx(handle, 0, 0, 2, 2, 1, &one, x, f64, 2, x, f64, 1, &one, y, f32, 2,
                      single_sums, -1) == not_supported);
  EXPECT(cublasGemmEx(handle, 0, 0, 1, 1, 1, &one, x, c32, 1, x, c32, 1, &one, y, c32, 1, wide_sums,
                      -1) == not_supported);
  EXPECT(cublasGemmEx(handle, 0, 0, 1, 1, 1, &one, x, f32, 1, x, c32, 1, &one, y, c32, 1,
                      single_sums, -1) == not_supported);
  int version = 0;
  EXPECT(cublasGetVersion_v2(handle, &version) == 0 && version > 110000);
  CHECK(cublasDestroy_v2(handle));
  EXPECT(cublasDestroy_v2(handle) == not_initialized);
  EXPECT(cublasDaxpy_v2(handle, 2, &one, x, 1, y, 1) == not_initialized);
}

/// beta = 0 and alpha = 0: what they multiply need not be there.
void unread() {
  void* const handle = library();
  const double zero = 0, two = 2, half = 0.5;
  double* const numbers = on_device(Doubles{1, 2, 3, 4});
  double* y = on_device(Doubles{nan, nan});
  CHECK(cublasDgemv_v2(handle, 0, 2, 2, &two, numbers, 2, numbers, 1, &zero, y, 1));
  EXPECT(on_host(y, 2) == (Doubles{14, 20}));
  double* const nans = on_device(Doubles{nan, nan, nan, nan});
  CHECK(cublasDgemv_v2(handle, 0, 2, 2, &zero, nans, 2, nans, 1, &half, y, 1));
  EXPECT(on_host(y, 2) == (Doubles{7, 10}));
  double* c = on_device(Doubles{nan, nan, nan, nan});
  CHECK(cublasDgemm_v2(handle, 0, 0, 2, 2, 2, &two, numbers, 2, numbers, 2, &zero, c, 2));
  EXPECT(on_host(c, 4) == (Doubles{14, 20, 30, 44}));
  CHECK(cublasDgemm_v2(handle, 0, 0, 2, 2, 0, &two, numbers, 2, numbers, 1, &half, c, 2));
  EXPECT(on_host(c, 4) == (Doubles{7, 10, 15, 22}));
  // C is the sum of one matrix; the other's pointer leads nowhere.
  CHECK(cublasDgeam(handle, 1, 0, 2, 2, &two, numbers, 2, &zero, nullptr, 2, c, 2));
  EXPECT(on_host(c, 4) == (Doubles{2, 6, 4, 8}));
  CHECK(
      cublasDgeam(handle, 0, 0, 2, 2, &zero, reinterpret_cast<double*>(64), 2, &half, c, 2, c, 2));
  EXPECT(on_host(c, 4) == (Doubles{1, 3, 2, 4}));
  constexpr float infinity = std::numeric_limits<float>::infinity();
  float* const large = on_device(std::vector<float>{infinity, 1});
  const float three = 3;
  CHECK(cublasSscal_v2(handle, 2, &three, large, 1));
  EXPECT(on_host(large, 2) == (std::vector<float>{infinity, 3}));
}

/// Conjugates, transposes and steps below zero.
void operations() {
  void* const handle = library();
  const Complex one = 1, zero = 0, i = {0, 1};
  const std::vector<Complex> a{{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  auto* const da = on_device(a);
  auto* const x = on_device(std::vector<Complex>{1, i});
  auto* const y = on_device(std::vector<Complex>(3));
  CHECK(cublasCgemv_v2(handle, 2, 2, 2, &one, da, 2, x, 1, &zero, y, -2));  // conjugates
  EXPECT(on_host(y, 3)[2] == std::conj(a[0]) + std::conj(a[1]) * i);
  EXPECT(on_host(y, 3)[0] == std::conj(a[2]) + std::conj(a[3]) * i);
  auto* const outer = on_device(std::vector<Complex>(4));
  CHECK(cublasCgerc_v2(handle, 2, 2, &i, x, 1, x, -1, outer, 2));
  EXPECT(on_host(outer, 4) ==
         (std::vector<Complex>{i * std::conj(i), i * i * std::conj(i), i, i * i}));
  auto* const c = on_device(std::vector<Complex>(4));
  CHECK(cublasCgemm_v2(handle, 2, 1, 2, 2, 2, &i, da, 2, da, 2, &zero, c, 2));
  const auto product = on_host(c, 4);
  for (int row = 0; row < 2; ++row) {
    for (int column = 0; column < 2; ++column) {
      Complex sum = 0;
      for (int k = 0; k < 2; ++k) sum += std::conj(a[2 * row + k]) * a[2 * k + column];
      EXPECT(product[2 * column + row] == i * sum);
    }
  }
  CHECK(cublasCgeam(handle, 2, 0, 2, 2, &one, da, 2, &i, da, 2, c, 2));
  EXPECT(on_host(c, 4)[1] == std::conj(a[2]) + i * a[1]);
  const float down = -1;
  CHECK(cublasCsscal_v2(handle, 2, &down, x, 1));
  EXPECT(on_host(x, 2)[1] == -i);
  // Words that are no numbers stay what they are.
  const std::vector<unsigned> words{0x7fa00001U, 0xffffffffU, 1U, 0x80000001U};
  auto* const from = on_device(words);
  auto* const to = on_device(std::vector<unsigned>(4));
  CHECK(cublasScopy_v2(handle, 4, reinterpret_cast<float*>(from), -1, reinterpret_cast<float*>(to),
                       1));
  EXPECT(on_host(to, 4) == (std::vector<unsigned>{words[3], words[2], words[1], words[0]}));
  CHECK(cublasSswap_v2(handle, 4, reinterpret_cast<float*>(from), 1, reinterpret_cast<float*>(to),
                       1));
  EXPECT(on_host(to, 4) == words);
}

/// Matrices by addresses on the device, also where a graph fills them in later.
void batches() {
  void *const handle = library(), *stream = nullptr, *graph = nullptr, *ready = nullptr;
  const double one = 1, zero = 0;
  double *const a = on_device(Doubles{1, 2, 3, 4}), *const b = on_device(Doubles{1, 0, 0, 1});
  double* const c = on_device(Doubles(8));
  auto* const as = on_device(std::vector<const double*>{a, b});
  auto* const bs = on_device(std::vector<const double*>{b, a});
  auto* const cs = on_device(std::vector<double*>{c + 4, c});
  CHECK(cublasDgemmBatched(handle, 0, 1, 2, 2, 2, &one, as, 2, bs, 2, &zero, cs, 2, 2));
  EXPECT(on_host(c, 8) == (Doubles{1, 3, 2, 4, 1, 2, 3, 4}));
  auto* const later = on_device(std::vector<const double*>(2));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cublasSetStream_v2(handle, stream));
  CHECK(cudaStreamBeginCapture(stream, 0));
  CHECK(cudaMemcpyAsync(later, as, 2 * sizeof(void*), 3, stream));
  CHECK(cublasDgemmBatched(handle, 0, 0, 2, 2, 2, &one, later, 2, later, 2, &zero, cs, 2, 2));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&ready, graph, nullptr, nullptr, 0));
  CHECK(cudaGraphLaunch(ready, stream));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(on_host(c, 8) == (Doubles{1, 0, 0, 1, 7, 10, 15, 22}));
  // Scalars on the device, as they are when the product is made.
  double* const factor = on_device(Doubles{3, 0});
  CHECK(cublasSetPointerMode_v2(handle, 1));
  CHECK(cublasDgemmStridedBatched(handle, 0, 0, 2, 2, 2, factor, a, 2, 0, b, 2, 0, factor + 1, c, 2,
                                  4, 2));
  EXPECT(on_host(c, 8) == (Doubles{3, 6, 9, 12, 3, 6, 9, 12}));
}

/// Copies with steps reach no further than the last element.
void copies() {
  Doubles from{1, 0, 2, 0, 3}, back(3);
  double* const at = on_device(Doubles(7));
  CHECK(cublasSetVector(3, sizeof(double), from.data(), 2, at, 3));
  EXPECT(on_host(at, 7) == (Doubles{1, 0, 0, 2, 0, 0, 3}));
  CHECK(cublasGetVector(3, sizeof(double), at, 3, back.data(), 1));
  EXPECT(back == (Doubles{1, 2, 3}));
  EXPECT(cublasSetVector(0, sizeof(double), from.data(), 1, at, 1) == 0);
  EXPECT(cublasSetVector(3, sizeof(double), from.data(), 0, at, 1) == invalid_value);
  CHECK(cublasSetMatrix(2, 2, sizeof(double), from.data(), 3, at, 5));
  EXPECT(on_host(at, 7) == (Doubles{1, 0, 0, 2, 0, 0, 3}));
  EXPECT(cublasSetMatrix(2, 2, sizeof(double), from.data(), 1, at, 2) == invalid_value);
}

using Wave = std::vector<std::complex<double>>;
constexpr int complex_singles = 0x29, complex_doubles = 0x69, from_doubles = 0x6a,
              to_doubles = 0x6c;

/// The sum that defines a transform along one dimension.
Wave sums(const Wave& x, int sign) {
  const double turn = sign * 2 * std::acos(-1.0) / static_cast<double>(x.size());
  Wave made(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    for (std::size_t j = 0; j < x.size(); ++j)
      made[k] += x[j] * std::polar(1.0, turn * static_cast<double>(j * k % x.size()));
  }
  return made;
}
double apart(const Wave& one, const Wave& other) {
  double most = one.size() == other.size() ? 0 : 1;
  for (std::size_t i = 0; most < 1 && i < one.size(); ++i)
    most = std::fmax(most, std::abs(one[i] - other[i]));
  return most;
}

void layouts() {
  int plan = 0;
  // Every second number, transforms 9 apart; and by columns.
  Wave x(18);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = {static_cast<double>(i * i % 7), static_cast<double>(i % 3)};
  auto* const in = on_device(x);
  auto* const out = on_device(Wave(18));
  int n[] = {4}, embed[] = {4};
  CHECK(cufftPlanMany(&plan, 1, n, embed, 2, 9, embed, 1, 4, complex_doubles, 2));
  CHECK(cufftExecZ2Z(plan, in, out, -1));
  const auto got = on_host(out, 8);
  EXPECT(apart({got.begin(), got.begin() + 4}, sums({x[0], x[2], x[4], x[6]}, -1)) < 1e-12);
  EXPECT(apart({got.begin() + 4, got.end()}, sums({x[9], x[11], x[13], x[15]}, -1)) < 1e-12);
  // One layout missing: none counts.
  CHECK(cufftPlanMany(&plan, 1, n, embed, 2, 9, nullptr, 1, 4, complex_doubles, 2));
  CHECK(cufftExecZ2Z(plan, in, out, 1));
  EXPECT(apart(on_host(out, 4), sums({x[0], x[1], x[2], x[3]}, 1)) < 1e-12);
  CHECK(cufftPlanMany(&plan, 1, n, nullptr, 2, 9, embed, 3, 11, complex_doubles, 2));
  CHECK(cufftExecZ2Z(plan, in, out, 1));
  const auto both = on_host(out, 8);
  EXPECT(apart({both.begin() + 4, both.end()}, sums({x[4], x[5], x[6], x[7]}, 1)) < 1e-12);
  EXPECT(cufftExecC2C(plan, in, out, 1) != 0);
  EXPECT(cufftExecZ2Z(plan, in, out, 0) != 0);
  EXPECT(cufftPlan1d(&plan, 0, complex_singles, 1) != 0);
  EXPECT(cufftExecZ2Z(12345, in, out, 1) != 0);
}

/// Real numbers in place: rows have room for the result. There and back again is the length times
/// what it was.
void in_place() {
  constexpr int rows = 3, columns = 5, row = 2 * (columns / 2 + 1);
  Doubles x(rows * row, -1);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) x[i * row + j] = (3 * i + j * j) % 7;
  }
  int there = 0, back = 0;
  double* at = on_device(x);
  CHECK(cufftPlan2d(&there, rows, columns, from_doubles));
  CHECK(cufftPlan2d(&back, rows, columns, to_doubles));
  CHECK(cufftExecD2Z(there, at, at));
  const double mean = on_host(at, 1)[0];
  CHECK(cufftExecZ2D(back, at, at));
  auto got = on_host(at, x.size());
  double most = 0, sum = 0;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      most = std::fmax(most, std::fabs(got[i * row + j] - rows * columns * x[i * row + j]));
      sum += x[i * row + j];
    }
  }
  EXPECT(most < 1e-10);
  EXPECT(std::fabs(mean - sum) < 1e-12);
  // Rows of a batch in place, padded as well.
  at = on_device(x);
  CHECK(cufftPlan1d(&there, columns, from_doubles, rows));
  CHECK(cufftExecD2Z(there, at, at));
  got = on_host(at, x.size());
  for (int i = 0; i < rows; ++i) {
    sum = 0;
    for (int j = 0; j < columns; ++j) sum += x[i * row + j];
    EXPECT(std::fabs(got[i * row] - sum) < 1e-12);
  }
}

/// Random numbers by seed and place, and what generators refuse.
void sequences() {
  constexpr int xorwow = 101, sobol = 201, type_error = 103, out_of_range = 104, odd = 105;
  constexpr std::size_t n = 1000;
  void *one = nullptr, *other = nullptr;
  CHECK(curandCreateGenerator(&one, xorwow));
  CHECK(curandCreateGeneratorHost(&other, xorwow));
  CHECK(curandSetPseudoRandomGeneratorSeed(one, 5));
  CHECK(curandSetPseudoRandomGeneratorSeed(other, 5));
  float* const at = on_device(std::vector<float>(n));
  std::vector<float> host(n);
  CHECK(curandGenerateUniform(one, at, n));
  CHECK(curandGenerateUniform(other, host.data(), n));
  const auto whole = on_host(at, n);
  EXPECT(whole == host);
  // In two calls, and from the middle on.
  CHECK(curandSetPseudoRandomGeneratorSeed(one, 5));
  CHECK(curandSetGeneratorOffset(one, 0));
  CHECK(curandGenerateUniform(one, at, 300));
  CHECK(curandGenerateUniform(one, at + 300, 700));
  EXPECT(on_host(at, n) == whole);
  CHECK(curandSetGeneratorOffset(one, 400));
  CHECK(curandGenerateUniform(one, at, 600));
  EXPECT(std::equal(whole.begin() + 400, whole.end(), on_host(at, 600).begin()));
  CHECK(curandSetPseudoRandomGeneratorSeed(one, 6));
  CHECK(curandSetGeneratorOffset(one, 0));
  CHECK(curandGenerateUniform(one, at, n));
  EXPECT(on_host(at, n) != whole);
  for (const float x : whole) EXPECT(x > 0 && x <= 1);
  EXPECT(curandGenerateNormal(one, at, 7, 0, 1) == odd);
  CHECK(curandGenerateNormal(one, at, 8, 3, 0));
  EXPECT(on_host(at, 8) == std::vector<float>(8, 3));
  EXPECT(curandGenerateLogNormalDouble(one, reinterpret_cast<double*>(at), 7, 0, 1) == odd);
  auto* const words = on_device(std::vector<unsigned>(n));
  EXPECT(curandGeneratePoisson(one, words, n, 0) == out_of_range);
  CHECK(curandGeneratePoisson(one, words, n, 4));
  double sum = 0;
  for (const unsigned x : on_host(words, n)) sum += x;
  EXPECT(std::fabs(sum / n - 4) < 0.3);
  EXPECT(curandGenerateLongLong(one, reinterpret_cast<unsigned long long*>(at), 10) == type_error);
  EXPECT(curandCreateGenerator(&other, sobol) == type_error);
  EXPECT(curandCreateGenerator(&other, 105) == type_error);
}

/// Calls of one name take times of their own: by what else they do.
void times() {
  void *const handle = library(), *begin = nullptr, *end = nullptr;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  // The fastest of ten: between two events the program's own time counts as well, and a busy
  // machine stretches it.
  const auto ms = [&](auto work) {
    float fastest = std::numeric_limits<float>::max();
    for (int i = 0; i < 10; ++i) {
      float took = 0;
      CHECK(cudaEventRecord(begin, nullptr));
      work();
      CHECK(cudaEventRecord(end, nullptr));
      CHECK(cudaEventSynchronize(end));
      CHECK(cudaEventElapsedTime(&took, begin, end));
      fastest = std::min(fastest, took);
    }
    return fastest;
  };
  constexpr int n = 1 << 20, step = 8;
  float* const x = on_device(std::vector<float>(static_cast<std::size_t>(n) * step));
  const float zero = 0, one = 1;
  const auto axpy = [&](int apart) {
    return ms([&] { CHECK(cublasSaxpy_v2(handle, n, &one, x, apart, x, apart)); });
  };
  EXPECT(axpy(step) > 2 * axpy(1));
  const auto product = [&](const float& beta) {
    return ms([&] {
      CHECK(cublasSgemm_v2(handle, 0, 0, 2048, 2048, 1, &one, x, 2048, x, 1, &beta, x, 2048));
    });
  };
  EXPECT(product(one) > 1.2 * product(zero));
}

}  // namespace

int main(int count, char** words) {
  const struct {
    const char* name;
    void (*run)();
  } tests[] = {{"reductions", reductions}, {"statuses", statuses},
               {"unread", unread},         {"operations", operations},
               {"batches", batches},       {"copies", copies},
               {"layouts", layouts},       {"in_place", in_place},
               {"sequences", sequences},   {"times", times}};
  for (const auto& test : tests) {
    if (count != 2 || std::strcmp(words[1], test.name) != 0) continue;
    test.run();
    if (wrong == 0) std::printf("PASS\n");
    return wrong == 0 ? 0 : 1;
  }
  std::printf("no such test\n");
  return 2;
}
