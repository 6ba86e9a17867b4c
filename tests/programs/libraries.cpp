// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A program that calls the vendor's libraries, each test a word of the command line. Results are
// compared with sums made here; PASS or MISS is printed, and the exit code is 1 for MISS.
#include "libraries.h"

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "runtime.h"

namespace {

void check(int code, const char* what) {
  if (code == 0) return;
  std::printf("%s: %d\n", what, code);
  std::exit(2);
}
#define CHECK(call) check(call, #call)

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

int verdict(bool holds, const char* what, double figure) {
  std::printf("%s %s: %.4g\n", holds ? "PASS" : "MISS", what, figure);
  return holds ? 0 : 1;
}

void* library() {
  void* handle = nullptr;
  CHECK(cublasCreate_v2(&handle));
  return handle;
}

/// C = 2 op(A) B + 3 C with A transposed, in a stream, and its time by events.
int product() {
  constexpr int m = 96, n = 64, k = 48;
  std::vector<float> a(k * m), b(k * n), c(m * n);
  for (int i = 0; i < k * m; ++i) a[i] = static_cast<float>(i % 13) - 6;
  for (int i = 0; i < k * n; ++i) b[i] = static_cast<float>(i % 7) - 3;
  for (int i = 0; i < m * n; ++i) c[i] = static_cast<float>(i % 5);
  float *da = on_device(a), *db = on_device(b), *dc = on_device(c);
  const float alpha = 2, beta = 3;
  void *handle = library(), *stream = nullptr, *begin = nullptr, *end = nullptr;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cublasSetStream_v2(handle, stream));
  // The device is busy while the host makes its calls, on a busy machine too: what is timed then is
  // the product alone.
  void* busy = nullptr;
  CHECK(cudaMalloc(&busy, 1 << 28));
  for (int i = 0; i < 10; ++i) CHECK(cudaMemsetAsync(busy, 0, 1 << 28, stream));
  CHECK(cudaEventRecord(begin, stream));
  CHECK(cublasSgemm_v2(handle, 1, 0, m, n, k, &alpha, da, k, db, k, &beta, dc, m));
  CHECK(cudaEventRecord(end, stream));
  CHECK(cudaEventSynchronize(end));
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, begin, end));
  CHECK(cudaFree(busy));
  const auto got = on_host(dc, c.size());
  double wrong = 0;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      double sum = 0;
      for (int l = 0; l < k; ++l) sum += a[i * k + l] * b[j * k + l];
      wrong = std::fmax(wrong, std::fabs(got[j * m + i] - (2 * sum + 3 * c[j * m + i])));
    }
  }
  CHECK(cublasDestroy_v2(handle));
  return verdict(wrong == 0, "largest difference of a product", wrong) +
         verdict(ms > 0.001 && ms < 0.1, "its ms", ms);
}

/// Three products of doubles behind one another, in a graph, which is launched twice: C += A B.
int batch() {
  constexpr int n = 20, count = 3;
  std::vector<double> a(n * n * count), b(n * n * count), c(n * n * count, 1.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<double>(i % 11);
    b[i] = static_cast<double>(i % 3);
  }
  double *da = on_device(a), *db = on_device(b), *dc = on_device(c);
  const double alpha = 1, beta = 1;
  void *handle = library(), *stream = nullptr, *graph = nullptr, *ready = nullptr;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cublasSetStream_v2(handle, stream));
  CHECK(cudaStreamBeginCapture(stream, 0));
  CHECK(cublasDgemmStridedBatched(handle, 0, 0, n, n, n, &alpha, da, n, n * n, db, n, n * n, &beta,
                                  dc, n, n * n, count));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&ready, graph, nullptr, nullptr, 0));
  CHECK(cudaGraphLaunch(ready, stream));
  CHECK(cudaGraphLaunch(ready, stream));
  CHECK(cudaStreamSynchronize(stream));
  const auto got = on_host(dc, c.size());
  double wrong = 0;
  for (int p = 0; p < count; ++p) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int l = 0; l < n; ++l) sum += a[p * n * n + l * n + i] * b[p * n * n + j * n + l];
        wrong = std::fmax(wrong, std::fabs(got[p * n * n + j * n + i] - (1 + 2 * sum)));
      }
    }
  }
  return verdict(wrong == 0, "largest difference of a batch", wrong);
}

/// FP16 numbers with sums of 32 bits: 1.5 * 2 added 40 times is 120 exactly.
int halves() {
  constexpr int n = 40;
  const std::vector<std::uint16_t> a(n * n, 0x3e00), b(n * n, 0x4000);  // 1.5 and 2
  std::vector<std::uint16_t> c(n * n);
  std::uint16_t *da = on_device(a), *db = on_device(b), *dc = on_device(c);
  const float alpha = 1, beta = 0;
  constexpr int half = 2, single = 68;
  CHECK(cublasGemmEx(library(), 0, 0, n, n, n, &alpha, da, half, n, db, half, n, &beta, dc, half, n,
                     single, -1));
  double wrong = 0;
  for (const std::uint16_t value : on_host(dc, c.size())) wrong += value != 0x5780;  // 120
  return verdict(wrong == 0, "halves that differ", wrong);
}

/// B is one column short.
int outside() {
  constexpr int n = 512;
  float* const a = on_device(std::vector<float>(n * n));
  float* const b = on_device(std::vector<float>(n * (n - 1)));
  const float alpha = 1, beta = 0;
  const int status = cublasSgemm_v2(library(), 0, 0, n, n, n, &alpha, a, n, b, n, &beta, a, n);
  return verdict(status == 13, "status of a product outside of memory", status);
}

/// Vectors with steps, results to the host and to the device, a matrix and vectors.
int vectors() {
  constexpr int n = 50;
  std::vector<double> x(2 * n), y(n);
  for (int i = 0; i < n; ++i) {
    x[2 * i] = i - 30;
    y[i] = i % 4;
  }
  double *dx = on_device(x), *dy = on_device(y), *dr = on_device(std::vector<double>(1));
  void* const handle = library();
  const double alpha = 2, beta = 0.5;
  CHECK(cublasDaxpy_v2(handle, n, &alpha, dx, 2, dy, -1));  // the last of y first
  double dot = 0, norm = 0, sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    y[n - 1 - i] += 2 * x[2 * i];
    squares += x[2 * i] * x[2 * i];
  }
  for (int i = 0; i < n; ++i) sum += x[2 * i] * y[i];
  CHECK(cublasDdot_v2(handle, n, dx, 2, dy, 1, &dot));
  CHECK(cublasSetPointerMode_v2(handle, 1));
  CHECK(cublasDnrm2_v2(handle, n, dx, 2, dr));
  CHECK(cublasSetPointerMode_v2(handle, 0));
  norm = on_host(dr, 1)[0];
  int largest = 0;
  CHECK(cublasIdamax_v2(handle, n, dx, 2, &largest));
  std::vector<double> a(12);
  for (int i = 0; i < 12; ++i) a[i] = i;
  double *da = on_device(a), *dv = on_device(std::vector<double>{1, 2, 3, 4}),
         *dw = on_device(std::vector<double>{2, 2, 2});
  CHECK(cublasDgemv_v2(handle, 0, 3, 4, &alpha, da, 3, dv, 1, &beta, dw, 1));
  CHECK(cublasDger_v2(handle, 3, 4, &alpha, dw, 1, dv, 1, da, 3));
  const auto w = on_host(dw, 3), changed = on_host(da, 12);
  double wrong =
      std::fabs(dot - sum) + std::fabs(norm - std::sqrt(squares)) + std::abs(largest - 1);
  for (int row = 0; row < 3; ++row) {
    double all = 0;
    for (int column = 0; column < 4; ++column) all += a[3 * column + row] * (column + 1);
    wrong += std::fabs(w[row] - (2 * all + 1));
    for (int column = 0; column < 4; ++column)
      wrong +=
          std::fabs(changed[3 * column + row] - (a[3 * column + row] + 2 * w[row] * (column + 1)));
  }
  return verdict(wrong < 1e-12, "differences of vectors", wrong);
}

/// A wave has one frequency; there and back again is the length times what it was.
int transforms() {
  constexpr int n = 60, wave = 7, count = 2;
  constexpr double pi = 3.14159265358979323846;
  std::vector<std::complex<float>> x(n * count);
  for (int i = 0; i < n * count; ++i) {
    const double phase = 2 * pi * wave * (i % n) / n;
    x[i] = {static_cast<float>(std::cos(phase)), static_cast<float>(std::sin(phase))};
  }
  auto* const dx = on_device(x);
  int plan = 0;
  constexpr int complex = 0x29, from_real = 0x6a, to_real = 0x6c;
  CHECK(cufftPlan1d(&plan, n, complex, count));
  CHECK(cufftExecC2C(plan, dx, dx, -1));
  const auto got = on_host(dx, x.size());
  double wrong = 0;
  for (int i = 0; i < n * count; ++i)
    wrong = std::fmax(wrong, std::abs(got[i] - std::complex<float>(i % n == wave ? n : 0)));
  CHECK(cufftDestroy(plan));
  constexpr int rows = 6, columns = 10;
  std::vector<double> r(rows * columns);
  for (int i = 0; i < rows * columns; ++i) r[i] = i * i % 17;
  double *dr = on_device(r), *back = on_device(std::vector<double>(r.size()));
  double* const dz = on_device(std::vector<double>(2 * rows * (columns / 2 + 1)));
  int there = 0, again = 0;
  CHECK(cufftPlan2d(&there, rows, columns, from_real));
  CHECK(cufftPlan2d(&again, rows, columns, to_real));
  CHECK(cufftExecD2Z(there, dr, dz));
  CHECK(cufftExecZ2D(again, dz, back));
  const auto whole = on_host(back, r.size());
  for (std::size_t i = 0; i < r.size(); ++i)
    wrong = std::fmax(wrong, std::fabs(whole[i] - rows * columns * r[i]));
  return verdict(wrong < 1e-4, "largest difference of transforms", wrong);
}

/// Mean and deviation of 100,000 numbers.
template <class T>
double apart(const std::vector<T>& values, double mean, double deviation) {
  double sum = 0, squares = 0;
  for (const T value : values) sum += value;
  const double found = sum / static_cast<double>(values.size());
  for (const T value : values) squares += (value - found) * (value - found);
  return std::fabs(found - mean) +
         std::fabs(std::sqrt(squares / static_cast<double>(values.size())) - deviation);
}
int numbers() {
  constexpr std::size_t count = 100000;
  constexpr int xorwow = 101;
  auto* const du = on_device(std::vector<float>(count));
  auto* const dn = on_device(std::vector<double>(count));
  void* generator = nullptr;
  CHECK(curandCreateGenerator(&generator, xorwow));
  CHECK(curandSetPseudoRandomGeneratorSeed(generator, 1234));
  CHECK(curandGenerateUniform(generator, du, count));
  const auto uniform = on_host(du, count);
  CHECK(curandGenerateNormalDouble(generator, dn, count, 3, 2));
  CHECK(curandSetPseudoRandomGeneratorSeed(generator, 1234));
  CHECK(curandGenerateUniform(generator, du, count));
  const double off = apart(uniform, 0.5, std::sqrt(1.0 / 12)) + apart(on_host(dn, count), 3, 2);
  return verdict(off < 0.04 && uniform == on_host(du, count), "moments of numbers off by", off);
}

int unsupported() {
  constexpr int not_supported = 15;
  const int status = cublasDsyrk_v2();
  return verdict(status == not_supported, "status of what is not there", status);
}

/// The device's ms of products that are asked for, a line each: type, m, n, k.
int times() {
  char type[16];
  int m = 0, n = 0, k = 0;
  void *begin = nullptr, *end = nullptr, *const handle = library();
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  const auto elapsed = [&](auto work) {
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventRecord(begin, nullptr));
    work();
    CHECK(cudaEventRecord(end, nullptr));
    CHECK(cudaEventSynchronize(end));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    return static_cast<double>(ms);
  };
  while (std::scanf("%15s %d %d %d", type, &m, &n, &k) == 4) {
    constexpr int single_type = 0, half_type = 2, half_sums = 64, single_sums = 68, tf32_sums = 77;
    const std::string name = type;
    const bool halves = name == "fp16" || name == "fp16_sums";
    const int element = halves ? half_type : single_type;
    const int sums = name == "fp16_sums" ? half_sums : name == "tf32" ? tf32_sums : single_sums;
    const auto room = [&](std::size_t rows, std::size_t columns) {
      void* made = nullptr;
      CHECK(cudaMalloc(&made, rows * columns * (halves ? 2 : 4)));
      return made;
    };
    void *a = room(m, k), *b = room(k, n), *c = room(m, n);
    const float one[] = {1, 0}, zero[] = {0, 0};
    const double product = elapsed([&] {
      CHECK(cublasGemmEx(handle, 0, 0, m, n, k, one, a, element, m, b, element, k, zero, c, element,
                         m, sums, -1));
    });
    std::printf("%s %d %d %d %.6g\n", type, m, n, k, product);
    for (void* at : {a, b, c}) CHECK(cudaFree(at));
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  const struct {
    const char* name;
    int (*run)();
  } tests[] = {{"product", product}, {"batch", batch},
               {"halves", halves},   {"outside", outside},
               {"vectors", vectors}, {"transforms", transforms},
               {"numbers", numbers}, {"unsupported", unsupported},
               {"times", times}};
  for (const auto& test : tests) {
    if (count == 2 && std::strcmp(words[1], test.name) == 0) return test.run();
  }
  std::printf("no such test\n");
  return 2;
}
