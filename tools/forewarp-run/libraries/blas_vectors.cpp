// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// cuBLAS: functions of vectors. Sums are of doubles, whatever the type.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "blas_vector.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C

namespace {

using Number = std::complex<double>;
constexpr NumberType S = NumberType::f32, D = NumberType::f64, C = NumberType::c32,
                     Z = NumberType::c64;

VectorCall vectors_call(const char* function, int n) {
  VectorCall call;
  call.function = function;
  call.shape = std::to_string(n);
  return call;
}
BlasVector vector_of(const void* at, NumberType type, int n, int step) {
  return {at, type, n, step};
}

int axpy(void* handle, const char* name, NumberType type, int n, const void* alpha, const void* x,
         int x_step, void* y, int y_step) {
  if (const auto status = refused(handle, {alpha})) return *status;
  if (n <= 0) return blas::success;
  const BlasVector from = vector_of(x, type, n, x_step), to = vector_of(y, type, n, y_step);
  VectorCall call = vectors_call(name, n);
  call.reads("x", from);
  call.reads("y", to);
  call.writes("y", to);
  call.compute = [=, factor = scalar_of(handle, alpha, type)] {
    const Number a = factor();
    for (long long i = 0; i < n; ++i) to.put(i, a * from[i] + to[i]);
  };
  return do_vector(handle, std::move(call));
}

int scal(void* handle, const char* name, NumberType type, NumberType scalar, int n,
         const void* alpha, void* x, int step) {
  if (const auto status = refused(handle, {alpha})) return *status;
  if (n <= 0 || step <= 0) return blas::success;
  const BlasVector at = vector_of(x, type, n, step);
  VectorCall call = vectors_call(name, n);
  call.reads("x", at);
  call.writes("x", at);
  call.compute = [=, factor = scalar_of(handle, alpha, scalar)] {
    const Number a = factor();
    for (long long i = 0; i < n; ++i) at.put(i, a * at[i]);
  };
  return do_vector(handle, std::move(call));
}

int copy(void* handle, const char* name, NumberType type, int n, const void* x, int x_step, void* y,
         int y_step) {
  if (const auto status = refused(handle)) return *status;
  if (n <= 0) return blas::success;
  const BlasVector from = vector_of(x, type, n, x_step), to = vector_of(y, type, n, y_step);
  VectorCall call = vectors_call(name, n);
  call.reads("x", from);
  call.writes("y", to);
  call.compute = [=] {
    for (long long i = 0; i < n; ++i) std::memcpy(to.element(i), from.element(i), bytes_of(type));
  };
  return do_vector(handle, std::move(call));
}

int swap(void* handle, const char* name, NumberType type, int n, void* x, int x_step, void* y,
         int y_step) {
  if (const auto status = refused(handle)) return *status;
  if (n <= 0) return blas::success;
  const BlasVector one = vector_of(x, type, n, x_step), other = vector_of(y, type, n, y_step);
  VectorCall call = vectors_call(name, n);
  call.reads("x", one);
  call.reads("y", other);
  call.writes("x", one);
  call.writes("y", other);
  call.compute = [=] {
    const auto bytes = static_cast<std::ptrdiff_t>(bytes_of(type));
    for (long long i = 0; i < n; ++i)
      std::swap_ranges(one.element(i), one.element(i) + bytes, other.element(i));
  };
  return do_vector(handle, std::move(call));
}

/// A vector that is summed up alone: there is nothing in one whose step is not above zero.
BlasVector summed(const void* at, NumberType type, int n, int step) {
  return vector_of(at, type, step > 0 ? n : 0, step);
}

/// A number made of one vector, or of two, into `result`.
template <class Make>
int reduce(void* handle, const char* name, const BlasVector& x, const BlasVector* y, void* result,
           NumberType type, Make make) {
  if (const auto status = refused(handle, {result})) return *status;
  VectorCall call = vectors_call(name, static_cast<int>(x.count));
  call.sums = true;
  call.result = result;
  call.result_bytes = bytes_of(type);
  call.reads("x", x);
  if (y != nullptr) call.reads("y", *y);
  call.compute = [=] { put_number(result, type, 0, make()); };
  return do_vector(handle, std::move(call));
}

int dot(void* handle, const char* name, const BlasVector& x, const BlasVector& y, bool conjugate,
        void* result, NumberType type) {
  return reduce(handle, name, x, &y, result, type, [=] {
    Number sum = 0;
    for (long long i = 0; i < x.count; ++i) sum += (conjugate ? std::conj(x[i]) : x[i]) * y[i];
    return sum;
  });
}
int norm(void* handle, const char* name, const BlasVector& x, void* result, NumberType type) {
  return reduce(handle, name, x, nullptr, result, type, [=] {
    long double sum = 0;  // whose exponents hold the squares of all doubles
    for (long long i = 0; i < x.count; ++i) sum += std::norm(std::complex<long double>(x[i]));
    return Number(static_cast<double>(std::sqrt(sum)));
  });
}
double size_of(Number value) {
  return std::fabs(value.real()) + std::fabs(value.imag());
}
int sizes(void* handle, const char* name, const BlasVector& x, void* result, NumberType type) {
  return reduce(handle, name, x, nullptr, result, type, [=] {
    double sum = 0;
    for (long long i = 0; i < x.count; ++i) sum += size_of(x[i]);
    return Number(sum);
  });
}
/// The place of the largest or the smallest, from 1; 0: of nothing.
int extreme(void* handle, const char* name, const BlasVector& x, int* result, bool largest) {
  return reduce(handle, name, x, nullptr, result, NumberType::i32, [=] {
    long long found = x.count > 0 ? 0 : -1;
    for (long long i = 1; i < x.count; ++i) {
      const double size = size_of(x[i]), best = size_of(x[found]);
      if (largest ? size > best : size < best) found = i;
    }
    return Number(static_cast<double>(found + 1));
  });
}

int rotate(void* handle, const char* name, NumberType type, int n, void* x, int x_step, void* y,
           int y_step, const void* cosine, const void* sine) {
  if (const auto status = refused(handle, {cosine, sine})) return *status;
  if (n <= 0) return blas::success;
  const BlasVector one = vector_of(x, type, n, x_step), other = vector_of(y, type, n, y_step);
  VectorCall call = vectors_call(name, n);
  call.reads("x", one);
  call.reads("y", other);
  call.writes("x", one);
  call.writes("y", other);
  call.compute = [=, cosine_of = scalar_of(handle, cosine, type),
                  sine_of = scalar_of(handle, sine, type)] {
    const Number c = cosine_of(), s = sine_of();
    for (long long i = 0; i < n; ++i) {
      const Number a = one[i], b = other[i];
      one.put(i, c * a + s * b);
      other.put(i, c * b - s * a);
    }
  };
  return do_vector(handle, std::move(call));
}

}  // namespace

/// Functions that all types have; `amax` and `amin` have the type in lower case.
#define FOREWARP_VECTORS(T, t)                                                                    \
  FOREWARP_EXPORT int cublas##T##axpy_v2(void* handle, int n, const void* alpha, const void* x,   \
                                         int x_step, void* y, int y_step) {                       \
    return axpy(handle, "cublas" #T "axpy", T, n, alpha, x, x_step, y, y_step);                   \
  }                                                                                               \
  FOREWARP_EXPORT int cublas##T##scal_v2(void* handle, int n, const void* alpha, void* x,         \
                                         int step) {                                              \
    return scal(handle, "cublas" #T "scal", T, T, n, alpha, x, step);                             \
  }                                                                                               \
  FOREWARP_EXPORT int cublas##T##copy_v2(void* handle, int n, const void* x, int x_step, void* y, \
                                         int y_step) {                                            \
    return copy(handle, "cublas" #T "copy", T, n, x, x_step, y, y_step);                          \
  }                                                                                               \
  FOREWARP_EXPORT int cublas##T##swap_v2(void* handle, int n, void* x, int x_step, void* y,       \
                                         int y_step) {                                            \
    return swap(handle, "cublas" #T "swap", T, n, x, x_step, y, y_step);                          \
  }                                                                                               \
  FOREWARP_EXPORT int cublasI##t##amax_v2(void* handle, int n, const void* x, int step,           \
                                          int* result) {                                          \
    return extreme(handle, "cublasI" #t "amax", summed(x, T, n, step), result, true);             \
  }                                                                                               \
  FOREWARP_EXPORT int cublasI##t##amin_v2(void* handle, int n, const void* x, int step,           \
                                          int* result) {                                          \
    return extreme(handle, "cublasI" #t "amin", summed(x, T, n, step), result, false);            \
  }
FOREWARP_VECTORS(S, s)
FOREWARP_VECTORS(D, d)
FOREWARP_VECTORS(C, c)
FOREWARP_VECTORS(Z, z)

/// Functions whose result is real: `name` has the types of vector and result.
#define FOREWARP_NORMS(name, T, Real)                                                     \
  FOREWARP_EXPORT int cublas##name##nrm2_v2(void* handle, int n, const void* x, int step, \
                                            void* result) {                               \
    return norm(handle, "cublas" #name "nrm2", summed(x, T, n, step), result, Real);      \
  }                                                                                       \
  FOREWARP_EXPORT int cublas##name##asum_v2(void* handle, int n, const void* x, int step, \
                                            void* result) {                               \
    return sizes(handle, "cublas" #name "asum", summed(x, T, n, step), result, Real);     \
  }
FOREWARP_NORMS(S, S, S)
FOREWARP_NORMS(D, D, D)
FOREWARP_NORMS(Sc, C, S)
FOREWARP_NORMS(Dz, Z, D)

#define FOREWARP_DOT(name, T, conjugate)                                                       \
  FOREWARP_EXPORT int cublas##name##_v2(void* handle, int n, const void* x, int x_step,        \
                                        const void* y, int y_step, void* result) {             \
    return dot(handle, "cublas" #name, vector_of(x, T, n, x_step), vector_of(y, T, n, y_step), \
               conjugate, result, T);                                                          \
  }
FOREWARP_DOT(Sdot, S, false)
FOREWARP_DOT(Ddot, D, false)
FOREWARP_DOT(Cdotu, C, false)
FOREWARP_DOT(Cdotc, C, true)
FOREWARP_DOT(Zdotu, Z, false)
FOREWARP_DOT(Zdotc, Z, true)

FOREWARP_EXPORT int cublasCsscal_v2(void* handle, int n, const float* alpha, void* x, int step) {
  return scal(handle, "cublasCsscal", C, S, n, alpha, x, step);
}
FOREWARP_EXPORT int cublasZdscal_v2(void* handle, int n, const double* alpha, void* x, int step) {
  return scal(handle, "cublasZdscal", Z, D, n, alpha, x, step);
}
FOREWARP_EXPORT int cublasSrot_v2(void* handle, int n, void* x, int x_step, void* y, int y_step,
                                  const void* cosine, const void* sine) {
  return rotate(handle, "cublasSrot", S, n, x, x_step, y, y_step, cosine, sine);
}
FOREWARP_EXPORT int cublasDrot_v2(void* handle, int n, void* x, int x_step, void* y, int y_step,
                                  const void* cosine, const void* sine) {
  return rotate(handle, "cublasDrot", D, n, x, x_step, y, y_step, cosine, sine);
}
FOREWARP_EXPORT int cublasDotEx(void* handle, int n, const void* x, int x_type, int x_step,
                                const void* y, int y_type, int y_step, void* result,
                                int result_type, int /*sums*/) {
  const auto of_x = static_cast<NumberType>(x_type), of_y = static_cast<NumberType>(y_type),
             of_result = static_cast<NumberType>(result_type);
  if (bytes_of(of_x) == 0 || bytes_of(of_y) == 0 || bytes_of(of_result) == 0)
    return unsupported_library("cublasDotEx of this type", blas::not_supported);
  return dot(handle, "cublasDotEx", vector_of(x, of_x, n, x_step), vector_of(y, of_y, n, y_step),
             false, result, of_result);
}
