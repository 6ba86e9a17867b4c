// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// cuBLAS: functions of a matrix and vectors, and of two matrices that are read once.
#include <algorithm>
#include <utility>

#include "blas_vector.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C

namespace {

using Number = std::complex<double>;

std::string extent_text(int m, int n) {
  return std::to_string(m) + "x" + std::to_string(n);
}

/// y = alpha op(A) x + beta y
struct MatrixVector {
  const char* function = "";
  NumberType type = NumberType::f32;
  int operation = 0;
  BlasMatrix a;
  BlasVector x, y;
  const void *alpha = nullptr, *beta = nullptr;
};

Number product_row(const MatrixVector& p, long long row) {
  Number sum = 0;
  for (long long i = 0; i < p.x.count; ++i) {
    const auto r = static_cast<int>(row), c = static_cast<int>(i);
    const Number element = p.operation == 0 ? p.a.get(r, c) : p.a.get(c, r);
    sum += (p.operation == 2 ? std::conj(element) : element) * p.x[i];
  }
  return sum;
}

bool is_operation(int operation) {
  return operation >= 0 && operation <= 2;
}
bool is_shape(const BlasMatrix& matrix) {
  return matrix.rows >= 0 && matrix.columns >= 0 && matrix.rows_apart >= std::max(1, matrix.rows);
}

int matrix_vector(void* handle, MatrixVector p, int x_step, int y_step) {
  if (const auto status = refused(handle, {p.alpha, p.beta})) return *status;
  if (!is_operation(p.operation) || !is_shape(p.a) || x_step == 0 || y_step == 0)
    return blas::invalid_value;
  if (p.a.rows == 0 || p.a.columns == 0) return blas::success;
  const bool plain = p.operation == 0;
  p.x.count = plain ? p.a.columns : p.a.rows;
  p.y.count = plain ? p.a.rows : p.a.columns;
  p.x.step = x_step;
  p.y.step = y_step;
  p.x.type = p.y.type = p.a.type = p.type;
  VectorCall call;
  call.function = p.function;
  call.shape = extent_text(p.a.rows, p.a.columns);
  call.reads("A", p.a);
  call.reads("x", p.x);
  call.writes("y", p.y);
  call.compute = [p, alpha_of = scalar_of(handle, p.alpha, p.type),
                  beta_of = scalar_of(handle, p.beta, p.type)] {
    const Number alpha = alpha_of(), beta = beta_of();
    for (long long i = 0; i < p.y.count; ++i) {
      const Number before = beta == 0.0 ? 0.0 : beta * p.y[i];
      p.y.put(i, (alpha == 0.0 ? 0.0 : alpha * product_row(p, i)) + before);
    }
  };
  return do_vector(handle, std::move(call));
}

/// A += alpha x y', or its conjugate.
int outer_product(void* handle, const char* function, const BlasMatrix& a, const BlasVector& x,
                  const BlasVector& y, const void* alpha, bool conjugate) {
  if (const auto status = refused(handle, {alpha})) return *status;
  if (!is_shape(a) || x.step == 0 || y.step == 0) return blas::invalid_value;
  if (a.rows == 0 || a.columns == 0) return blas::success;
  VectorCall call;
  call.function = function;
  call.shape = extent_text(a.rows, a.columns);
  call.reads("x", x);
  call.reads("y", y);
  call.reads("A", a);
  call.writes("A", a);
  call.compute = [=, alpha_of = scalar_of(handle, alpha, a.type)] {
    const Number factor = alpha_of();
    for (int column = 0; column < a.columns; ++column) {
      const Number right = conjugate ? std::conj(y[column]) : y[column];
      for (int row = 0; row < a.rows; ++row)
        a.put(row, column, a.get(row, column) + factor * x[row] * right);
    }
  };
  return do_vector(handle, std::move(call));
}

/// C = alpha op(A) + beta op(B)
struct MatrixSum {
  const char* function = "";
  int op_a = 0, op_b = 0;
  BlasMatrix a, b, c;
  const void *alpha = nullptr, *beta = nullptr;
};

Number element_of(const BlasMatrix& matrix, int operation, int row, int column) {
  const Number value = operation == 0 ? matrix.get(row, column) : matrix.get(column, row);
  return operation == 2 ? std::conj(value) : value;
}

int matrix_sum(void* handle, MatrixSum p) {
  if (const auto status = refused(handle, {p.alpha, p.beta})) return *status;
  const auto shape = [&](BlasMatrix& matrix, int operation) {
    matrix.rows = operation == 0 ? p.c.rows : p.c.columns;
    matrix.columns = operation == 0 ? p.c.columns : p.c.rows;
  };
  shape(p.a, p.op_a);
  shape(p.b, p.op_b);
  if (!is_operation(p.op_a) || !is_operation(p.op_b) || !is_shape(p.a) || !is_shape(p.b) ||
      !is_shape(p.c))
    return blas::invalid_value;
  if (p.c.rows == 0 || p.c.columns == 0) return blas::success;
  VectorCall call;
  call.function = p.function;
  call.shape = extent_text(p.c.rows, p.c.columns);
  if (!is_zero(handle, p.alpha, p.c.type)) call.reads("A", p.a);
  if (!is_zero(handle, p.beta, p.c.type)) call.reads("B", p.b);
  call.writes("C", p.c);
  call.compute = [p, alpha_of = scalar_of(handle, p.alpha, p.c.type),
                  beta_of = scalar_of(handle, p.beta, p.c.type)] {
    const Number alpha = alpha_of(), beta = beta_of();
    for (int column = 0; column < p.c.columns; ++column) {
      for (int row = 0; row < p.c.rows; ++row) {
        Number sum = 0;
        if (alpha != 0.0) sum += alpha * element_of(p.a, p.op_a, row, column);
        if (beta != 0.0) sum += beta * element_of(p.b, p.op_b, row, column);
        p.c.put(row, column, sum);
      }
    }
  };
  return do_vector(handle, std::move(call));
}

}  // namespace

#define FOREWARP_MATRICES(T, type)                                                                 \
  FOREWARP_EXPORT int cublas##T##gemv_v2(void* handle, int operation, int m, int n,                \
                                         const void* alpha, const void* a, int lda, const void* x, \
                                         int x_step, const void* beta, void* y, int y_step) {      \
    return matrix_vector(                                                                          \
        handle,                                                                                    \
        {"cublas" #T "gemv", type, operation, {a, type, m, n, lda}, {x}, {y}, alpha, beta},        \
        x_step, y_step);                                                                           \
  }                                                                                                \
  FOREWARP_EXPORT int cublas##T##geam(void* handle, int op_a, int op_b, int m, int n,              \
                                      const void* alpha, const void* a, int lda, const void* beta, \
                                      const void* b, int ldb, void* c, int ldc) {                  \
    return matrix_sum(handle, {"cublas" #T "geam",                                                 \
                               op_a,                                                               \
                               op_b,                                                               \
                               {a, type, 0, 0, lda},                                               \
                               {b, type, 0, 0, ldb},                                               \
                               {c, type, m, n, ldc},                                               \
                               alpha,                                                              \
                               beta});                                                             \
  }
FOREWARP_MATRICES(S, NumberType::f32)
FOREWARP_MATRICES(D, NumberType::f64)
FOREWARP_MATRICES(C, NumberType::c32)
FOREWARP_MATRICES(Z, NumberType::c64)

#define FOREWARP_OUTER(name, type, conjugate)                                                 \
  FOREWARP_EXPORT int cublas##name##_v2(void* handle, int m, int n, const void* alpha,        \
                                        const void* x, int x_step, const void* y, int y_step, \
                                        void* a, int lda) {                                   \
    return outer_product(handle, "cublas" #name, {a, type, m, n, lda}, {x, type, m, x_step},  \
                         {y, type, n, y_step}, alpha, conjugate);                             \
  }
FOREWARP_OUTER(Sger, NumberType::f32, false)
FOREWARP_OUTER(Dger, NumberType::f64, false)
FOREWARP_OUTER(Cgeru, NumberType::c32, false)
FOREWARP_OUTER(Cgerc, NumberType::c32, true)
FOREWARP_OUTER(Zgeru, NumberType::c64, false)
FOREWARP_OUTER(Zgerc, NumberType::c64, true)
